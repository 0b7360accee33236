/** Whose tables and columns are those that were found in a real database, which knows nothing but names. */
import type { Column, Named, Structure, Table } from './structure';

/**
 * The structure with the ids of those that have the same names. Whatever was read back has its name for an id; another
 * id stays.
 *
 * @param known the first one counts
 */
export function recognised(actual: Structure, known: readonly Structure[]): Structure {
  const tables = matched(
    actual.tables,
    known.map((one) => one.tables),
    (table, other) => table.key === other.key,
  );
  const ids = new Map(tables.map(([table, id]) => [table.name, id]));
  return {
    ...actual,
    tables: tables.map(([table, id]) => ({
      ...{ ...table, id },
      columns: columnsOf(table, columnsIn(known, id)).map(([column, columnId]) => ({
        ...{ ...column, id: columnId },
        ...(column.reference && {
          reference: {
            ...column.reference,
            table: ids.get(column.reference.table) ?? column.reference.table,
          },
        }),
      })),
    })),
  };
}

const columnsIn = (known: readonly Structure[], id: string): (readonly Column[])[] =>
  known.map(({ tables }) => tables.find((table) => table.id === id)?.columns ?? []);

const columnsOf = (table: Table, known: readonly (readonly Column[])[]) =>
  matched(table.columns, known, (column, other) => column.type === other.type);

/** Each with its id: the one that it has already, of one that fits, of one with its name at least, or else its name. No id twice. */
function matched<T extends Named>(
  found: readonly T[],
  known: readonly (readonly T[])[],
  fits: (one: T, other: T) => boolean,
): (readonly [T, string])[] {
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
  return found.map((one) => [one, ids.get(one) ?? one.name]);
}
