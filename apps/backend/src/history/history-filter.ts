/**
 * A search in the history as an SQL condition. It is fast among a million events, whether many match, few or none:
 * every part has an index, and times become positions, the order of the history. `history-text.ts` handles text.
 */
import { streamName, type Role } from '@quarterdeck/events';
import type { historyFilter } from '@quarterdeck/events/inputs';
import { hashed, same, sameAsAny, sameAsOneOf, timeOf } from '@quarterdeck/projections';
import type { QueryResult, QueryResultRow } from 'pg';
import type { z } from 'zod';
import { positionsBetween } from '../platform/history-times';
import { mayActAs } from '../platform/sessions';
import { isWithin, partsOf } from './parts';

export type HistoryFilter = z.infer<typeof historyFilter>;

export interface Reader {
  workspace: string;
  role: Role;
}

export interface Queries {
  query<R extends QueryResultRow>(text: string, values: unknown[]): Promise<QueryResult<R>>;
}

const audiences: readonly Role[] = ['member', 'admin', 'superadmin'];

export const hashesOf = async (db: Queries, values: readonly string[]): Promise<number[]> => {
  const { rows } = await db.query<{ hashes: number[] }>(
    `select array(select ${hashed('value')} from unnest($1::text[]) value) as hashes`,
    [values],
  );
  return rows[0]?.hashes ?? [];
};

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
  addAny(column: string, values: readonly string[] = [], part = hashed): void {
    if (values.length > 0) this.require(this.anyOf(column, values, part));
  }

  /** A condition on a column of which indexes have a hash, or another part. */
  anyOf(column: string, values: readonly string[], part = hashed): string {
    return sameAsAny(
      column,
      values.map((value) => this.parameter(value)),
      part,
    );
  }

  /** The same, for more values than a query should name one by one. */
  async addMany(column: string, values: readonly string[], db: Queries): Promise<void> {
    const hashes = this.parameter(await hashesOf(db, values));
    this.require(sameAsOneOf(column, { hashes, values: this.parameter(values) }));
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

const addSubject = async (
  conditions: Conditions,
  db: Queries,
  { workspace }: Reader,
  { category, id, parts }: NonNullable<HistoryFilter['subject']>,
): Promise<void> => {
  if (parts && id !== undefined) {
    const found = await partsOf(db, workspace, { category, id });
    if (found === undefined) conditions.add(streamName(category, id), isWithin);
    else await conditions.addMany('h."subjectId"', [id, ...found], db);
    return;
  }
  conditions.add(category, (p) => `h.category = ${p}`);
  conditions.add(id, (p) => same('h."subjectId"', p));
};

/** All conditions except text. */
export const conditionsOf = async (
  db: Queries,
  reader: Reader,
  filter: HistoryFilter,
): Promise<Conditions> => {
  const conditions = readableBy(reader);
  conditions.addAny('h.type', filter.types);
  if (filter.subject) await addSubject(conditions, db, reader, filter.subject);
  conditions.add(filter.actor, (p) => same('h.actor', p));
  conditions.add(filter.cause, (p) => same('h."correlationId"', p, timeOf));
  // A range of positions avoids a scan of the whole log.
  const { first, last } = await positionsBetween(db, filter);
  conditions.add(filter.from, (p) => `h.at >= ${p}::timestamptz`);
  conditions.add(first, (p) => `h.position >= ${p}::bigint`);
  conditions.add(filter.to, (p) => `h.at <= ${p}::timestamptz`);
  conditions.add(last, (p) => `h.position <= ${p}::bigint`);
  return conditions;
};
