import { readReport } from './report';

/** The messages of the following script, extracted from other text on stderr. */
export interface Said {
  end: ServerEnd | undefined;
  report: Record<string, string>;
}

export type ServerEnd =
  | { is: 'exited'; exitCode: number; size: number }
  | { is: 'rebooted' | 'vanished'; size: number }
  /** It has not run and never will. */
  | { is: 'never'; size: 0; why?: string }
  /** Its folder is gone, or does not exist yet. */
  | { is: 'removed' | 'unknown'; size: 0 };

const maxHeard = 64 * 1024;

export class Listener {
  private heard = Buffer.alloc(0);
  private greeted = false;

  constructor(
    readonly word: string,
    /** Called when the server follows the work. */
    private readonly onGreeting: () => void,
  ) {}

  hear(bytes: Buffer): void {
    this.heard = Buffer.concat([this.heard, bytes]);
    if (this.heard.length > maxHeard) this.heard = this.heard.subarray(-maxHeard);
    if (this.greeted || !this.heard.includes(`::quarterdeck ${this.word} at`)) return;
    this.greeted = true;
    this.onGreeting();
  }

  /** Undefined if it was cut off before its end. */
  said(): Said | undefined {
    const mark = `\n::quarterdeck ${this.word} `;
    // The log cannot store NUL.
    const text = this.heard.toString('utf8').replaceAll('\0', ' ');
    if (!text.includes(`${mark}over\n`)) return undefined;
    const told = new Map<string, string>();
    for (const part of text.split(mark).slice(1)) {
      const [line = '', ...rest] = part.split('\n');
      const [what = '', ...words] = line.split(' ');
      told.set(what, what === 'report' ? rest.join('\n') : words.join(' '));
    }
    return {
      end: endOf(told.get('end') ?? '', told.get('why')?.trim()),
      report: readReport(told.get('report') ?? ''),
    };
  }
}

const endOf = (verdict: string, why: string | undefined): ServerEnd | undefined => {
  const [is, ...numbers] = verdict.split(' ');
  const [first = 0, second = 0] = numbers.map(Number);
  switch (is) {
    case 'exited':
      return { is, exitCode: first, size: second };
    case 'rebooted':
    case 'vanished':
      return { is, size: first };
    case 'never':
    case 'no-place':
      return { is: 'never', size: 0, ...(why && { why }) };
    case 'removed':
    case 'unknown':
      return { is, size: 0 };
    default:
      return undefined;
  }
};
