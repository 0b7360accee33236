/** Figures about the event log, for its operators. */
import { Inject, Injectable } from '@nestjs/common';
import { LOG_STREAM } from '@quarterdeck/events/catalogue';
import { verify, type AuthenticStore, type Seal } from '@quarterdeck/log/store';
import { same, type ChainState, type EventLogFacts } from '@quarterdeck/projections';
import { followedChain } from '../platform/boot';
import { DB, EVENT_STORE, type Pool } from '../platform/tokens';
import { ForeignEvents } from './foreign';

/** Number of links at the end of the chain that are recomputed at each look. */
const LINKS = 1_000;
const MINUTES = 15;
/** Limit per workspace. Busier workspaces are counted short. */
const MAX_COUNTED = 20_000;

@Injectable()
export class EventLog {
  private seal: { at: string; revision: number; seal: Seal } | undefined;

  constructor(
    @Inject(EVENT_STORE) private readonly store: AuthenticStore,
    @Inject(DB) private readonly db: Pool,
    private readonly foreign: ForeignEvents,
  ) {}

  async facts(): Promise<EventLogFacts> {
    const { store } = this;
    const [head, perMinute, seal, foreign, problem, truncated] = await Promise.all([
      store.head(),
      this.perMinute(),
      this.lastSeal(),
      this.foreign.facts(),
      store.problem(),
      store.truncated(),
    ]);
    const chain = await this.chain(seal?.seal);
    return {
      engine: store.engine,
      ...(store.keys ? { identity: store.keys.identity } : {}),
      ...(problem === undefined ? {} : { problem }),
      foreign,
      head,
      ...(store.chain ? { bytes: await store.chain.bytes() } : {}),
      perMinute,
      ...(seal ? { seal: { ...seal.seal, at: seal.at } } : {}),
      chain,
      ...(truncated.length > 0 ? { truncated } : {}),
    };
  }

  private async perMinute(): Promise<number[]> {
    const { rows } = await this.db.query<{ ago: number; count: number }>(
      `select floor(extract(epoch from clock_timestamp() - at) / 60)::int as ago, count(*)::int as count
       from (select id from read.workspaces union all select '-') w
         cross join lateral (
           select at from read.history h where ${same('h.workspace', 'w.id collate "default"')} order by h.position desc limit ${MAX_COUNTED}) newest
       where at > clock_timestamp() - interval '${MINUTES} minutes' group by 1`,
    );
    const counts = new Map(rows.map(({ ago, count }) => [ago, count]));
    return Array.from({ length: MINUTES }, (_, index) => counts.get(MINUTES - 1 - index) ?? 0);
  }

  /** Reads only the new events of the seals' stream. */
  private async lastSeal(): Promise<typeof this.seal> {
    const from = (this.seal?.revision ?? -1) + 1;
    const events = await this.store.readStream(LOG_STREAM, { from });
    // After a move, earlier positions belong to another place, up to the event of the log's arrival.
    const last = events.filter(({ type }) => type === 'LogSealed' || type === 'LogArrived').at(-1);
    if (last) this.seal = { at: last.meta.at, revision: last.revision, seal: last.data as Seal };
    return this.seal;
  }

  private async chain(seal: Seal | undefined): Promise<ChainState> {
    const { store } = this;
    if (!store.chain) {
      const followed = (await followedChain(this.db, store)) ?? { position: '0' };
      return { state: 'followed', checked: 0, ...followed };
    }
    const { ok, events, head, firstBad, foreign } = await verify(await store.audited(undefined, LINKS));
    const found = { checked: events, ...head };
    // Foreign events are listed separately.
    if (!ok && foreign === undefined)
      return { ...found, state: 'broken', problem: firstBad?.problem ?? 'the chain is broken' };
    if (seal && (await store.chain.hashAt(seal.position)) !== seal.hash)
      return {
        ...found,
        state: 'broken',
        problem: `event ${seal.position} is not the event that was sealed`,
      };
    return { ...found, state: 'unbroken' };
  }
}
