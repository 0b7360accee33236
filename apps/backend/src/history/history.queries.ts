import type { Role } from '@quarterdeck/events';
import type { historyList } from '@quarterdeck/events/inputs';
import type { HistoryView } from '@quarterdeck/projections';
import type { Pool } from 'pg';
import type { z } from 'zod';
import { mayActAs } from '../platform/session';

const PAGE = 50;
/** One request sets few things in motion; what exceeds this is found by the filter `cause`. */
const CHAIN = 200;

const audiences: readonly Role[] = ['member', 'admin', 'superadmin'];
const visibleTo = (role: Role): Role[] => audiences.filter((audience) => mayActAs(role, audience));

export interface Reader {
  workspace: string;
  role: Role;
}

/** `$1` and `$2` are the same in every query here: nothing of another workspace, nothing above the reader's role. */
const SELECT = `
  select h.view, s.name
  from read.history h left join read.subjects s on s.id = h.view->>'stream' and s.workspace = h.workspace
  where h.workspace = $1 and h.audience = any($2)`;

const TEXT = `(
  h.says ilike $3 or h.type ilike $3
  or h."subjectId" in (select "subjectId" from read.subjects where workspace = $1 and name ilike $3)
  or h.actor in (select id::text from app.person_records where workspace::text = $1 and (name ilike $3 or email ilike $3)))`;

interface Row {
  view: HistoryView;
  name: string | null;
}

const named = ({ view, name }: Row): HistoryView =>
  name === null ? view : { ...view, subject: { ...view.subject, name } };

const containing = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`;

export const listHistory = async (
  db: Pool,
  { workspace, role }: Reader,
  query: z.infer<typeof historyList>,
): Promise<{ events: HistoryView[]; next?: string }> => {
  const values: unknown[] = [workspace, visibleTo(role)];
  const conditions: string[] = [];
  const where = (condition: (parameter: string) => string, value: unknown): void => {
    if (value === undefined || value === '') return;
    values.push(value);
    conditions.push(condition(`$${values.length}`));
  };
  // First, since its statement names its parameter three times over.
  where(() => TEXT, query.text ? containing(query.text) : undefined);
  where((p) => `h.type = any(${p})`, query.types?.length ? query.types : undefined);
  where((p) => `h.category = ${p}`, query.subject?.category);
  where((p) => `h."subjectId" = ${p}`, query.subject?.id);
  where((p) => `h.actor = ${p}`, query.actor);
  where((p) => `h.at >= ${p}::timestamptz`, query.from);
  where((p) => `h.at <= ${p}::timestamptz`, query.to);
  where((p) => `h."correlationId" = ${p}`, query.cause);
  where((p) => `h.position < ${p}::bigint`, query.before);
  const limit = query.limit || PAGE;
  values.push(limit + 1);
  const more = conditions.map((condition) => `\n  and ${condition}`).join('');
  const { rows } = await db.query<Row>(
    `${SELECT}${more}\n  order by h.position desc limit $${values.length}`,
    values,
  );
  const events = rows.slice(0, limit).map(named);
  const last = events.at(-1);
  return rows.length > limit && last ? { events, next: last.position } : { events };
};

/** One event, and everything that the same request set in motion, oldest first. */
export const historyDetail = async (
  db: Pool,
  { workspace, role }: Reader,
  position: string,
): Promise<{ event: HistoryView; chain: HistoryView[] } | undefined> => {
  const reader = [workspace, visibleTo(role)];
  const found = await db.query<Row>(`${SELECT} and h.position = $3::bigint`, [...reader, position]);
  const [row] = found.rows;
  if (!row) return undefined;
  const event = named(row);
  const { rows } = await db.query<Row>(
    `${SELECT} and h."correlationId" = $3 order by h.position limit ${CHAIN}`,
    [...reader, event.correlationId],
  );
  return { event, chain: rows.map(named) };
};
