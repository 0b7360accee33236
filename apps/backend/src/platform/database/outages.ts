/**
 * What this process cannot use for a while, such as its database. All that goes on meanwhile fails by the hundred, so
 * the log says it when it begins, once a minute while it lasts, and when it is over. What else was to be logged about it
 * has the level `debug`. Every fault is logged somewhere, so the logger is where outages are noticed.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../tokens';

export interface OutageKind {
  /** Whether the fault belongs to it. */
  is(error: unknown): boolean;
  /** Rejects for as long as it lasts. */
  works(): Promise<unknown>;
  /** `the database cannot be reached` */
  begins: string;
  /** `the database is back` */
  ends: string;
}

export interface OutageLimits {
  /** From one look whether it is over to the next. */
  lookMs: number;
  /** Over is what works, and has been without a fault for so long. */
  quietMs: number;
  /** From one line to the next while it lasts. */
  sayMs: number;
}

const LIMITS: OutageLimits = { lookMs: 500, quietMs: 2_000, sayMs: 60_000 };

/** It worked whenever it was looked at. */
const MERE_FAULTS = 'there were more such faults, not logged one by one';

export class Outage {
  private readonly ending = new AbortController();
  private beganAt: number | undefined;
  private faultAt = 0;
  private saidAt = 0;
  private certain = false;
  /** Lines that wait until it is known whether it is an outage: one for each thing that fails. */
  private held = new Map<string, () => void>();
  private told = new Set<string>();
  private untold = new Map<string, number>();

  constructor(
    private readonly logger: Logger,
    private readonly kind: OutageKind,
    private readonly limits: OutageLimits = LIMITS,
  ) {}

  /** Whether it is known to last: a look found it, not a fault alone. */
  get lasts(): boolean {
    return this.certain;
  }

  /**
   * @param say the line about it, for later
   * @returns whether that line is not to be written now
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

  /** It works: each of them has a reason of its own. */
  private sayHeld(): void {
    const lines = [...this.held.values()];
    this.held.clear();
    for (const say of lines) say();
  }

  private count(doing: string): void {
    this.untold.set(doing, (this.untold.get(doing) ?? 0) + 1);
  }

  /** How often what failed without a line of its own. */
  private faults(): Record<string, number> {
    return Object.fromEntries(this.untold);
  }
}

/** The same logger, except that it says once what belongs to an outage. */
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
