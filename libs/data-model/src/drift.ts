/** Drift: how a real database differs from the expected structure. Parts are compared by name. */
import { asKnown, inDialect, withCharsets } from './exact';
import { folded } from './identifiers';
import type { NativePart } from './model';
import { placeOf } from './native';
import { pairs } from './pairs';
import { identified, isSamePart, isSameText } from './plan-parts';
import { bodyOf, nameOfPart, optionsOf, partWords, typeOfColumn } from './part-words';
import { recognised } from './recognition';
import {
  asNamedIn,
  partNames,
  withIds,
  type Column,
  type Named,
  type NativeStructure,
  type Structure,
  type Table,
} from './structure';

export interface Drift {
  readonly kind:
    | ('tableMissing' | 'tableExtra' | 'keyDiffers' | 'extra')
    | ('columnMissing' | 'columnExtra' | 'columnRetyped' | 'requirementDiffers')
    | ('foreignKeyMissing' | 'foreignKeyExtra' | 'foreignKeyDiffers')
    | ('indexMissing' | 'indexExtra' | 'indexDiffers')
    | ('partMissing' | 'partDiffers' | 'needDiffers');
  readonly table: string;
  readonly column?: string;
  readonly words: string;
}

type DriftEntry = readonly [kind: Drift['kind'], words: string, column?: string];

export function driftOf(model: Structure, read: Structure): Drift[] {
  const [expected, actual] = comparable(model, read);
  const { gone, added, kept } = pairs(named(expected).tables, named(actual).tables);
  const twins = foldedNames(kept);
  const drift = (table: string, [kind, words, column]: DriftEntry): Drift => ({
    kind,
    table,
    words,
    ...(column !== undefined && { column }),
  });
  return [
    ...gone.map(({ name }) => drift(name, ['tableMissing', `The table ${name} is missing.`])),
    ...added.map(({ name }) =>
      drift(name, [
        twins.has(folded(name)) ? 'extra' : 'tableExtra',
        `The table ${name} is not part of the version.`,
      ]),
    ),
    ...kept.flatMap(([should, is]) =>
      [...driftsOfTable(should, is)].map((found) => drift(should.name, found)),
    ),
  ];
}

/** An import leaves out what differs only by case from what it takes: no version can have it. */
const foldedNames = (kept: readonly (readonly [Named, Named])[]): ReadonlySet<string> =>
  new Set(kept.map(([{ name }]) => folded(name)));

/**
 * In the words of the engine that the second one was read from, and with the names that its server has for tables. What
 * `leftAlone` names is in neither: no version has it, so it is no difference.
 */
export const comparable = (expected: Structure, actual: Structure): [Structure, Structure] => {
  const should = inTermsOf(actual, expected);
  return [should, asKnown(withoutLeftAlone(actual), [should])];
};

const withoutLeftAlone = ({ tables, ...actual }: Structure): Structure => ({
  ...actual,
  tables: tables.map(({ exact, ...table }) => ({
    ...table,
    extras: newIn(exact?.extras, table.extras),
    ...(exact && { exact: { ...exact, extras: [] } }),
  })),
});

const inTermsOf = (actual: Structure, structure: Structure): Structure =>
  asNamedIn(actual, actual.dialect ? withCharsets(inDialect(structure, actual.dialect), actual) : structure);

const newIn = (should: readonly string[] = [], is: readonly string[] = []): string[] => {
  if (is.length === 0) return [];
  const expected = new Set(should);
  return is.filter((one) => !expected.has(one));
};

