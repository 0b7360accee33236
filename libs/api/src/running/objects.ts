/** The JSON of rows of MySQL and MariaDB, with their related rows. */
import type { Tree } from '../reads-mysql';
import { fromMysql, type MysqlValue } from '../shown';
import type { Sql } from '../sql';

/** A row as a statement gives it: `c0`, `c1`, … */
export type Row = Readonly<Record<string, unknown>>;

/** Asks for the related rows of all rows with one statement a reference, and makes their JSON. */
export async function objectsOf(
  rows: readonly Row[],
  tree: Tree,
  ask: (sql: Sql, keys: readonly string[]) => Promise<readonly Row[]>,
): Promise<Record<string, unknown>[]> {
  const objects = rows.map((row) => plainOf(row, tree));
  for (const { name, present, tree: inner } of tree.ones) {
    const found = rows.flatMap((row, at) => (Number(row[present]) === 1 ? [[at, row] as const] : []));
    const its = await objectsOf(
      found.map(([, row]) => row),
      inner,
      ask,
    );
    for (const object of objects) object[name] = null;
    for (const [number, [at]] of found.entries())
      (objects[at] as Record<string, unknown>)[name] = its[number];
  }
  for (const { name, key, parent, sql, tree: inner } of tree.manys) {
    const keys = [...new Set(rows.map((row) => String(row[key])))];
    const found = keys.length === 0 ? [] : await ask(sql, keys);
    const its = await objectsOf(found, inner, ask);
    const byParent = new Map<string, unknown[]>(keys.map((one) => [one, []]));
    for (const [at, row] of found.entries()) byParent.get(String(row[parent]))?.push(its[at]);
    for (const [at, row] of rows.entries())
      (objects[at] as Record<string, unknown>)[name] = byParent.get(String(row[key])) ?? [];
  }
  return objects;
}

const plainOf = (row: Row, { columns }: Tree): Record<string, unknown> =>
  Object.fromEntries(columns.map(({ name, as, of }) => [name, fromMysql(of, row[as] as MysqlValue)]));
