/**
 * A search in the history as an SQL condition. It is fast among a million events, whether many match, few or none:
 * every part has an index, and times become positions, the order of the history. `history-text.ts` handles text.
 */
import type { Role } from '@quarterdeck/events';
import type { historyFilter } from '@quarterdeck/events/inputs';
import { same, sameAsAny } from '@quarterdeck/projections';
import type { QueryResult, QueryResultRow } from 'pg';
import type { z } from 'zod';
import { mayActAs } from '../platform/sessions';

export type HistoryFilter = z.infer<typeof historyFilter>;

export interface Reader {
  workspace: string;
  role: Role;
}

export interface Queries {
  query<R extends QueryResultRow>(text: string, values: unknown[]): Promise<QueryResult<R>>;
}

/** An event is recorded after its decision, but never later than this. */
const LATE = `interval '1 hour'`;
const NO_POSITION = '0';

const audiences: readonly Role[] = ['member', 'admin', 'superadmin'];

/** Conditions on `h`, the history, and their parameter values. */
export class Conditions {
  constructor(
    readonly values: unknown[] = [],
    private readonly parts: string[] = [],
  ) {}

  parameter(value: unknown): string {
    this.values.push(value);
    return `$${this.values.length}`;
  }

  /** @param value if absent, no condition is added */
  add(value: unknown, condition: (parameter: string) => string): void {
    if (value !== undefined && value !== '') this.require(condition(this.parameter(value)));
  }

  /** @param values if there are none, no condition is added */
  addAny(column: string, values: readonly string[] = []): void {
    if (values.length > 0) this.require(this.anyOf(column, values));
  }

  /** A condition on a column that is hashed in indexes. */
  anyOf(column: string, values: readonly string[]): string {
    return sameAsAny(
      column,
      values.map((value) => this.parameter(value)),
    );
  }

  require(condition: string): void {
    this.parts.push(condition);
  }

  copy(): Conditions {
    return new Conditions([...this.values], [...this.parts]);
  }

  /** A copy with one more condition. */
  and(value: unknown, condition: (parameter: string) => string): Conditions {
    const more = this.copy();
    more.add(value, condition);
    return more;
  }

  get sql(): string {
    return this.parts.join('\n  and ');
  }
}

/** Only events of the reader's workspace, and only those that their role may see. */
export const readableBy = ({ workspace, role }: Reader): Conditions => {
  const conditions = new Conditions();
  conditions.add(workspace, (p) => same('h.workspace', p));
  conditions.add(
    audiences.filter((audience) => mayActAs(role, audience)),
    (p) => `h.audience = any(${p})`,
  );
  return conditions;
};

/**
 * Decision times are nearly in log order. So a range of positions avoids a scan of the whole log. Each bound is found
 * among the events within an hour of the first or last one. Postgres finds these by the index of times only if that
 * instant is a scalar, and if it cannot walk along the positions to their minimum.
 */
const addTimes = async (
  conditions: Conditions,
  db: Queries,
  workspace: string,
  { from, to }: Pick<HistoryFilter, 'from' | 'to'>,
): Promise<void> => {
  const ours = same('h.workspace', '$1');
  const bound = async (query: string, time: string): Promise<string> =>
    (await db.query<{ bound: string | null }>(query, [workspace, time])).rows[0]?.bound ?? NO_POSITION;
  if (from !== undefined) {
    const at = `(select h.at from read.history h where ${ours} and h.at >= $2::timestamptz order by h.at limit 1)`;
    const first = await bound(
      `select min(h.position + 0)::text as bound from read.history h
       where ${ours} and h.at between ${at} and ${at} + ${LATE}`,
      from,
    );
    conditions.add(from, (p) => `h.at >= ${p}::timestamptz`);
    // No event is that recent.
    if (first === NO_POSITION) conditions.add(first, (p) => `h.position < ${p}::bigint`);
    else conditions.add(first, (p) => `h.position >= ${p}::bigint`);
  }
  if (to !== undefined) {
    const at = `(select h.at from read.history h where ${ours} and h.at <= $2::timestamptz order by h.at desc limit 1)`;
    const last = await bound(
      `select max(h.position + 0)::text as bound from read.history h
       where ${ours} and h.at between ${at} - ${LATE} and ${at}`,
      to,
    );
    conditions.add(to, (p) => `h.at <= ${p}::timestamptz`);
    conditions.add(last, (p) => `h.position <= ${p}::bigint`);
  }
};

/** All conditions except text. */
export const conditionsOf = async (
  db: Queries,
  reader: Reader,
  filter: HistoryFilter,
): Promise<Conditions> => {
  const { workspace } = reader;
  const conditions = readableBy(reader);
  conditions.addAny('h.type', filter.types);
  conditions.add(filter.subject?.category, (p) => `h.category = ${p}`);
  conditions.add(filter.subject?.id, (p) => `h.workspace = $1 and h."subjectId" = ${p}`);
  conditions.add(filter.actor, (p) => same('h.actor', p));
  conditions.add(filter.cause, (p) => same('h."correlationId"', p));
  await addTimes(conditions, db, workspace, filter);
  return conditions;
};
