/**
 * Looks up every domain again and again. A round is spread over its time, so that resolvers get a steady trickle. A few
 * names are looked up at once, so that silent resolvers delay only each other.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { DnsAnswer } from './domain-answers';
import { isFault } from './domain-pointing';

/** DNS changes take minutes to become visible: most TTLs are 300 s, and shorter ones are rare. */
const ROUND_MS = 5 * 60_000;
/** With a time-out of 3 s per resolver, 2,000 names behind a silent one take about 12 minutes. */
const AT_ONCE = 8;
/** A single failure is normal: a lost packet, a resolver that restarts. */
const FAILURES = 2;

interface Watched {
  id: string;
}

interface Answered {
  answer: DnsAnswer;
}

export interface Rounds<D extends Watched, A extends Answered> {
  /** The domains of this round. */
  due(): Promise<readonly D[]>;
  ask(domain: D): Promise<A>;
  record(domain: D, asked: A): Promise<void>;
  onFault(error: unknown): void;
}

export class DnsRounds<D extends Watched, A extends Answered> {
  private failures = new Map<string, number>();
  private readonly stopped = new AbortController();
  private going: Promise<void> | undefined;

  constructor(
    private readonly rounds: Rounds<D, A>,
    private readonly roundMs = ROUND_MS,
  ) {}

  start(): void {
    this.going ??= this.goOn();
  }

  /** Resolves when no look-up is running any more. */
  async stop(): Promise<void> {
    this.stopped.abort();
    await this.going;
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
      if (atWork.size >= AT_ONCE) await Promise.race(atWork);
      if (this.isStopped) break;
      const work = this.look(domain)
        .catch(this.rounds.onFault)
        .finally(() => atWork.delete(work));
      atWork.add(work);
    }
    await Promise.all(atWork);
  }

  private async look(domain: D): Promise<void> {
    const asked = await this.rounds.ask(domain);
    const failures = isFault(asked.answer) ? (this.failures.get(domain.id) ?? 0) + 1 : 0;
    this.failures.set(domain.id, failures);
    if (this.isStopped || (failures > 0 && failures < FAILURES)) return;
    await this.rounds.record(domain, asked);
  }

  private async pause(ms: number): Promise<void> {
    if (ms > 0)
      await sleep(ms, undefined, { signal: this.stopped.signal, ref: false }).catch(() => undefined);
  }
}
