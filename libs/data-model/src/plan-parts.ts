/** The steps for the parts of imported tables. */
import { grouped } from './grouped';
import type { NativePart } from './model';
import { placeOf, withOtherName, withOtherPlaces } from './native';
import type { Step } from './steps';
import { pairs } from './pairs';
import type { NativeStructure, Structure, Table } from './structure';

/** Keys of MySQL are created with their table: a column that counts needs one. Those of PostgreSQL go along. */
const isWithTable = ({ kind }: NativePart, text: string, counting: readonly string[]): boolean =>
  kind === 'key' || kind === 'period' || counting.some((column) => text.startsWith(`(${column}`));

const countingIn = ({ columns }: Table): string[] =>
  columns.filter(({ native }) => /auto_increment/i.test(native?.rest ?? '')).map(({ id }) => placeOf(id));

const withTable = (table: Table, { parts }: NativeStructure): NativePart[] => {
  const counting = countingIn(table);
  return parts.filter((part) => isWithTable(part, part.text, counting));
};

export const createdWith = (table: Table, native: NativeStructure): Omit<NativeStructure, 'needs'> => {
  const { needs: _needs, ...rest } = native;
  const places = placesIn(table);
  return {
    ...rest,
    ...(rest.options !== undefined && { options: withOtherPlaces(rest.options, places) }),
    parts: withTable(table, native).map((part) => inStep(part, table)),
  };
};

/** A table comes after the one that it inherits from. */
export function parents(added: readonly Table[]): Table[] {
  const byName = new Map(added.map((table) => [table.name, table]));
  const ordered = new Set<Table>();
  const add = (table: Table, waiting: ReadonlySet<Table>): void => {
    if (ordered.has(table) || waiting.has(table)) return;
    for (const { kind, name } of table.native?.parts ?? []) {
      const parent = kind === 'inherits' ? byName.get(name) : undefined;
      if (parent) add(parent, new Set([...waiting, table]));
    }
    ordered.add(table);
  };
  for (const table of added) add(table, new Set());
  return [...ordered];
}

const ORDER: readonly NativePart['kind'][] = [
  'partition',
  'inherits',
  'sequence',
  'key',
  'unique',
  'uniqueIndex',
];
const placeIn = ({ kind }: NativePart): number =>
  (ORDER.indexOf(kind) + ORDER.length + 1) % (ORDER.length + 1);

/** Parts have their names as ids: a key and its foreign key often have the same one. */
export const identified = (parts: readonly NativePart[] = []) =>
  parts.map((part) => ({ id: `${part.kind} ${part.name}`, name: part.name, part }));

/** Names instead of ids, as they are before or after the renames. */
const inStep = (part: NativePart, table: Table, all: Structure = { tables: [] }): NativePart => {
  const places = placesIn(table);
  const names = new Map(table.columns.map(({ id, name }) => [id, name]));
  const target = all.tables.find(({ id }) => id === part.target);
  const theirs = new Map(target?.columns.map(({ id, name }) => [id, name]));
  return {
    ...part,
    name: withOtherName(part, places),
    text: withOtherPlaces(part.text, places),
    ...(part.columns && { columns: part.columns.map((id) => names.get(id) ?? id) }),
    ...(part.target !== undefined && {
      target: target?.name ?? part.target,
      targetColumns: part.targetColumns?.map((id) => theirs.get(id) ?? id),
    }),
  };
};

const placesIn = ({ columns }: Table): ((id: string) => string) => {
  const names = new Map(columns.map(({ id, name }) => [id, name]));
  return (id) => names.get(id) ?? id;
};

interface Tables {
  readonly gone: readonly Table[];
  readonly added: readonly Table[];
  readonly kept: readonly (readonly [Table, Table])[];
}

export function partSteps({ gone, added, kept }: Tables, to: Structure) {
  const step = (kind: 'addPart' | 'dropPart', table: Table, part: NativePart): Step => ({
    kind,
    table: table.name,
    part: inStep(part, table, to),
    dialect: table.native?.dialect ?? 'mysql',
    as: table.native?.as ?? table.name,
  });
  const goneIds = new Set(gone.map(({ id }) => id));
  const between = gone.flatMap((table) =>
    (table.native?.parts ?? [])
      .filter(({ kind, target }) => kind === 'foreignKey' && target !== table.id && goneIds.has(target ?? ''))
      .map((part) => step('dropPart', table, part)),
  );
  const changes = kept.map(([was, is]) => {
    const its = pairs(identified(was.native?.parts), identified(is.native?.parts));
    const changed = its.kept.filter(([one, other]) => !isSamePart(one.part, other.part));
    return {
      was,
      is,
      gone: [...its.gone, ...changed.map(([one]) => one)].map(({ part }) => part),
      added: [...its.added, ...changed.map(([, other]) => other)].map(({ part }) => part),
    };
  });
  const comes = [
    ...changes.map((one) => ({ table: one.is, parts: one.added })),
    ...added.map((table) => {
      const native = table.native ?? { parts: [] as readonly NativePart[] };
      const along = table.native ? new Set(withTable(table, table.native)) : new Set();
      return { table, parts: native.parts.filter((part) => !along.has(part)) };
    }),
  ];
  const isForeign = ({ kind }: NativePart): boolean => kind === 'foreignKey';
  const first = (one: NativePart, other: NativePart): number =>
    Number(isForeign(other)) - Number(isForeign(one));
  const needs = grouped(
    added.flatMap(({ name: table, native }) =>
      (native?.needs ?? []).map((need) => ({ table, need, dialect: native?.dialect ?? 'postgresql' })),
    ),
    ({ need }) => `${need.kind} ${need.name}`,
  );
  return {
    go: [
      ...between,
      ...changes.flatMap(({ was, gone: parts }) =>
        parts.toSorted(first).map((part) => step('dropPart', was, part)),
      ),
    ],
    needs: [...needs.values()].flatMap(([need]): Step[] => (need ? [{ kind: 'createNeed', ...need }] : [])),
    come: comes.flatMap(({ table, parts }) =>
      parts
        .filter((part) => !isForeign(part))
        .toSorted((one, other) => placeIn(one) - placeIn(other))
        .map((part) => step('addPart', table, part)),
    ),
    keysCome: comes.flatMap(({ table, parts }) =>
      parts.filter(isForeign).map((part) => step('addPart', table, part)),
    ),
  };
}

export const isSamePart = (one: NativePart, other: NativePart): boolean =>
  isSameText(one.text, other.text) &&
  one.target === other.target &&
  one.columns?.join('\n') === other.columns?.join('\n') &&
  one.targetColumns?.join('\n') === other.targetColumns?.join('\n');

/**
 * PostgreSQL prints `status in ('a', 'b')` once with a cast of the list, and with casts of its elements after that text was
 * read again. Casts of texts to texts, and brackets around single values, mean nothing.
 */
export const isSameText = (one: string, other: string): boolean =>
  one === other || plainCasts(one) === plainCasts(other);

function plainCasts(text: string): string {
  let [before, now] = [
    '',
    text.replaceAll(/::(?:"text"|character varying|"varchar"|"bpchar")(?:\[\])?/g, ''),
  ];
  while (before !== now) {
    before = now;
    now = now.replaceAll(/\((⟦[^⟧]*⟧|'(?:[^']|'')*'|ARRAY\[[^[\]]*\])\)/g, '$1');
  }
  return now;
}
