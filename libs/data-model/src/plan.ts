/**
 * The steps that turn one structure into another. Each step is one statement in either dialect. The order guarantees
 * that the prerequisites of a step exist:
 *
 * 1. drop keys and indexes, 2. drop tables and columns whose names are needed again, 3. rename, 4. add tables and
 * columns, and change columns, 5. add indexes and keys, 6. drop the remaining tables and columns.
 *
 * Destructive steps come as late as possible, so that a plan that fails midway has destroyed little.
 */
import { grouped } from './grouped';
import { folded } from './identifiers';
import { withOtherPlaces } from './native';
import { pairs } from './pairs';
import { createdWith, parents, partSteps } from './plan-parts';
import type { ColumnShape, Step } from './steps';
import { partNames, type Column, type Named, type Structure, type Table } from './structure';

export function plan(from: Structure, to: Structure): Step[] {
  const { gone, added, kept } = pairs(from.tables, to.tables);
  const [tablesFirst, tablesLast] = parted(gone, to.tables);
  const tables = kept.map(([was, is]) => {
    const columns = pairs(was.columns, is.columns);
    const [first, last] = parted(columns.gone, is.columns);
    return { was, is, ...columns, first, last };
  });
  const goneIds = new Set(gone.map(({ id }) => id));
  const nameOf = new Map(to.tables.map(({ id, name }) => [id, name]));
  const parts = partSteps({ gone, added, kept }, to);
  const dropKeys = (table: Table, columns: readonly Column[]): Step[] =>
    columns.flatMap(({ reference: key }) =>
      key ? [{ kind: 'dropForeignKey', table: table.name, name: key.name }] : [],
    );
  // What is dropped last must not keep names that are needed before: a part that was renamed by hand still has them.
  const needed = new Set(partNames(to));
  const isNeeded = (name: string | undefined): boolean => name !== undefined && needed.has(name);
  const dropNeeded = (table: Table, columns: readonly Column[]): Step[] =>
    columns.flatMap(({ index }) =>
      index !== undefined && needed.has(index) ? [{ kind: 'dropIndex', table: table.name, name: index }] : [],
    );
  const keysThatGo = [
    ...parts.go,
    ...gone.flatMap((table) => [
      ...dropKeys(
        table,
        table.columns.filter(
          ({ reference: key, index }) =>
            key &&
            // Foreign keys between dropped tables.
            ((key.table !== table.id && goneIds.has(key.table)) || isNeeded(key.name) || isNeeded(index)),
        ),
      ),
      ...dropNeeded(table, table.columns),
    ]),
    ...tables.flatMap(({ was, gone: columns, kept: both }) => [
      ...dropKeys(was, columns),
      ...dropNeeded(was, columns),
      ...both.flatMap(([old, now]): Step[] => [
        ...(sameKey(old, now) ? [] : dropKeys(was, [old])),
        ...(old.index !== undefined && old.index !== now.index
          ? [{ kind: 'dropIndex' as const, table: was.name, name: old.index }]
          : []),
      ]),
    ]),
  ];
  const renames = [
    ...inOrder(renamed(kept)).map(([table, name]): Step => ({ kind: 'renameTable', table, to: name })),
    ...tables.flatMap(({ is: { name: table }, kept: both }) =>
      inOrder(renamed(both)).map(([column, name]): Step => ({
        kind: 'renameColumn',
        table,
        column,
        to: name,
      })),
    ),
  ];
  const comes = [
    ...parts.needs,
    ...parents(added).map((table): Step => ({
      kind: 'createTable',
      table: table.name,
      key: table.key,
      columns: table.columns.map(shapeIn(table)),
      ...(table.native && { native: createdWith(table, table.native) }),
    })),
    ...tables.flatMap(({ is, added: columns, kept: both }) => {
      const [table, shapeOf] = [is.name, shapeIn(is)];
      return [
        ...columns.map((column): Step => ({ kind: 'addColumn', table, column: shapeOf(column) })),
        ...both
          .filter(([old, now]) => !isSameShape(old, now))
          .map(([old, now]): Step => ({
            kind: 'changeColumn',
            table,
            from: { ...shapeOf(old), name: now.name },
            to: shapeOf(now),
          })),
      ];
    }),
  ];
  const withKeys = [
    ...added.map((is) => ({ is, columns: is.columns.map((now) => [undefined, now] as const) })),
    ...tables.map(({ is, added: columns, kept: both }) => ({
      is,
      columns: [...columns.map((now) => [undefined, now] as const), ...both],
    })),
  ].flatMap(({ is, columns }) => columns.map(([old, now]) => ({ table: is.name, old, now })));
  const indexesThatCome = withKeys.flatMap(({ table, old, now: { name: column, index } }): Step[] =>
    index !== undefined && index !== old?.index ? [{ kind: 'addIndex', table, column, name: index }] : [],
  );
  const keysThatCome = withKeys.flatMap(({ table, old, now }): Step[] => {
    const { name: column, reference: key } = now;
    if (!key || (old && sameKey(old, now))) return [];
    const target = to.tables.find(({ id }) => id === key.table);
    const targetColumn = target?.columns.find(({ id }) => id === key.column)?.name ?? key.column;
    return [
      {
        kind: 'addForeignKey',
        table,
        column,
        name: key.name,
        target: nameOf.get(key.table) ?? '',
        ...(targetColumn !== undefined && { targetColumn }),
      },
    ];
  });
  const dropTable = ({ name }: Table): Step => ({ kind: 'dropTable', table: name });
  const dropColumns = ({ name: table }: Table, columns: readonly Column[]): Step[] =>
    columns.map(({ name: column }) => ({ kind: 'dropColumn', table, column }));
  return [
    ...keysThatGo,
    ...tablesFirst.map(dropTable),
    ...tables.flatMap(({ was, first }) => dropColumns(was, first)),
    ...renames,
    ...comes,
    ...parts.come,
    ...indexesThatCome,
    ...keysThatCome,
    ...parts.keysCome,
    ...tables.flatMap(({ is, last }) => dropColumns(is, last)),
    ...tablesLast.map(dropTable),
  ];
}

