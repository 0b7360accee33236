/** Assigns model ids to tables and columns of a real database, which has only names. */
import { firsts, grouped } from './grouped';
import { asNamedIn, withIds, type Column, type Named, type Structure, type Table } from './structure';

/**
 * Replaces ids by those of known parts with the same name. Only a part read from a database, whose id is its name, gets
 * a new id.
 *
 * @param others structures to take ids from; earlier entries take precedence
 */
export function recognised(actual: Structure, others: readonly Structure[]): Structure {
  const known = others.map((one) => asNamedIn(actual, one));
  const tableIds = matched(
    actual.tables,
    known.map((one) => one.tables),
    (table, other) => table.key === other.key,
  );
  const idOf = (table: Table): string => tableIds.get(table) ?? table.id;
  const columnsById = known.map(({ tables }) => firsts(tables, ({ id }) => id));
  const columnIds = new Map(
    actual.tables.flatMap((table) => [
      ...columnsOf(
        table,
        columnsById.map((columns) => columns.get(idOf(table))?.columns ?? []),
      ),
    ]),
  );
  return withIds(actual, idOf, (column) => columnIds.get(column) ?? column.id);
}

const columnsOf = (table: Table, known: readonly (readonly Column[])[]) =>
  matched(table.columns, known, (column, other) => column.type === other.type);

/**
 * The id of each part: its own id, or else that of a known part with the same name (preferably one that fits), or else
 * its name. No id is given twice.
 */
function matched<T extends Named>(
  found: readonly T[],
  known: readonly (readonly T[])[],
  fits: (one: T, other: T) => boolean,
): ReadonlyMap<T, string> {
  const resolved = found.filter(({ id, name }) => id !== name);
  const ids = new Map(resolved.map((one) => [one, one.id]));
  const given = new Set(ids.values());
  const byName = known.map((those) => grouped(those, ({ name }) => name));
  const give = (isFit: (one: T, other: T) => boolean): void => {
    for (const those of byName)
      for (const one of found) {
        const same = those.get(one.name)?.find(({ id }) => !given.has(id));
        if (ids.has(one) || !same || !isFit(one, same)) continue;
        ids.set(one, same.id);
        given.add(same.id);
      }
  };
  give(fits);
  give(() => true);
  return new Map(found.map((one) => [one, ids.get(one) ?? one.name]));
}
