/** How far an import is, or the undo of one, and what it left as it was: as output of its run, and as its report. */
import { DomainError } from '../platform/errors';
import type { LocalIo } from '../runs';

/** Lines of the report about what was left. */
const MAX_LEFT = 100;
const TOLD_EVERY = 500;

export class ImportProgress {
  private keys = 0;
  private left = 0;
  private readonly leftAsIs: string[] = [];

  constructor(
    private readonly io: Pick<LocalIo, 'print'>,
    private readonly all: number,
  ) {}

  /**
   * Counts a key. A refusal is reported, and the import goes on.
   * @returns the result; undefined if it was refused
   * @throws the error if it is no refusal
   */
  done<T>(key: string, result: PromiseSettledResult<T>): T | undefined {
    this.keys += 1;
    if (this.keys % TOLD_EVERY === 0) this.io.print(`${this.keys}/${this.all} keys\n`);
    if (result.status === 'fulfilled') return result.value;
    const { reason } = result as { reason: unknown };
    if (!(reason instanceof DomainError) || reason.code === 'unavailable') throw reason;
    this.leave(`${key}: ${reason.msg}`);
    return undefined;
  }

  leave(why: string): void {
    this.left += 1;
    if (this.leftAsIs.length < MAX_LEFT) this.leftAsIs.push(why);
    this.io.print(`Left as it is: ${why}\n`);
  }

  end(): { report: Record<string, string> } {
    this.io.print(`${this.keys}/${this.all} keys\n`);
    return {
      report: {
        keys: String(this.keys),
        left: String(this.left),
        ...(this.left > 0 && { leftAsIs: this.leftAsIs.join('\n') }),
      },
    };
  }
}
