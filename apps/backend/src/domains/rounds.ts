/**
 * Looks at every domain again and again. A round is spread over its time, so that those who are asked get few requests at once.
 * A few are asked at once, so that silent ones delay only each other. A domain is never asked twice at the same time.
 */
import { setTimeout as sleep } from 'node:timers/promises';

const ROUND_MS = 5 * 60_000;
/** With a time-out of 3 s per resolver, 2,000 names behind a silent one take about 12 minutes. */
const AT_ONCE = 8;
/** A single failure is normal: a lost packet, a resolver that restarts. */
const FAILURES = 2;

interface Watched {
  id: string;
}

export interface RoundsWork<D extends Watched, A> {
  /** The domains of this round. */
  due(): Promise<readonly D[]>;
  ask(domain: D, signal: AbortSignal): Promise<A>;
  /** Whether there was no answer. A first one in a row is not recorded. */
  isFault(asked: A): boolean;
  record(domain: D, asked: A): Promise<void>;
  onFault(error: unknown): void;
}

export class Rounds<D extends Watched, A> {
  private failures = new Map<string, number>();
  private readonly stopped = new AbortController();
  private going: Promise<void> | undefined;
  private readonly asking = new Map<string, Promise<void>>();

  constructor(
    private readonly rounds: RoundsWork<D, A>,
    private readonly roundMs = ROUND_MS,
    private readonly atOnce = AT_ONCE,
  ) {}

  start(): void {
    this.going ??= this.goOn();
  }

  /** Resolves when no look-up is running any more. */
  async stop(): Promise<void> {
    this.stopped.abort();
    await this.going;
    await Promise.all(this.asking.values());
  }

  private get isStopped(): boolean {
    return this.stopped.signal.aborted;
  }

  private async goOn(): Promise<void> {
    while (!this.isStopped) {
      const began = performance.now();
      await this.round(this.roundMs).catch(this.rounds.onFault);
      await this.pause(this.roundMs - (performance.now() - began));
    }
  }

  /** Looks up every domain once. @param spreadMs time over which the look-ups are spread; 0: as fast as possible */
  async round(spreadMs = 0): Promise<void> {
    const due = await this.rounds.due();
    const there = new Set(due.map(({ id }) => id));
    this.failures = new Map([...this.failures].filter(([id]) => there.has(id)));
    const atWork = new Set<Promise<void>>();
    const began = performance.now();
    for (const [index, domain] of due.entries()) {
      await this.pause(began + (index * spreadMs) / due.length - performance.now());
      if (atWork.size >= this.atOnce) await Promise.race(atWork);
      if (this.isStopped) break;
      const work = this.look(domain).finally(() => atWork.delete(work));
      atWork.add(work);
    }
    await Promise.all(atWork);
  }

  /** Looks at one domain, besides the round. Joins a look that is under way. Never rejects. */
  look(domain: D): Promise<void> {
    const { id } = domain;
    const under = this.asking.get(id);
    if (under || this.isStopped) return under ?? Promise.resolve();
    const work = this.lookOnce(domain)
      .catch(this.rounds.onFault)
      .finally(() => this.asking.delete(id));
    this.asking.set(id, work);
    return work;
  }

  private async lookOnce(domain: D): Promise<void> {
    const asked = await this.rounds.ask(domain, this.stopped.signal);
    const failures = this.rounds.isFault(asked) ? (this.failures.get(domain.id) ?? 0) + 1 : 0;
    this.failures.set(domain.id, failures);
    if (this.isStopped || (failures > 0 && failures < FAILURES)) return;
    await this.rounds.record(domain, asked);
  }

  private async pause(ms: number): Promise<void> {
    if (ms > 0)
      await sleep(ms, undefined, { signal: this.stopped.signal, ref: false }).catch(() => undefined);
  }
}
