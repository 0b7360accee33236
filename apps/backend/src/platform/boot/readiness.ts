/** Whether this process can serve calls. Every check has a time limit: a health check must not hang. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { comparePositions } from '@quarterdeck/events';
import { type Room, unacknowledged } from '../database';
import {
  DB,
  EVENT_STORE,
  PROJECTIONS,
  ROOMS,
  type EventStore,
  type Pool,
  type ProjectionRunner,
} from '../tokens';

const PATIENCE_MS = 1500;
/** Load balancers look at least this often. */
const WATCHED_MS = 15_000;
/** Read models that are further behind than this mislead more than they help. */
const TOO_OLD_MS = 30_000;

export interface Check {
  ok: boolean;
  [detail: string]: unknown;
}

const inTime = async <T>(work: Promise<T>): Promise<T> => {
  const timer = new AbortController();
  const late = sleep(PATIENCE_MS, undefined, { signal: timer.signal }).then(() => {
    throw new Error('no answer in time');
  });
  late.catch(() => undefined);
  try {
    return await Promise.race([work, late]);
  } finally {
    timer.abort();
  }
};

const check = async (work: () => Promise<Partial<Check>>): Promise<Check> => {
  try {
    return { ok: true, ...(await inTime(work())) };
  } catch {
    // The reason is in the log. Callers of the health check need no addresses and versions.
    return { ok: false };
  }
};

const isAhead = ({ position }: Check, { head }: Check): boolean =>
  typeof position === 'string' && typeof head === 'string' && comparePositions(position, head) > 0;

@Injectable()
export class Readiness {
  /** Set when the process is asked to end: load balancers then send no more calls. */
  draining = false;
  private lookedAt = -Infinity;

  constructor(
    @Inject(DB) private readonly pool: Pool,
    @Inject(EVENT_STORE) private readonly store: EventStore,
    @Inject(PROJECTIONS) private readonly projections: ProjectionRunner,
    @Inject(ROOMS) private readonly rooms: readonly Room[],
  ) {}

  /** `degraded`: all answers are correct, but the log contains foreign events that nobody has acknowledged. */
  async look(): Promise<{
    state: 'ok' | 'degraded' | 'draining' | 'unavailable';
    checks: Record<string, Check>;
  }> {
    this.lookedAt = performance.now();
    const [database, eventLog, readModels] = await Promise.all([
      check(async () => {
        await this.pool.query('select 1');
        return {};
      }),
      check(() => this.eventLog()),
      check(() => this.readModels()),
    ]);
    if (isAhead(readModels, eventLog)) {
      readModels.ok = false;
      readModels.problem = 'the read models are ahead of the event log: they were built from another one';
    }
    const process: Check = { ok: !this.draining };
    const checks = { process, database, eventLog, readModels, room: this.room() };
    const ready = Object.values(checks).every(({ ok }) => ok);
    const degraded = Number(readModels.foreignEvents) > 0;
    const state = ready ? (degraded ? 'degraded' : 'ok') : this.draining ? 'draining' : 'unavailable';
    return { state, checks };
  }

  /** Whether somebody, such as a load balancer, looks at this regularly. */
  isWatched(): boolean {
    return performance.now() - this.lookedAt < WATCHED_MS;
  }

  private async eventLog(): Promise<Check> {
    const { engine } = this.store;
    const problem = await this.store.problem();
    if (problem) return { ok: false, engine, problem };
    return { ok: true, engine, head: await this.store.head() };
  }

  /** A full disk does not affect readiness: reads still work, and a load balancer cannot tell which calls write. */
  private room(): Check {
    const full = this.rooms.filter(({ isFull }) => isFull).map(({ name }) => name);
    return full.length === 0 ? { ok: true } : { ok: false, problem: 'disk full', at: full };
  }

  /** Parked events are reported and wait for a fix. Everything else is served meanwhile. */
  private async readModels(): Promise<Check> {
    const { leading, position, lag, parked, projections } = await this.projections.status();
    const named = parked.map(({ projection, stream, position: at, type }) => ({
      projection,
      stream,
      position: at,
      type,
    }));
    const states = Object.fromEntries(projections.map(({ name, state }) => [name, state]));
    const foreignEvents = await unacknowledged(this.pool);
    return { ok: lag.ms < TOO_OLD_MS, leading, position, lag, states, parked: named, foreignEvents };
  }
}
