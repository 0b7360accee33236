/**
 * Outages of something that this process needs, such as its database. Hundreds of operations fail during one, so the
 * log reports its beginning, a line a minute while it lasts, and its end. All other lines about it have the level
 * `debug`. Every fault is logged somewhere, so the logger is the place to detect outages.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../tokens';

export interface OutageKind {
  /** Whether the fault belongs to this outage. */
  is(error: unknown): boolean;
  /** Rejects as long as the outage lasts. */
  works(): Promise<unknown>;
  /** `the database cannot be reached` */
  begins: string;
  /** `the database is back` */
  ends: string;
}

export interface OutageLimits {
  /** How often to check whether the outage is over. */
  lookMs: number;
  /** The outage is over once a check succeeds and no fault has occurred for this long. */
  quietMs: number;
  /** How often the log says that the outage continues. */
  sayMs: number;
}

const LIMITS: OutageLimits = { lookMs: 500, quietMs: 2_000, sayMs: 60_000 };

/** Logged at the end if every check succeeded, so there was no outage. */
const MERE_FAULTS = 'there were more such faults, which are not logged one by one';

export class Outage {
  private readonly ending = new AbortController();
  private beganAt: number | undefined;
  private faultAt = 0;
  private saidAt = 0;
  private certain = false;
  /** Lines that wait until it is clear whether this is an outage: one per operation. */
  private held = new Map<string, () => void>();
  private told = new Set<string>();
  private untold = new Map<string, number>();

  constructor(
    private readonly logger: Logger,
    private readonly kind: OutageKind,
    private readonly limits: OutageLimits = LIMITS,
  ) {}

  /** Whether the outage is confirmed: by a check, not only by a fault. */
  get lasts(): boolean {
    return this.certain;
  }

  /**
   * @param say writes the log line later
   * @returns true if the caller must not write that line now
   */
  covers(error: unknown, doing: string, say: () => void): boolean {
    if (this.ending.signal.aborted || !this.kind.is(error)) return false;
    this.faultAt = performance.now();
    const isFirst = !this.certain && !this.told.has(doing);
    if (isFirst) this.told.add(doing);
    if (this.beganAt === undefined) {
      this.beganAt = this.faultAt;
      void this.watch();
      return false;
    }
    if (isFirst) this.held.set(doing, say);
    else this.count(doing);
    return true;
  }

  stop(): void {
    this.ending.abort();
    this.sayHeld();
  }

  private async watch(): Promise<void> {
    const { lookMs, quietMs } = this.limits;
    const { signal } = this.ending;
    while (!signal.aborted) {
      const error = await this.kind.works().then(
        () => undefined,
        (fault: unknown) => fault ?? new Error('it does not work'),
      );
      if (signal.aborted) return;
      if (error !== undefined) this.tell(error);
      else this.sayHeld();
      if (error === undefined && performance.now() - this.faultAt >= quietMs) return this.end();
      await sleep(lookMs, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  private tell(error: unknown): void {
    const now = performance.now();
    this.faultAt = now;
    if (this.certain && now - this.saidAt < this.limits.sayMs) return;
    const more = this.certain
      ? { forMs: Math.round(now - (this.beganAt ?? now)), faults: this.faults() }
      : {};
    this.certain = true;
    this.saidAt = now;
    for (const doing of this.held.keys()) this.count(doing);
    this.held.clear();
    this.logger.warn({ err: error, ...more }, this.kind.begins);
  }

  private end(): void {
    const forMs = Math.round(this.faultAt - (this.beganAt ?? 0));
    if (this.certain || this.untold.size > 0)
      this.logger.warn({ forMs, faults: this.faults() }, this.certain ? this.kind.ends : MERE_FAULTS);
    this.beganAt = undefined;
    this.certain = false;
    this.told = new Set();
    this.untold = new Map();
  }

  /** The check succeeded, so this is no outage: write each held line. */
  private sayHeld(): void {
    const lines = [...this.held.values()];
    this.held.clear();
    for (const say of lines) say();
  }

  private count(doing: string): void {
    this.untold.set(doing, (this.untold.get(doing) ?? 0) + 1);
  }

  /** Number of failures per operation that got no line. */
  private faults(): Record<string, number> {
    return Object.fromEntries(this.untold);
  }
}

/** Wraps a logger so that errors of an outage are logged only once. */
export const sparing = (logger: Logger, outages: readonly Outage[]): Logger => {
  const spared =
    (level: 'warn' | 'error') =>
    (...line: Parameters<Logger['warn']>): void => {
      const [fields, text] = line as unknown as [unknown, unknown];
      const err =
        typeof fields === 'object' && fields !== null ? (fields as { err?: unknown }).err : undefined;
      const say = (): void => logger[level](...line);
      const covered = err !== undefined && outages.some((outage) => outage.covers(err, String(text), say));
      if (covered) logger.debug(...line);
      else say();
    };
  return Object.assign(Object.create(logger) as Logger, { warn: spared('warn'), error: spared('error') });
};
