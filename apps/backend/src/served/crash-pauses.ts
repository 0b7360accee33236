/** Pauses before another process is begun: none after the first crash, then longer and longer ones. */

/** A process that lived for so long did not fail at its start. */
const STEADY_MS = 10_000;
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 30_000;

export class CrashPauses {
  /** In a row. */
  crashes = 0;
  private notBefore = 0;

  /** @param now milliseconds; only differences count */
  constructor(private readonly now = (): number => performance.now()) {}

  crashed(livedMs: number): void {
    this.crashes = livedMs >= STEADY_MS ? 1 : this.crashes + 1;
    const pause = this.crashes < 2 ? 0 : Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (this.crashes - 2));
    this.notBefore = this.now() + pause;
  }

  /** Until the next process may begin. Zero or less: now. */
  leftMs(): number {
    return this.notBefore - this.now();
  }
}
