/**
 * The steps that make one structure of another. Every step is one statement in either dialect, and what a step needs is
 * there when its turn comes:
 *
 * 1. keys and indexes that go, 2. tables and columns whose name is needed again, 3. renames, 4. new tables and columns,
 * and columns that change, 5. new indexes and keys, 6. the other tables and columns that go.
 *
 * What destroys comes last where it can, so that a plan that fails midway has destroyed little.
 */
import type { Column, ColumnType, KeyType, Structure, Table } from './structure';

export interface ColumnShape {
  readonly name: string;
  readonly type: ColumnType;
  readonly required: boolean;
}

/** Tables and columns have the names that they have at that moment. */
export type Step =
  | { readonly kind: 'dropForeignKey' | 'dropIndex'; readonly table: string; readonly name: string }
  | { readonly kind: 'dropTable'; readonly table: string }
  | { readonly kind: 'dropColumn'; readonly table: string; readonly column: string }
  | { readonly kind: 'renameTable'; readonly table: string; readonly to: string }
  | { readonly kind: 'renameColumn'; readonly table: string; readonly column: string; readonly to: string }
  | {
      readonly kind: 'createTable';
      readonly table: string;
      readonly key: KeyType;
      readonly columns: readonly ColumnShape[];
    }
  | { readonly kind: 'addColumn'; readonly table: string; readonly column: ColumnShape }
  | {
      readonly kind: 'changeColumn';
      readonly table: string;
      readonly from: ColumnShape;
      readonly to: ColumnShape;
    }
  | { readonly kind: 'addIndex'; readonly table: string; readonly column: string; readonly name: string }
  | {
      readonly kind: 'addForeignKey';
      readonly table: string;
      readonly column: string;
      readonly name: string;
      readonly target: string;
    };

export function plan(from: Structure, to: Structure): Step[] {
  const { gone, added, kept } = pairs(from.tables, to.tables);
  const tables = kept.map(([was, is]) => ({ was, is, columns: pairs(was.columns, is.columns) }));
  const goneIds = new Set(gone.map(({ id }) => id));
  const nameIn = (structure: Structure, id: string) =>
    structure.tables.find((table) => table.id === id)?.name;

  const keysThatGo = [
    ...gone.flatMap((table) =>
      table.columns.flatMap(({ reference }) =>
        reference && reference.table !== table.id && goneIds.has(reference.table)
          ? [dropForeignKey(table, reference.name)]
          : [],
      ),
    ),
    ...tables.flatMap(({ was, columns }) => [
      ...columns.gone.flatMap(({ reference }) => (reference ? [dropForeignKey(was, reference.name)] : [])),
      ...columns.kept.flatMap(([old, now]) => [
        ...(old.reference && !sameKey(old, now) ? [dropForeignKey(was, old.reference.name)] : []),
        ...(old.index !== undefined && old.index !== now.index
          ? [{ kind: 'dropIndex' as const, table: was.name, name: old.index }]
          : []),
      ]),
    ]),
  ];
  const [tablesFirst, tablesLast] = parted(gone, to.tables);
  const columns = tables.flatMap(({ was, is, columns: each }) => {
    const [first, last] = parted(each.gone, is.columns);
    return { was, is, each, first, last };
  });
  const renamedTables = inOrder(renamed(kept)).map(([table, name]): Step => ({
    kind: 'renameTable',
    table,
    to: name,
  }));
  const renamedColumns = columns.flatMap(({ is, each }) =>
    inOrder(renamed(each.kept)).map(([column, name]): Step => ({
      kind: 'renameColumn',
      table: is.name,
      column,
      to: name,
    })),
  );
  const comes = [
    ...added.map(({ name, key, columns: its }): Step => ({
      kind: 'createTable',
      table: name,
      key,
      columns: its.map(shapeOf),
    })),
    ...columns.flatMap(({ is, each }) => [
      ...each.added.map((column): Step => ({ kind: 'addColumn', table: is.name, column: shapeOf(column) })),
      ...each.kept
        .filter(([old, now]) => old.type !== now.type || old.required !== now.required)
        .map(([old, now]): Step => ({
          kind: 'changeColumn',
          table: is.name,
          from: { ...shapeOf(old), name: now.name },
          to: shapeOf(now),
        })),
    ]),
  ];
  const keysThatCome = [
    ...added.map((is) => ({ is, column: is.columns.map((now) => ({ old: undefined, now })) })),
    ...columns.map(({ is, each }) => ({
      is,
      column: [
        ...each.added.map((now) => ({ old: undefined, now })),
        ...each.kept.map(([old, now]) => ({ old, now })),
      ],
    })),
  ].flatMap(({ is, column }) =>
    column.flatMap(({ old, now }): Step[] => [
      ...(now.index !== undefined && now.index !== old?.index
        ? [{ kind: 'addIndex' as const, table: is.name, column: now.name, name: now.index }]
        : []),
      ...(now.reference && !(old && sameKey(old, now))
        ? [
            {
              ...{ kind: 'addForeignKey' as const, table: is.name, column: now.name },
              ...{ name: now.reference.name, target: nameIn(to, now.reference.table) ?? '' },
            },
          ]
        : []),
    ]),
  );
  return [
    ...keysThatGo,
    ...tablesFirst.map(dropTable),
    ...columns.flatMap(({ was, first }) => first.map((column) => dropColumn(was, column))),
    ...renamedTables,
    ...renamedColumns,
    ...comes,
    ...keysThatCome.toSorted(
      (a, b) => Number(a.kind === 'addForeignKey') - Number(b.kind === 'addForeignKey'),
    ),
    ...columns.flatMap(({ is, last }) => last.map((column) => dropColumn(is, column))),
    ...tablesLast.map(dropTable),
  ];
}

