/** Drift: how a real database differs from the expected structure. Parts are compared by name. */
import { pairs } from './plan';
import { recognised } from './recognition';
import { asNamedIn, withIds, type Column, type Structure, type Table } from './structure';

export interface Drift {
  readonly kind:
    | ('tableMissing' | 'tableExtra' | 'keyDiffers' | 'extra')
    | ('columnMissing' | 'columnExtra' | 'columnRetyped' | 'requirementDiffers')
    | ('foreignKeyMissing' | 'foreignKeyExtra' | 'foreignKeyDiffers')
    | ('indexMissing' | 'indexExtra' | 'indexDiffers');
  readonly table: string;
  readonly column?: string;
  readonly words: string;
}

type DriftEntry = readonly [kind: Drift['kind'], words: string, column?: string];

export function driftOf(expected: Structure, actual: Structure): Drift[] {
  const { gone, added, kept } = pairs(named(asNamedIn(actual, expected)).tables, named(actual).tables);
  const drift = (table: string, [kind, words, column]: DriftEntry): Drift => ({
    kind,
    table,
    words,
    ...(column !== undefined && { column }),
  });
  return [
    ...gone.map(({ name }) => drift(name, ['tableMissing', `The table ${name} is missing.`])),
    ...added.map(({ name }) => drift(name, ['tableExtra', `The table ${name} is not part of the version.`])),
    ...kept.flatMap(([should, is]) =>
      [...driftsOfTable(should, is)].map((found) => drift(should.name, found)),
    ),
    ...newIn(expected.views, actual.views).map((view) =>
      drift(view, ['extra', `The view ${view} is not part of the version.`]),
    ),
  ];
}

const newIn = (should: readonly string[] = [], is: readonly string[] = []): string[] => {
  if (is.length === 0) return [];
  const expected = new Set(should);
  return is.filter((one) => !expected.has(one));
};

function* driftsOfTable(should: Table, is: Table): Generator<DriftEntry> {
  const table = should.name;
  const { gone, added, kept } = pairs(should.columns, is.columns);
  if (should.key !== is.key)
    yield ['keyDiffers', `${table}: the key should be ${should.key}, but is ${is.key}.`];
  for (const { name } of gone) yield ['columnMissing', `${table}: the column ${name} is missing.`, name];
  for (const { name, type } of added)
    yield ['columnExtra', `${table}: the column ${name} (${type}) is not part of the version.`, name];
  for (const [one, other] of kept)
    for (const [kind, words] of driftsOfColumn(`${table}.${one.name}`, one, other))
      yield [kind, words, one.name];
  for (const extra of newIn(should.extras, is.extras))
    yield ['extra', `${table}: ${extra} is not part of the version.`];
}

function* driftsOfColumn(name: string, should: Column, is: Column): Generator<DriftEntry> {
  const [key, other] = [should.reference, is.reference];
  for (const extra of newIn(should.extras, is.extras))
    yield ['extra', `${name}: ${extra} is not part of the version.`];
  if (should.type !== is.type)
    yield ['columnRetyped', `${name} should be ${should.type}, but is ${is.type}.`];
  if (should.required !== is.required)
    yield [
      'requirementDiffers',
      `${name} should ${should.required ? 'be required, but accepts null' : 'accept null, but is required'}.`,
    ];
  if (key && !other) yield ['foreignKeyMissing', `${name} should point to ${key.table}, but has no key.`];
  if (!key && other)
    yield [
      'foreignKeyExtra',
      `${name} has the foreign key ${other.name} to ${other.table}, which is not part of the version.`,
    ];
  if (key && other && (key.table !== other.table || key.name !== other.name))
    yield [
      'foreignKeyDiffers',
      `${name} should have the key ${key.name} to ${key.table}, but has ${other.name} to ${other.table}.`,
    ];
  if (should.index === is.index) return;
  if (is.index === undefined) yield ['indexMissing', `${name}: the index ${should.index} is missing.`];
  else if (should.index === undefined)
    yield ['indexExtra', `${name}: the index ${is.index} is not part of the version.`];
  else
    yield ['indexDiffers', `${name}: the index should be called ${should.index}, but is called ${is.index}.`];
}

/** Replaces ids by names, because two databases have only the names in common. */
export const named = (structure: Structure): Structure =>
  withIds(
    structure,
    ({ name }) => name,
    ({ name }) => name,
  );

/** The drift that would make statements fail. Parts that a model cannot express are left to the dry run. */
export const hindering = (drifts: readonly Drift[]): Drift[] => drifts.filter(({ kind }) => kind !== 'extra');

/** The drift that would make statements fail, in words; empty if there is none. */
export const hindrance = (expected: Structure, actual: Structure): string =>
  hindering(driftOf(expected, actual))
    .map(({ words }) => words)
    .join(' ');

/**
 * The structures from which `plan` computes the repair of a real database. Some differences remain: the key of a table,
 * for which it would have to be dropped, indexes made by hand, and parts that a model cannot express.
 *
 * @param known earlier structures of the database, to recognise pending renames; earlier entries take precedence
 */
export const repairOf = (
  expected: Structure,
  actual: Structure,
  known: readonly Structure[] = [],
): { from: Structure; to: Structure } => {
  const is = recognised(actual, [...known, expected]);
  const found = new Map(is.tables.map((table) => [table.id, table]));
  const tables = asNamedIn(actual, expected).tables.map((table) => {
    const real = found.get(table.id);
    return real ? withRest(table, real) : table;
  });
  return { from: is, to: { ...is, tables } };
};

const withRest = (table: Table, real: Table): Table => {
  const byId = new Map(real.columns.map((column) => [column.id, column]));
  const columns = table.columns.map((column) => {
    const { extras, index, keeps } = byId.get(column.id) ?? {};
    return {
      ...column,
      ...(extras && { extras }),
      ...(keeps && { keeps }),
      ...(column.index === undefined && index !== undefined && { index }),
    };
  });
  // A column that no version had may belong to the other key, so it is not dropped. Its id is its name.
  const ids = new Set(table.columns.map(({ id }) => id));
  const rest =
    real.key === table.key ? [] : real.columns.filter(({ id, name }) => !ids.has(id) && id === name);
  return { ...table, key: real.key, extras: real.extras, columns: [...columns, ...rest] };
};

const byName = (a: { name: string }, b: { name: string }): number => (a.name < b.name ? -1 : 1);

/** A structure as text, sorted by name, for a comparison line by line. */
export const structureText = (structure: Structure): string =>
  named(structure)
    .tables.toSorted(byName)
    .map(({ name, key, columns, extras }) =>
      [
        `${name} (key: ${key})`,
        ...columns.toSorted(byName).map((column) => `  ${columnText(column)}`),
        ...extras.map((extra) => `  ${extra}`),
        '',
      ].join('\n'),
    )
    .concat((structure.views ?? []).map((view) => `${view} (view)\n`))
    .join('\n');

const columnText = ({ name, type, required, reference, index, extras = [] }: Column): string =>
  [
    `${name} ${type}`,
    ...(required ? ['required'] : []),
    ...(reference ? [`-> ${reference.table} (${reference.name})`] : []),
    ...(index === undefined ? [] : [`index ${index}`]),
    ...extras,
  ].join(' ');
