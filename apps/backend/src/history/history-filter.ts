/**
 * What is looked for in the history, as a condition that Postgres finds quickly among a million events, whether it
 * fits many of them, few or none. Names of subjects and people are looked up first: with their ids in hand every part
 * of the condition has an index. Times become positions, in whose order the history is read.
 */
import { placement, type Role } from '@quarterdeck/events';
import type { historyFilter } from '@quarterdeck/events/inputs';
import type { QueryResult, QueryResultRow } from 'pg';
import type { z } from 'zod';
import { mayActAs } from '../platform/session';

export type HistoryFilter = z.infer<typeof historyFilter>;

export interface Reader {
  workspace: string;
  role: Role;
}

export interface Queries {
  query<R extends QueryResultRow>(text: string, values: unknown[]): Promise<QueryResult<R>>;
}

/** A name that more subjects bear is looked for event by event: among the newest there will soon be one of them. */
const SUBJECTS = 2_000;
/** An event is recorded after it was decided, but never by so much. */
const LATE = `interval '1 hour'`;
const NO_POSITION = '0';

const audiences: readonly Role[] = ['member', 'admin', 'superadmin'];

/** Conditions on `h`, the history, and the values of their parameters. */
export class Conditions {
  constructor(
    readonly values: unknown[] = [],
    private readonly parts: string[] = [],
  ) {}

  parameter(value: unknown): string {
    this.values.push(value);
    return `$${this.values.length}`;
  }

  /** @param value absent: nothing is asked for */
  add(value: unknown, condition: (parameter: string) => string): void {
    if (value !== undefined && value !== '') this.require(condition(this.parameter(value)));
  }

  require(condition: string): void {
    this.parts.push(condition);
  }

  /** These and one more. */
  and(value: unknown, condition: (parameter: string) => string): Conditions {
    const more = new Conditions([...this.values], [...this.parts]);
    more.add(value, condition);
    return more;
  }

  get sql(): string {
    return this.parts.join('\n  and ');
  }
}

/** Nothing of another workspace, nothing above the reader's role. */
export const readableBy = ({ workspace, role }: Reader): Conditions => {
  const conditions = new Conditions();
  conditions.add(workspace, (p) => `h.workspace = ${p}`);
  conditions.add(
    audiences.filter((audience) => mayActAs(role, audience)),
    (p) => `h.audience = any(${p})`,
  );
  return conditions;
};

/** Fewer letters than an index holds are looked for where a word begins, and only there. */
const WORD_BEGINS = ['', '% ', '%-', '%.', '%/', '%@', '%"'];

const patternsOf = (text: string): string[] => {
  const literal = text.replace(/[\\%_]/g, '\\$&');
  return /^[\p{L}\p{N}]{1,2}$/u.test(text)
    ? WORD_BEGINS.map((before) => `${before}${literal}%`)
    : [`%${literal}%`];
};

/** One comparison a pattern, since a list of them would find no index. */
const like = (column: string, parameters: readonly string[]): string =>
  `(${parameters.map((p) => `${column} ilike ${p}`).join(' or ')})`;

const typesNamed = (text: string): string[] => {
  const wanted = text.toLowerCase();
  return Object.keys(placement).filter((type) => {
    const words = type.replace(/(?<=[a-z0-9])(?=[A-Z])/g, ' ').toLowerCase();
    return type.toLowerCase().includes(wanted) || words.includes(wanted);
  });
};

const idsOf = async (db: Queries, query: string, values: unknown[]): Promise<string[]> =>
  (await db.query<{ id: string }>(query, values)).rows.map(({ id }) => id);

/** Events that say it, are of a type called so, or have to do with something or somebody of that name. */
const addText = async (
  conditions: Conditions,
  db: Queries,
  workspace: string,
  { text = '', subject }: Pick<HistoryFilter, 'text' | 'subject'>,
): Promise<void> => {
  const patterns = patternsOf(text);
  const asked = patterns.map((_, index) => `$${index + 2}`);
  // Only those that the rest of the filter leaves: names of another kind need not be looked for.
  const kind = subject ? ` and category = $${patterns.length + 2}` : '';
  const [subjects, people] = await Promise.all([
    idsOf(
      db,
      `select "subjectId" as id from read.subjects
       where workspace = $1 and ${like('name', asked)}${kind} limit ${SUBJECTS + 1}`,
      [workspace, ...patterns, ...(subject ? [subject.category] : [])],
    ),
    idsOf(
      db,
      `select id::text from app.person_records
       where workspace::text = $1 and (${like('name', asked)} or ${like('email', asked)})`,
      [workspace, ...patterns],
    ),
  ]);
  const given = patterns.map((pattern) => conditions.parameter(pattern));
  const parts = [like('h.says', given)];
  const among = (column: string, values: readonly string[]): void => {
    if (values.length > 0) parts.push(`h.${column} = any(${conditions.parameter(values)})`);
  };
  const many = subjects.length > SUBJECTS;
  among('type', typesNamed(text));
  among('actor', people);
  among('"subjectId"', many ? people : [...people, ...subjects]);
  if (many)
    parts.push(
      `exists (select from read.subjects s where s.id = h.category || '-' || h."subjectId" and ${like('s.name', given)})`,
    );
  conditions.require(`(${parts.join(' or ')})`);
};

/** The time at which something was decided is nearly in the order of the log, which spares a walk through all of it. */
const addTimes = async (
  conditions: Conditions,
  db: Queries,
  workspace: string,
  { from, to }: Pick<HistoryFilter, 'from' | 'to'>,
): Promise<void> => {
  const bound = async (query: string, time: string): Promise<string> =>
    (await db.query<{ bound: string | null }>(query, [workspace, time])).rows[0]?.bound ?? NO_POSITION;
  if (from !== undefined) {
    const first = await bound(
      `with first as (select at from read.history
         where workspace = $1 and at >= $2::timestamptz order by at limit 1)
       select min(h.position)::text as bound from read.history h, first
       where h.workspace = $1 and h.at between first.at and first.at + ${LATE}`,
      from,
    );
    conditions.add(from, (p) => `h.at >= ${p}::timestamptz`);
    // Nothing is that new.
    if (first === NO_POSITION) conditions.add(first, (p) => `h.position < ${p}::bigint`);
    else conditions.add(first, (p) => `h.position >= ${p}::bigint`);
  }
  if (to !== undefined) {
    const last = await bound(
      `with last as (select at from read.history
         where workspace = $1 and at <= $2::timestamptz order by at desc limit 1)
       select max(h.position)::text as bound from read.history h, last
       where h.workspace = $1 and h.at between last.at - ${LATE} and last.at`,
      to,
    );
    conditions.add(to, (p) => `h.at <= ${p}::timestamptz`);
    conditions.add(last, (p) => `h.position <= ${p}::bigint`);
  }
};

export const conditionsOf = async (
  db: Queries,
  reader: Reader,
  filter: HistoryFilter,
): Promise<Conditions> => {
  const { workspace } = reader;
  const conditions = readableBy(reader);
  conditions.add(filter.types?.length ? filter.types : undefined, (p) => `h.type = any(${p})`);
  conditions.add(filter.subject?.category, (p) => `h.category = ${p}`);
  conditions.add(filter.subject?.id, (p) => `h."subjectId" = ${p}`);
  conditions.add(filter.actor, (p) => `h.actor = ${p}`);
  conditions.add(filter.cause, (p) => `h."correlationId" = ${p}`);
  await addTimes(conditions, db, workspace, filter);
  if (filter.text) await addText(conditions, db, workspace, filter);
  return conditions;
};