function* driftsOfTable(should: Table, is: Table): Generator<DriftEntry> {
  const table = should.name;
  const { gone, added, kept } = pairs(should.columns, is.columns);
  const twins = foldedNames(kept);
  if (should.key !== is.key)
    yield ['keyDiffers', `${table}: the key should be ${should.key}, but is ${is.key}.`];
  for (const { name } of gone) yield ['columnMissing', `${table}: the column ${name} is missing.`, name];
  for (const one of added)
    yield [
      twins.has(folded(one.name)) ? 'extra' : 'columnExtra',
      `${table}: the column ${one.name} (${typeOfColumn(one)}) is not part of the version.`,
      one.name,
    ];
  for (const [one, other] of kept)
    for (const [kind, words] of driftsOfColumn(`${table}.${one.name}`, one, other))
      yield [kind, words, one.name];
  yield* driftsOfParts(should, is);
  for (const extra of newIn(should.extras, is.extras))
    yield ['extra', `${table}: ${extra} is not part of the version.`];
}

/** Unknown parts of imported tables stay: they hinder nothing that the dry run would not find. */
function* driftsOfParts(should: Table, is: Table): Generator<DriftEntry> {
  const { gone, added, kept } = pairs(identified(should.native?.parts), identified(is.native?.parts));
  const table = should.name;
  for (const { part } of gone) yield ['partMissing', `${table}: the ${nameOfPart(part)} is missing.`];
  for (const [{ part: one }, { part: other }] of kept)
    if (!isSamePart(one, other))
      yield [
        'partDiffers',
        `${table}: the ${nameOfPart(one)} should be ${bodyOf(one)}, but is ${bodyOf(other)}.`,
      ];
  for (const { part } of added)
    yield ['extra', `${table}: the ${partWords(part)} is not part of the version.`];
  for (const { kind, name, text } of should.native?.needs ?? []) {
    const real = is.native?.needs.find((one) => one.kind === kind && one.name === name);
    if (real && !isSameText(text, real.text))
      yield ['needDiffers', `${table}: the ${kind} ${name} should be ${text}, but is ${real.text}.`];
  }
  if (should.native && is.native && (should.native.options ?? '') !== (is.native.options ?? ''))
    yield ['extra', `${table} should be ${optionsOf(should.native)}, but is ${optionsOf(is.native)}.`];
}

