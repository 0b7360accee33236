/** Runs compiled blocks. The caller talks to the database; this says what to ask, and what the answers mean. */
import type { Dialect } from '@quarterdeck/data-model';
import { bound, itemsOf, Refused, writtenValue, type Bound, type Values } from '../bind';
import type { Parameter } from '../checks';
import type { CompiledBlock } from '../compile';
import { statementsIn } from '../reads-mysql';
import { objectsOf, type Row } from './objects';

/** What a database answered: rows by the names of their columns, how many rows a write changed, the last new number. */
export interface Answered {
  readonly rows: readonly Row[];
  readonly changed: number;
  readonly insertId?: string | number | undefined;
}

export interface Tools {
  /** Runs one statement, within the transaction of the request. */
  readonly ask: (statement: Bound) => Promise<Answered>;
  /** A new UUID, for the keys of rows. */
  readonly uuid: () => string;
}

/** The result of a block. `json` is its text, `value()` what it says; each is made from the other when it is needed. */
export interface Result {
  readonly json: string;
  value(): unknown;
}

const ofJson = (json: string): Result => {
  let parsed: { value: unknown } | undefined;
  return { json, value: () => (parsed ??= { value: JSON.parse(json) as unknown }).value };
};
export const ofValue = (value: unknown): Result => ({
  get json() {
    return JSON.stringify(value ?? null);
  },
  value: () => value ?? null,
});

type Crud = Exclude<CompiledBlock, { type: 'snippet' }>;

/** @throws Refused with the field and the status, for what a request asked wrongly */
export async function perform(block: Crud, values: Values, { ask, uuid }: Tools): Promise<Result> {
  const { dialect } = block;
  if ('checks' in block) await check(block, values, ask);
  if (block.type === 'insertMultiple' && block.each && itemsOf(block.each, values).length === 0)
    return ofValue({ changed: 0 });
  if (!('reading' in block)) {
    const { changed } = await ask(bound(block.sql, dialect, values));
    return ofValue({ changed });
  }
  const { reading } = block;
  // Without rows, the statements of related rows are never asked, but a wrong value is wrong all the same.
  if ('tree' in reading)
    for (const sql of statementsIn(reading.tree)) bound(sql, dialect, values, { keys: [] });
  let earlier: { newKey?: Parameter } = {};
  if (block.type === 'insert' && block.sql) {
    if (block.newKey === 'uuid') earlier = { newKey: uuid() };
    const { insertId } = await ask(bound(block.sql, dialect, values, earlier));
    if (block.newKey === 'insertId') earlier = { newKey: String(insertId ?? '') };
  }
  const { rows } = await ask(bound(reading.sql, dialect, values, earlier));
  if (block.type === 'list' && 'json' in reading) return ofJson(String(rows[0]?.['j']));
  if (block.type === 'detail') onlyOne(rows, block.entity);
  const [first] = rows;
  if ('json' in reading) return ofJson(String(first?.['j']));
  const objects = await objectsOf(
    rows,
    reading.tree,
    async (sql, keys) => (await ask(bound(sql, dialect, values, { keys }))).rows,
  );
  return ofValue(block.type === 'list' ? objects : objects[0]);
}

const onlyOne = (rows: readonly Row[], entity: string): void => {
  if (rows.length === 0) throw new Refused({ status: 404, field: '', message: `${entity} not found` });
  if (rows.length > 1)
    throw new Refused({
      status: 409,
      field: '',
      message: `several rows of ${entity} fit, and a detail is one row`,
    });
};

async function check(
  {
    checks,
    dialect,
    ...block
  }: { checks: Extract<Crud, { checks: unknown }>['checks']; dialect: Dialect } & object,
  values: Values,
  ask: Tools['ask'],
): Promise<void> {
  const each = 'each' in block ? (block.each as Parameters<typeof itemsOf>[0] | undefined) : undefined;
  const within = each ? itemsOf(each, values).map((item): Values => ({ ...values, item })) : [values];
  for (const { attribute, value, target, sql } of checks) {
    const asked = within.map((now) => writtenValue(attribute, value, now)).filter((one) => one !== null);
    const keys = [...new Set(asked.map(String))];
    if (keys.length === 0) continue;
    const { rows } = await ask(bound(sql, dialect, values, { keys }));
    const found = new Set(rows.map(({ k }) => String(k)));
    const missing = keys.find((one) => !found.has(one));
    if (missing === undefined) continue;
    const field = typeof value === 'object' && value !== null && '$' in value ? value.$ : attribute.name;
    throw new Refused({ status: 409, field, message: `there is no ${target} ${missing}` });
  }
}
