import type { historyList } from '@quarterdeck/events/inputs';
import { hasParent, type HistoryView, type SubjectView } from '@quarterdeck/projections';
import type { z } from 'zod';
import {
  conditionsOf,
  readableBy,
  type Conditions,
  type HistoryFilter,
  type Queries,
  type Reader,
} from './history-filter';
import { inView } from '../platform/in-view';
import { positionsWith } from './history-text';
import { DEEPEST } from './parts';
import { undoneBy } from './undone';

const PAGE = 50;

interface Row {
  view: HistoryView;
  name: string | null;
}

type Parents = NonNullable<HistoryView['subject']['within']>;

/** The records that the subjects of these events are parts of, outermost first, by stream. */
export const parentsOf = async (
  db: Queries,
  events: readonly Pick<HistoryView, 'stream' | 'workspace'>[],
): Promise<Map<string, Parents>> => {
  if (events.length === 0) return new Map();
  const within = inView<SubjectView>('s.view').text('within');
  const { rows } = await db.query<{ stream: string; category: string; id: string; name: string }>(
    `with recursive above as (
       select s.id as stream, s.workspace, ${within} as parent, 1 as height
       from (select distinct * from unnest($1::text[], $2::text[])) as of(stream, workspace)
       join read.subjects s on s.id = of.stream and s.workspace = of.workspace
       union all
       select a.stream, a.workspace, ${within}, a.height + 1
       from above a join read.subjects s on s.id = a.parent and s.workspace = a.workspace
       where a.height < ${DEEPEST}
     )
     select a.stream, s.category, s."subjectId" as id, s.name
     from above a join read.subjects s on s.id = a.parent and s.workspace = a.workspace
     order by a.height desc`,
    [events.map(({ stream }) => stream), events.map(({ workspace }) => workspace)],
  );
  const found = new Map<string, Parents>();
  for (const { stream, ...parent } of rows) found.set(stream, [...(found.get(stream) ?? []), parent]);
  return found;
};

/** Looks up names only for the rows shown, not for all matches. */
export const rowsOf = async (
  db: Queries,
  { sql, values }: Conditions,
  order: 'asc' | 'desc',
  limit: number,
): Promise<HistoryView[]> => {
  const { rows } = await db.query<Row>(
    `select h.view, s.name from (
       select h.position, h.workspace, h.category || '-' || h."subjectId" as stream, h.view from read.history h
       where ${sql}
       order by h.position ${order} limit ${limit}
     ) h left join read.subjects s on s.id = h.stream and s.workspace = h.workspace
     order by h.position ${order}`,
    values,
  );
  const events = rows.map(({ view }) => view);
  const parents = await parentsOf(
    db,
    events.filter(({ category }) => hasParent(category)),
  );
  const undone = await undoneBy(db, events);
  return rows.map(({ view, name }) => {
    const within = parents.get(view.stream);
    const subject = { ...view.subject, ...(name !== null && { name }), ...(within && { within }) };
    const undoes = undone.get(view.causationId);
    return { ...view, subject, ...(undoes && { undoes }) };
  });
};

/** The newest of all matches. */
const newest = async (
  db: Queries,
  reader: Reader,
  filter: HistoryFilter,
  conditions: Conditions,
  limit: number,
): Promise<HistoryView[]> => {
  if (!filter.text) return rowsOf(db, conditions, 'desc', limit);
  const positions = await positionsWith(db, reader, filter, conditions, limit);
  if (positions.length === 0) return [];
  return rowsOf(
    db,
    readableBy(reader).and(positions, (p) => `h.position = any(${p}::bigint[])`),
    'desc',
    limit,
  );
};

/** The newest event of each part of a record, and of theirs, between two positions. Without runs, which change nothing themselves. */
export const lastOfParts = async (
  db: Queries,
  reader: Reader,
  subject: { category: string; id: string },
  between: { after: string; upTo: string },
): Promise<HistoryView[]> => {
  const conditions = await conditionsOf(db, reader, { subject: { ...subject, parts: true } });
  conditions.add(between.after, (p) => `h.position > ${p}::bigint`);
  conditions.add(between.upTo, (p) => `h.position <= ${p}::bigint`);
  conditions.add(subject.category, (p) => `h.category not in (${p}, 'run')`);
  const { rows } = await db.query<{ position: string }>(
    `select max(h.position) as position from read.history h
     where ${conditions.sql} group by h.category, h."subjectId"`,
    conditions.values,
  );
  if (rows.length === 0) return [];
  const last = readableBy(reader).and(
    rows.map(({ position }) => position),
    (p) => `h.position = any(${p}::bigint[])`,
  );
  const events = await rowsOf(db, last, 'desc', rows.length);
  // A person and their credentials have the same id, but neither is a part of the other.
  return events.filter(({ subject: { within = [] } }) =>
    within.some(({ category, id }) => category === subject.category && id === subject.id),
  );
};

export interface HistoryPage {
  /** Newest first. */
  events: HistoryView[];
  /** Position at which the next, older page starts. Absent at the start of the log. */
  next?: string;
}

export const listHistory = async (
  db: Queries,
  reader: Reader,
  { before, limit, ...filter }: z.infer<typeof historyList>,
): Promise<HistoryPage> => {
  const conditions = await conditionsOf(db, reader, filter);
  conditions.add(before, (p) => `h.position < ${p}::bigint`);
  const size = limit || PAGE;
  const events = await newest(db, reader, filter, conditions, size + 1);
  const last = events[size - 1];
  return events.length > size && last ? { events: events.slice(0, size), next: last.position } : { events };
};

const EXPORTED_AT_ONCE = 1_000;

/** All matching events recorded before the first page is read, newest first, in any number. */
export async function* historyPages(
  db: Queries,
  reader: Reader,
  filter: HistoryFilter,
): AsyncGenerator<HistoryView[]> {
  const conditions = await conditionsOf(db, reader, filter);
  let page = await newest(db, reader, filter, conditions, EXPORTED_AT_ONCE);
  while (page.length > 0) {
    yield page;
    const last = page.at(-1);
    if (page.length < EXPORTED_AT_ONCE || !last) return;
    const older = conditions.and(last.position, (p) => `h.position < ${p}::bigint`);
    page = await newest(db, reader, filter, older, EXPORTED_AT_ONCE);
  }
}
