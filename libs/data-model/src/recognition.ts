/** Assigns model ids to tables and columns of a real database, which has only names. */
import { withIds, type Column, type Named, type Structure, type Table } from './structure';

/**
 * Replaces ids by those of known parts with the same name. Only a part read from a database, whose id is its name, gets
 * a new id.
 *
 * @param known structures to take ids from; earlier entries take precedence
 */
export function recognised(actual: Structure, known: readonly Structure[]): Structure {
  const tableIds = matched(
    actual.tables,
    known.map((one) => one.tables),
    (table, other) => table.key === other.key,
  );
  const idOf = (table: Table): string => tableIds.get(table) ?? table.id;
  const columnIds = new Map(
    actual.tables.flatMap((table) => [...columnsOf(table, columnsIn(known, idOf(table)))]),
  );
  return withIds(actual, idOf, (column) => columnIds.get(column) ?? column.id);
}

const columnsIn = (known: readonly Structure[], id: string): (readonly Column[])[] =>
  known.map(({ tables }) => tables.find((table) => table.id === id)?.columns ?? []);

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
  const give = (isFit: (one: T, other: T) => boolean): void => {
    for (const those of known)
      for (const one of found) {
        const same = those.find(({ id, name }) => name === one.name && !given.has(id));
        if (ids.has(one) || !same || !isFit(one, same)) continue;
        ids.set(one, same.id);
        given.add(same.id);
      }
  };
  give(fits);
  give(() => true);
  return new Map(found.map((one) => [one, ids.get(one) ?? one.name]));
}
