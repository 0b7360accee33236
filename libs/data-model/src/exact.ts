/** Brings a structure from a model and one from a database into the same terms: those of the database's engine. */
import { spelledOut } from './charsets';
import type { Dialect } from './model';
import { partIn } from './sql-parts';
import { foldOf, NATIVE_KEY, partNames, textOf, type Column, type Structure, type Table } from './structure';

/** Of a structure from a model: the words of one engine. */
export const inDialect = (structure: Structure, dialect: Dialect): Structure => ({
  ...structure,
  tables: structure.tables.map(({ native, ...table }) => ({
    ...table,
    columns: table.columns.map((column) => columnIn(column, dialect)),
    ...(native && {
      native: {
        ...native,
        dialect,
        ...(native.dialect !== dialect && { options: undefined, needs: [] }),
        parts: native.parts.flatMap((part) => partIn(part, native.dialect, dialect, native.as) ?? []),
      },
    }),
  })),
});

const columnIn = (column: Column, dialect: Dialect): Column => {
  const { native, ...plain } = column;
  if (!native) return column;
  return native.dialect === dialect ? { ...plain, type: textOf(native), native } : plain;
};

/**
 * With the character sets that columns have by default. A table that was not imported has the default that its real one
 * has.
 */
export function withCharsets(structure: Structure, actual: Structure): Structure {
  if (actual.dialect !== 'mysql') return structure;
  const fold = foldOf(actual);
  const real = new Map(actual.tables.map(({ name, exact }) => [fold(name), exact?.native.options]));
  return {
    ...structure,
    tables: structure.tables.map((table) => {
      const options = table.native ? table.native.options : real.get(fold(table.name));
      return { ...table, columns: table.columns.map((column) => spelledOut(column, options)) };
    }),
  };
}

/**
 * Of a structure from a database: imported tables with all their columns and parts, and the others as a model describes
 * them.
 *
 * @param known what the tables are expected to be, in the words of the same engine
 */
export function asKnown(actual: Structure, known: readonly Structure[]): Structure {
  const expected = new Map<string, Table>();
  for (const { tables } of known)
    for (const table of tables) if (!expected.has(table.name)) expected.set(table.name, table);
  const partitions = new Set(
    actual.tables.flatMap(({ name, partitionOf }) =>
      partitionOf !== undefined && expected.get(partitionOf)?.native && !expected.has(name) ? [name] : [],
    ),
  );
  return {
    ...actual,
    tables: actual.tables
      .filter(({ name }) => !partitions.has(name))
      .map((table) => tableAs(table, expected.get(table.name))),
  };
}

function tableAs({ exact, ...table }: Table, expected: Table | undefined): Table {
  if (!exact || !expected) return table;
  const known = new Map(expected.columns.map((column) => [column.name, column]));
  const exactly = exact.columns.map((column) =>
    spelledOut({ ...column, ...(column.native && { type: textOf(column.native) }) }, exact.native.options),
  );
  if (!expected.native) {
    const byName = new Map(exactly.map((column) => [column.name, column]));
    return {
      ...table,
      columns: table.columns.map((column) => {
        const { type, native } = (known.get(column.name)?.native && byName.get(column.name)) || {};
        return type !== undefined && native ? { ...column, type, native, extras: [] } : column;
      }),
    };
  }
  const plain = new Map(table.columns.map((column) => [column.name, column]));
  const modelled = new Map(exact.columns.map(({ name, type }) => [name, type]));
  const ours = new Set(partNames({ tables: [expected] }));
  return {
    ...table,
    key: NATIVE_KEY,
    extras: exact.extras,
    native: {
      ...exact.native,
      as: expected.native.as,
      parts: exact.native.parts.filter(({ name }) => !ours.has(name)),
    },
    columns: exactly.map(({ native, type, ...column }): Column => {
      const should = known.get(column.name);
      const { reference, index } = plain.get(column.name) ?? {};
      // A column that somebody renamed has ours.
      const isOurs = should ? should.reference : ours.has(reference?.name ?? '') || ours.has(index ?? '');
      const isExact = (!should || should.native) && native;
      return {
        ...column,
        type: isExact ? type : (modelled.get(column.name) ?? type),
        ...(isExact && { native }),
        ...(isOurs && { reference, index }),
      };
    }),
  };
}
