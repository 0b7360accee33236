/** The details of one event: its changes, its cause, and everything that was caused together with it. */
import {
  comparePositions,
  streamName,
  type LoggedEvent,
  type Position,
  type RecordedEvent,
} from '@quarterdeck/events';
import { same, type Difference, type HistoryView } from '@quarterdeck/projections';
import type { EventStore } from '../platform/tokens';
import { withCauses, type Link } from './causes';
import { changesOf, folded } from './changes';
import { readableBy, type Conditions, type Queries, type Reader } from './history-filter';
import { rowsOf } from './history.queries';

export interface EventDetail {
  event: HistoryView;
  changes: Difference[];
  /** Oldest first. For a very long chain, only its beginning and the events around this one. */
  chain: Link[];
  /** How many events the whole chain has. */
  chainLength: number;
}

/** Chains up to `whole` events are shown in full. Of longer ones, these parts are shown. */
const CHAIN = { whole: 200, beginning: 50, before: 75, after: 75 };
/** Nobody reads further. The filter `cause` finds the rest. */
const RUNS = 500;
/** If a subject has more events than this, its changes are not computed, and only the event itself is shown. */
const FOLDED = 5_000;

const earlierOf = async (store: EventStore, event: HistoryView): Promise<LoggedEvent[]> => {
  const stream = streamName(event.category, event.subjectId);
  const events: RecordedEvent[] = [];
  for (let from = 0; from < event.revision;) {
    const page = await store.readStream(stream, { from, limit: 1_000 });
    const last = page.at(-1);
    if (!last) break;
    events.push(...page);
    from = last.revision + 1;
  }
  return events.filter(({ revision }) => revision < event.revision) as LoggedEvent[];
};

const loggedOf = ({ id, at, actor, workspace, correlationId, causationId, ...view }: HistoryView) =>
  ({ ...view, meta: { id, at, actor, workspace, correlationId, causationId, v: '1' } }) as LoggedEvent;

/**
 * A retry or a cancel belongs to another request, but to the same run. So the chain includes everything about its runs,
 * and everything that those events caused.
 */
const correlationsOf = async (db: Queries, reader: Reader, { correlationId }: HistoryView) => {
  const { sql, values } = readableBy(reader);
  const { rows } = await db.query<{ id: string }>(
    `select distinct h."correlationId" as id from read.history h
     where ${sql} and h.workspace = $1 and h.category = 'run' and h."subjectId" in (
       select r."subjectId" from read.history r
       where r.workspace = $1 and ${same('r."correlationId"', '$3')}
         and r.type = any('{RunRequested,RunRetried,RunCancelRequested}')
       order by r.position limit ${RUNS})`,
    [...values, correlationId],
  );
  return [...new Set([correlationId, ...rows.map(({ id }) => id)])];
};

const chainOf = async (
  db: Queries,
  conditions: Conditions,
  position: Position,
): Promise<Pick<EventDetail, 'chain' | 'chainLength'>> => {
  const { rows } = await db.query<{ length: string }>(
    `select count(*) as length from read.history h where ${conditions.sql}`,
    conditions.values,
  );
  const chainLength = Number(rows[0]?.length);
  if (chainLength <= CHAIN.whole)
    return { chain: withCauses(await rowsOf(db, conditions, 'asc', CHAIN.whole)), chainLength };
  const upTo = conditions.and(position, (p) => `h.position <= ${p}::bigint`);
  const behind = conditions.and(position, (p) => `h.position > ${p}::bigint`);
  const parts = await Promise.all([
    rowsOf(db, conditions, 'asc', CHAIN.beginning),
    rowsOf(db, upTo, 'desc', CHAIN.before),
    rowsOf(db, behind, 'asc', CHAIN.after),
  ]);
  const chain = [...new Map(parts.flat().map((event) => [event.position, event])).values()];
  return {
    chain: withCauses(chain.toSorted((a, b) => comparePositions(a.position, b.position))),
    chainLength,
  };
};

export const historyDetail = async (
  db: Queries,
  store: EventStore,
  reader: Reader,
  position: Position,
): Promise<EventDetail | undefined> => {
  const [event] = await rowsOf(
    db,
    readableBy(reader).and(position, (p) => `h.position = ${p}::bigint`),
    'asc',
    1,
  );
  if (!event) return undefined;
  const earlier = event.revision <= FOLDED ? await earlierOf(store, event) : [];
  const correlations = await correlationsOf(db, reader, event);
  const whole = readableBy(reader);
  whole.addAny('h."correlationId"', correlations);
  return {
    event,
    changes: changesOf(event.revision <= FOLDED ? folded : [], earlier, loggedOf(event)),
    ...(await chainOf(db, whole, position)),
  };
};
