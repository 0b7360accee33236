/**
 * Asks DNS for every domain, again and again. A round is spread over its time, so that resolvers see a trickle; names
 * are looked up a few at a time, so that silent resolvers hold up each other and nothing else.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { DnsAnswer } from './domain-answers';
import { isFault } from './domain-pointing';

/** Changes of DNS take minutes to be seen anywhere: TTLs below that are rare, and 300 s are what most have. */
const ROUND_MS = 5 * 60_000;
/** With a time-out of 3 s for each resolver, 2,000 names behind a silent one are through in about 12 minutes. */
const AT_ONCE = 8;
/** One failure is weather: a packet was lost, a resolver restarts. */
const FAILURES = 2;

interface Watched {
  id: string;
}

interface Answered {
  answer: DnsAnswer;
}

export interface Rounds<D extends Watched, A extends Answered> {
  /** Which are to be asked for in this round. */
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

  /** Resolves when nothing is asked any more. */
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

  /** Every domain once. @param spreadMs over how long the questions are spread; 0: as fast as they are answered */
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