function* driftsOfColumn(name: string, should: Column, is: Column): Generator<DriftEntry> {
  const [key, other] = [should.reference, is.reference];
  for (const extra of newIn(should.extras, is.extras))
    yield ['extra', `${name}: ${extra} is not part of the version.`];
  if (should.type !== is.type)
    yield ['columnRetyped', `${name} should be ${typeOfColumn(should)}, but is ${typeOfColumn(is)}.`];
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
    // One made by hand stays where it is, whatever happens to ours beside it. The names of ours begin so.
    yield [
      is.index.startsWith('ix_') ? 'indexExtra' : 'extra',
      `${name}: the index ${is.index} is not part of the version.`,
    ];
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
 * for which it would have to be dropped, types, domains and sequences that other tables may use, indexes made by hand, tables and columns that no version ever had, and parts that
 * a model cannot express.
 *
 * @param known earlier structures of the database, to recognise pending renames; earlier entries take precedence
 */
export const repairOf = (
  model: Structure,
  actual: Structure,
  known: readonly Structure[] = [],
): { from: Structure; to: Structure } => {
  const expected = inTermsOf(actual, model);
  const all = [...known.map((one) => inTermsOf(actual, one)), expected];
  // An attribute may have become exact, as the database already is.
  const is = recognised(asKnown(actual, [expected, ...all]), all);
  const found = new Map(is.tables.map((table) => [table.id, table]));
  const expectedIds = new Set(expected.tables.map(({ id }) => id));
  const ever = everIn(all);
  const unknown = is.tables.filter(({ id }) => !expectedIds.has(id) && !ever.has(id));
  const tables = expected.tables.map((table) => {
    const real = found.get(table.id);
    return real ? withRest(table, real, ever) : table;
  });
  return { from: is, to: { ...is, tables: withoutNeeded([...tables, ...unknown], expected, ever) } };
};

/**
 * What no version ever had stays, but gives up keys and indexes whose names the version needs, as a column has that
 * somebody renamed, and keys to tables that go.
 */
function withoutNeeded(tables: readonly Table[], expected: Structure, ever: ReadonlySet<string>): Table[] {
  const stay = new Set(tables.map(({ id }) => id));
  const needed = new Set(partNames(expected));
  const freed = ({ reference, index, ...column }: Column): Column => ({
    ...column,
    ...(reference && stay.has(reference.table) && !needed.has(reference.name) && { reference }),
    ...(index !== undefined && !needed.has(index) && { index }),
  });
  return tables.map((table) => ({
    ...table,
    columns: table.columns.map((column) => (ever.has(column.id) ? column : freed(column))),
  }));
}

/** The ids of all tables, columns and parts of these structures. */
const everIn = (structures: readonly Structure[]): ReadonlySet<string> =>
  new Set(
    structures.flatMap(({ tables }) =>
      tables.flatMap(({ id, columns, native }) => [
        id,
        ...columns.map((one) => one.id),
        ...identified(native?.parts).map((one) => partIn(id, one)),
      ]),
    ),
  );

const partIn = (table: string, part: Named): string => `${table} ${part.id}`;

const withRest = (table: Table, real: Table, ever: ReadonlySet<string>): Table => {
  const byId = new Map(real.columns.map((column) => [column.id, column]));
  const columns = table.columns.map((column) => {
    const { extras, index } = byId.get(column.id) ?? {};
    return {
      ...column,
      ...(extras && { extras }),
      ...(column.index === undefined && index !== undefined && { index }),
    };
  });
  const ids = new Set(table.columns.map(({ id }) => id));
  const rest = real.columns.filter(({ id }) => !ids.has(id) && !ever.has(id));
  const go = real.columns.map(({ id }) => id).filter((id) => !ids.has(id) && ever.has(id));
  return {
    ...table,
    key: real.key,
    extras: real.extras,
    columns: [...columns, ...rest],
    ...(real.native && { native: withUnknownParts(table, real.native, ever, go) }),
  };
};

/** @param go the columns that go, and with them what needs them */
const withUnknownParts = (
  { id, native }: Table,
  real: NativeStructure,
  ever: ReadonlySet<string>,
  go: readonly string[],
): NativeStructure => {
  const { added } = pairs(identified(native?.parts), identified(real.parts));
  const unknown = added.filter(
    (one) => !ever.has(partIn(id, one)) && !go.some((column) => hasColumn(one.part, column)),
  );
  return {
    ...real,
    ...native,
    needs: real.needs,
    parts: [...(native?.parts ?? []), ...unknown.map(({ part }) => part)],
  };
};

const hasColumn = ({ name, text, columns = [] }: NativePart, column: string): boolean =>
  columns.includes(column) || `${name} ${text}`.includes(placeOf(column));

const byName = (a: { name: string }, b: { name: string }): number => (a.name < b.name ? -1 : 1);

/** Both structures as texts for a comparison line by line: they differ where `driftOf` finds something. */
export const comparedTexts = (model: Structure, read: Structure): { expected: string; actual: string } => {
  const [expected, actual] = comparable(model, read);
  return { expected: structureText(expected), actual: structureText(actual) };
};

/** A structure as text, sorted by name. */
export const structureText = (structure: Structure): string =>
  named(structure)
    .tables.toSorted(byName)
    .map(({ name, key, columns, extras, native }) =>
      [
        `${name} (key: ${key})`,
        ...columns.toSorted(byName).map((column) => `  ${columnText(column)}`),
        ...extras.map((extra) => `  ${extra}`),
        ...(native?.parts ?? [])
          .map(partWords)
          .toSorted()
          .map((part) => `  ${part}`),
        ...(native?.options ? [`  ${optionsOf(native)}`] : []),
        '',
      ].join('\n'),
    )
    .join('\n');

const columnText = ({ name, required, reference, index, extras = [], ...column }: Column): string =>
  [
    `${name} ${typeOfColumn(column)}`,
    ...(required ? ['required'] : []),
    ...(reference ? [`-> ${reference.table} (${reference.name})`] : []),
    ...(index === undefined ? [] : [`index ${index}`]),
    ...extras,
  ].join(' ');