const shapeOf = ({ name, type, required }: Column): ColumnShape => ({ name, type, required });
const dropForeignKey = (table: Table, name: string): Step => ({
  kind: 'dropForeignKey',
  table: table.name,
  name,
});
const dropTable = ({ name }: Table): Step => ({ kind: 'dropTable', table: name });
const dropColumn = (table: Table, { name }: Column): Step => ({
  kind: 'dropColumn',
  table: table.name,
  column: name,
});

/** MySQL drops no index that a key needs, so a key goes with its index. */
const sameKey = (a: Column, b: Column): boolean =>
  a.reference?.name === b.reference?.name && a.reference?.table === b.reference?.table && a.index === b.index;

interface Named {
  readonly id: string;
  readonly name: string;
}

/** What only the first has, what only the second has, and what both have, by id. */
export function pairs<T extends Named>(from: readonly T[], to: readonly T[]) {
  const [before, after] = [from, to].map((all) => new Map(all.map((one) => [one.id, one]))) as [
    Map<string, T>,
    Map<string, T>,
  ];
  return {
    gone: from.filter(({ id }) => !after.has(id)),
    added: to.filter(({ id }) => !before.has(id)),
    kept: to.flatMap((is): [T, T][] => {
      const was = before.get(is.id);
      return was ? [[was, is]] : [];
    }),
  };
}

/** MySQL compares the names of columns, and on some systems those of tables, without case. */
const folded = (name: string): string => name.toLowerCase();

/** Those whose name is needed again, and the others. */
function parted<T extends Named>(gone: readonly T[], needed: readonly T[]): [T[], T[]] {
  const names = new Set(needed.map(({ name }) => folded(name)));
  return [
    gone.filter(({ name }) => names.has(folded(name))),
    gone.filter(({ name }) => !names.has(folded(name))),
  ];
}

type Rename = readonly [from: string, to: string];

const renamed = (kept: readonly (readonly [Named, Named])[]): Rename[] =>
  kept.flatMap(([was, is]): Rename[] => (was.name === is.name ? [] : [[was.name, is.name]]));

/** No rename takes a name that is still in use. Where names go round in a circle, one steps aside first. */
function inOrder(renames: readonly Rename[]): Rename[] {
  const [waiting, ordered] = [[...renames], [] as Rename[]];
  while (waiting.length > 0) {
    const inUse = (name: string, but: Rename) =>
      waiting.some((other) => other !== but && folded(other[0]) === folded(name));
    const free = waiting.findIndex((rename) => !inUse(rename[1], rename));
    if (free >= 0) {
      ordered.push(...waiting.splice(free, 1));
    } else {
      const [from, to] = waiting.shift() as Rename;
      const aside = `quarterdeck_aside_${ordered.length}`;
      ordered.push([from, aside]);
      waiting.push([aside, to]);
    }
  }
  return ordered;
}