const shapeIn = (table: Table): ((column: Column) => ColumnShape) => {
  const named = namesIn(table);
  return ({ name, type, required, native }) => ({
    name,
    type,
    required,
    ...(native && {
      native: { ...native, ...(native.rest !== undefined && { rest: withOtherPlaces(native.rest, named) }) },
    }),
  });
};

/** By name, how a text of a step names a column of the table. */
const namesIn = ({ columns }: Table): ((id: string) => string) => {
  const names = new Map(columns.map(({ id, name }) => [id, name]));
  return (id) => names.get(id) ?? id;
};

type Shape = Pick<ColumnShape, 'type' | 'required' | 'native'>;

export const isSameShape = (one: Shape, other: Shape): boolean =>
  one.type === other.type &&
  one.required === other.required &&
  one.native?.type === other.native?.type &&
  (one.native?.rest ?? '') === (other.native?.rest ?? '');

/** MySQL refuses to drop an index that a key needs, so a key is dropped along with its index. */
const sameKey = (a: Column, b: Column): boolean =>
  a.reference?.name === b.reference?.name && a.reference?.table === b.reference?.table && a.index === b.index;

/** Splits the dropped parts into those whose name is needed again, and the others. */
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

/** Orders renames so that none takes a name still in use. A cycle is broken with a temporary name. */
function inOrder(renames: readonly Rename[]): Rename[] {
  const ordered: Rename[] = [];
  const waiting = new Set(renames);
  const byOld = grouped(renames, ([name]) => folded(name));
  const byNew = grouped(renames, ([, name]) => folded(name));
  const isFree = ([from, to]: Rename): boolean =>
    folded(from) === folded(to) || !byOld.get(folded(to))?.some((other) => waiting.has(other));
  /** Carries out a rename, then those that waited for its old name, and so on. */
  const carryOut = (first: Rename): void => {
    const next = [first];
    for (let rename = next.pop(); rename; rename = next.pop()) {
      if (!waiting.delete(rename)) continue;
      ordered.push(rename);
      next.push(...(byNew.get(folded(rename[0])) ?? []).filter((one) => waiting.has(one) && isFree(one)));
    }
  };
  for (const rename of renames) if (waiting.has(rename) && isFree(rename)) carryOut(rename);
  // The others go in circles, or wait for a circle.
  for (const rename of renames) {
    if (!waiting.delete(rename)) continue;
    const [from, to] = rename;
    const aside = `quarterdeck_aside_${ordered.length}`;
    ordered.push([from, aside]);
    for (const one of byNew.get(folded(from)) ?? []) if (waiting.has(one) && isFree(one)) carryOut(one);
    ordered.push([aside, to]);
  }
  return ordered;
}
