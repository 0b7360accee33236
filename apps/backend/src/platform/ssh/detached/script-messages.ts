/** Reads the messages that the following script on the server writes to stderr, among other text. */
import type { RemoteEnd } from './types';

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
const maxNames = 64;

export class ScriptMessages {
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

  /** Undefined if the messages were cut off before their end. */
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

/**
 * Parses the lines of `report name value`. The last value of a name counts, and lines of `changed` are collected. Other
 * lines and an incomplete last line are ignored.
 */
export const readReport = (text: string): Record<string, string> => {
  const lines = text.split('\n').slice(0, -1);
  const report = new Map<string, string>();
  for (const line of lines) {
    const [, name, value = ''] = /^([A-Za-z][A-Za-z0-9]*) (.*)$/.exec(line) ?? [];
    if (!name || (!report.has(name) && report.size === maxNames)) continue;
    const before = name === 'changed' ? report.get(name) : undefined;
    report.set(name, before === undefined ? value : `${before}\n${value}`);
  }
  return Object.fromEntries(report);
};

type Lost = Extract<RemoteEnd, { is: 'lost' }>;

/** Explains to an operator what became of work without an exit code. */
export const endInWords = (end: Exclude<ServerEnd, { is: 'exited' }>): Omit<Lost, 'report'> => {
  switch (end.is) {
    case 'rebooted':
      return {
        is: 'lost',
        why: 'rebooted',
        reason:
          'The server was rebooted while the script ran. Its output until then is known, the rest is not.',
      };
    case 'vanished':
      return {
        is: 'lost',
        why: 'vanished',
        reason:
          'The script no longer runs on the server and left no exit code: it was killed there, by hand or for lack of memory.',
      };
    case 'removed':
    case 'unknown':
      return {
        is: 'lost',
        why: 'vanished',
        reason: 'The files of the script on the server no longer exist, so its end is not known.',
      };
    case 'never':
      return {
        is: 'lost',
        why: 'neverStarted',
        reason: end.why
          ? `The script was not run: it could not be put on the server (${end.why}).`
          : 'The script was not run and will not be: the process that should have started it on the server ended too early.',
      };
  }
};
