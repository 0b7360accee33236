import { Readable } from 'node:stream';
import { Controller, Inject, StreamableFile } from '@nestjs/common';
import { history, type InputOf } from '@quarterdeck/contract';
import { Answers, type Asker, written } from '../platform/http';
import { notFound } from '../platform/errors';
import { Instants, queriesAt } from '../platform/as-of';
import { DB, EVENT_STORE, type EventStore, type Pool } from '../platform/tokens';
import { contentTypeOf, exportOf, namesOfPeople } from './history-export';
import { historyPages, listHistory, rowsOf } from './history.queries';
import { findNamed } from './named-records';
import { Undo } from './undo';
import {
  comparePositions,
  type LoggedEvent,
  type Position,
  type RecordedEvent,
  streamName,
} from '@quarterdeck/events';
import { type Difference, type HistoryView, same, timeOf } from '@quarterdeck/projections';
import { changesOf, folded } from './changes';
import { namesIn } from './names';
import { readableBy, type Conditions, type Queries, type Reader } from './history-filter';

@Controller()
export class HistoryController {
  constructor(
    @Inject(DB) private readonly db: Pool,
    @Inject(EVENT_STORE) private readonly store: EventStore,
    private readonly instants: Instants,
    private readonly undo: Undo,
  ) {}

  @Answers(history.list)
  list(query: InputOf<typeof history.list>, { session }: Asker) {
    return listHistory(this.db, session, query);
  }

  @Answers(history.find)
  find({ text }: InputOf<typeof history.find>, { session: { workspace } }: Asker) {
    return findNamed(this.db, workspace, text);
  }

  @Answers(history.detail)
  async detail({ position }: InputOf<typeof history.detail>, { session }: Asker) {
    const found = await historyDetail(this.db, this.store, session, position);
    if (!found) throw notFound('event');
    return found;
  }

  @Answers(history.preview)
  preview({ position }: InputOf<typeof history.preview>, { session, meta }: Asker) {
    return this.undo.preview(position, session, meta);
  }

  @Answers(history.undo)
  async carryOut({ position, ...given }: InputOf<typeof history.undo>, { session, meta }: Asker) {
    const { id, position: at, left } = await this.undo.carryOut(position, given, session, meta);
    return written({ id, uuid: id, left }, at);
  }

  @Answers(history.export)
  async export(
    { format, type, category, id, parts, at, ...filter }: InputOf<typeof history.export>,
    { session }: Asker,
  ) {
    const types = type === undefined ? undefined : [type].flat();
    const subject = category === undefined ? undefined : { category, id, parts: parts !== undefined };
    const instant = at === undefined ? undefined : await this.instants.resolve(at, session.workspace);
    const db = instant ? queriesAt(instant, this.db) : this.db;
    const pages = historyPages(db, session, { ...filter, types, subject });
    const lines = exportOf(pages, format, await namesOfPeople(this.db, session));
    return new StreamableFile(Readable.from(lines, { objectMode: true, highWaterMark: 1 }), {
      type: contentTypeOf(format),
      disposition: `attachment; filename="history-${(instant?.at ?? new Date().toISOString()).slice(0, 10)}.${format}"`,
    });
  }
}

/** The details of one event: its changes, its cause, and everything that was caused together with it. */
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
    `select distinct h."correlationId" as id from read.history h, (
       select r."subjectId" from read.history r
       where r.workspace = $1 and ${same('r."correlationId"', '$3', timeOf)}
         and r.type = any('{RunRequested,RunRetried,RunCancelRequested}')
       order by r.position limit ${RUNS}) run
     where ${sql} and h.category = 'run' and ${same('h."subjectId"', 'run."subjectId"')}`,
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

const historyDetail = async (
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
  whole.addAny('h."correlationId"', correlations, timeOf);
  const logged = loggedOf(event);
  const names = await namesIn(db, reader.workspace, [...earlier, logged]);
  return {
    event,
    changes: changesOf(event.revision <= FOLDED ? folded : [], earlier, logged, names),
    ...(await chainOf(db, whole, position)),
  };
};

/* Which event of a chain caused which. Pure. */

/** An event of a chain, with its cause within the chain. Without a cause, a person or a clock started it. */
interface Link extends HistoryView {
  cause?: Position;
}

const begins = new Set(['RunRequested', 'RunRetried']);

/**
 * Events of a run are caused by its request or its latest retry. Other events name their cause by id. Events recorded
 * together by one command do not cause each other.
 * @param chain oldest first
 */
export const withCauses = (chain: readonly HistoryView[]): Link[] => {
  const ids = new Map(chain.map(({ id, position }) => [id, position]));
  const begun = new Map<string, HistoryView>();
  return chain.map((event) => {
    const cause = ids.get(event.causationId) ?? begun.get(event.causationId)?.position;
    if (event.category === 'run' && begins.has(event.type)) begun.set(event.subjectId, event);
    const led = cause !== undefined && comparePositions(cause, event.position) < 0;
    return led ? { ...event, cause } : event;
  });
};
