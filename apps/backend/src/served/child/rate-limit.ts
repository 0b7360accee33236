/** At most so many requests of one caller in a minute. */

const MINUTE_MS = 60_000;
/** Callers that are remembered. With more, the oldest are forgotten, and begin again. */
const MAX_CALLERS = 10_000;

export class RateLimit {
  private readonly callers = new Map<string, { since: number; count: number }>();

  constructor(private readonly perMinute: number) {}

  /** @returns seconds until the next request is accepted; 0: this one is */
  take(caller: string, now = performance.now()): number {
    let known = this.callers.get(caller);
    if (!known || now - known.since >= MINUTE_MS) {
      known = { since: now, count: 0 };
      this.callers.delete(caller);
      this.callers.set(caller, known);
      const [oldest] = this.callers.keys();
      if (this.callers.size > MAX_CALLERS && oldest !== undefined) this.callers.delete(oldest);
    }
    known.count += 1;
    if (known.count <= this.perMinute) return 0;
    return Math.ceil((known.since + MINUTE_MS - now) / 1000);
  }
}
