/** Derives a model from an existing database, and lists the parts that it leaves alone. */
import { firsts } from './grouped';
import { folded, identifierProblem, importedProblem } from './identifiers';
import {
  columnOf,
  tableOf,
  type Attribute,
  type AttributeType,
  type Entity,
  type Model,
  type NativePart,
  type NativeTable,
} from './model';
import { withPlaces } from './native';
import { quoted } from './quoted';
import { isStored } from './sql';
import type { Column, ColumnType, ExactTable, Named, Structure, Table } from './structure';

export interface Imported {
  readonly model: Model;
  /** One sentence each, with the table or column. */
  readonly notRepresentable: readonly string[];
}

/**
 * @param isPlain whether the model has an entity for the table that was not imported, and so is described without the
 *   words of an engine
 */
export function modelFrom(
  structure: Structure,
  newId: () => string,
  isPlain: (table: string) => boolean = () => false,
): Imported {
  const lost = leftAlone(structure);
  const isExact = ({ name, exact }: Table): boolean => exact !== undefined && !isPlain(name);
  const imported = new Set(structure.tables.filter(isExact).map(({ name }) => name));
  const possible = structure.tables.filter((table) => {
    // A part of its parent.
    if (table.partitionOf !== undefined && imported.has(table.partitionOf)) return false;
    const reason = isExact(table) ? importedProblem(table.name, 'table') : reasonAgainst(table);
    if (reason !== undefined) lost.push(`Table ${table.name} is left out: ${reason}.`);
    return reason === undefined;
  });
  const usable = withoutTwins(possible, ({ name }) => `Table ${name}`, lost);
  const ids = new Map(usable.map(({ id }) => [id, newId()]));
  const outside = new Set(
    structure.tables.flatMap(({ id, name, partitionOf }) =>
      ids.has(id) || partitionOf !== undefined ? [] : [name],
    ),
  );
  const keys = new Map(usable.map((table) => [table.id, isExact(table) ? keyIn(table.exact) : ['id']]));
  const nameOfEntity = distinct();
  const entities = usable.map((table): Entity => {
    const nameOfAttribute = distinct();
    const name = nameOfEntity(nameFrom(table.name));
    const entity = { id: ids.get(table.id) as string, name };
    const exact = isExact(table) ? table.exact : undefined;
    const asColumn = (attribute: Attribute, column: Column): Attribute =>
      called(attribute, nameOfAttribute(attribute.name), column.name);
    const whole = exact
      ? {
          ...entity,
          isUuid: false,
          native: nativeTableOf(table, withoutKeysTo(outside, table, exact, lost)),
          attributes: columnsWithoutTwins(table, exact.columns, keyIn(exact), lost).map((column) =>
            asColumn(exactAttribute(column, exact, { ids, keys, newId }), column),
          ),
        }
      : {
          ...entity,
          isUuid: table.key === 'Uuid',
          attributes: attributesOf(table, ids, newId, lost, asColumn),
        };
    return tableOf(whole) === table.name ? whole : { ...whole, table: table.name };
  });
  return { model: { entities, optionSets: [] }, notRepresentable: lost };
}

/** What a database has that no import takes, and that no plan touches, in sentences. */
export const leftAlone = (structure: Structure): string[] => [
  ...(structure.views ?? []).map((view) => `The view ${view} is left alone.`),
  ...structure.tables.flatMap(({ name, exact }) =>
    (exact?.extras ?? []).map((extra) => `${name}: ${extra} is left alone.`),
  ),
  ...(structure.others ?? []).map((other) => `The ${other} is left alone.`),
];

/**
 * Without those whose names differ only by case from that of an earlier one: a model is for all engines, and there are
 * servers that take the two for the same.
 */
function withoutTwins<T extends Named>(all: readonly T[], words: (one: T) => string, lost: string[]): T[] {
  const first = firsts(all, ({ name }) => folded(name));
  return all.filter((one) => {
    const taken = first.get(folded(one.name));
    if (taken === undefined || taken === one) return true;
    lost.push(
      `${words(one)} is left out: its name differs only by case from ${taken.name}, and some servers take both for one.`,
    );
    return false;
  });
}

/** A column of the primary key is taken before others: without it, the table would have no key. */
function columnsWithoutTwins(
  { name: table }: Table,
  columns: readonly Column[],
  key: readonly string[],
  lost: string[],
): Column[] {
  const isInKey = ({ name }: Column): number => Number(key.includes(name));
  const keyFirst = columns.toSorted((one, other) => isInKey(other) - isInKey(one));
  const taken = new Set(withoutTwins(keyFirst, ({ name }) => `${table}.${name}`, lost));
  return columns.filter((one) => taken.has(one));
}

/** No other database would have the tables that such a foreign key points to. */
function withoutKeysTo(
  outside: ReadonlySet<string>,
  { name: table }: Table,
  { native, ...exact }: ExactTable,
  lost: string[],
): ExactTable {
  const isLost = ({ kind, target = '' }: NativePart): boolean => kind === 'foreignKey' && outside.has(target);
  for (const { name, target } of native.parts.filter(isLost))
    lost.push(`${table}: the foreign key ${name} is left out with the table ${target} that it points to.`);
  return { ...exact, native: { ...native, parts: native.parts.filter((part) => !isLost(part)) } };
}

const keyIn = (exact: ExactTable | undefined): readonly string[] =>
  exact?.native.parts.find(({ kind }) => kind === 'key')?.columns ?? [];

/** With the names of columns in the quotes of the engine, instead of their marks. */
function nativeTableOf(table: Table, exact: ExactTable): NativeTable {
  const { dialect, options, needs, parts } = exact.native;
  const text = (marked: string): string => withPlaces(marked, (name) => quoted(name, dialect));
  return {
    dialect,
    as: table.name,
    columns: exact.columns.map(({ name }) => name),
    key: keyIn(exact),
    ...(options !== undefined && options !== '' && { options: text(options) }),
    ...(needs.length > 0 && { needs }),
    parts: parts.map((part): NativePart => ({
      ...part,
      name: part.kind === 'comment' ? text(part.name) : part.name,
      text: text(part.text),
    })),
  };
}

interface Context {
  readonly ids: ReadonlyMap<string, string>;
  readonly keys: ReadonlyMap<string, readonly string[]>;
  readonly newId: () => string;
}

function exactAttribute(column: Column, { native: table }: ExactTable, context: Context): Attribute {
  const { ids, keys, newId } = context;
  const { native } = column;
  const reference = table.parts.find(
    ({ kind, columns, target = '', targetColumns }) =>
      kind === 'foreignKey' &&
      columns?.length === 1 &&
      columns[0] === column.name &&
      ids.has(target) &&
      keys.get(target)?.length === 1 &&
      keys.get(target)?.[0] === targetColumns?.[0],
  );
  const type = reference ? 'ForeignKey' : nearest(column.type);
  const { rest } = native ?? {};
  return {
    id: newId(),
    name: nameFrom(reference ? column.name.replace(/_id$/i, '') : column.name),
    type,
    optional: !column.required,
    ...(reference && { foreignEntity: ids.get(reference.target ?? '') }),
    ...(native && {
      native: {
        dialect: native.dialect,
        as: column.name,
        of: type,
        type: native.type,
        ...(rest !== undefined && { rest: withPlaces(rest, (name) => quoted(name, native.dialect)) }),
      },
    }),
  };
}

function attributesOf(
  table: Table,
  ids: ReadonlyMap<string, string>,
  newId: () => string,
  lost: string[],
  asColumn: (attribute: Attribute, column: Column) => Attribute,
): Attribute[] {
  lost.push(...table.extras.map((extra) => `${table.name}: ${extra} is not taken over.`));
  return columnsWithoutTwins(table, table.columns, [], lost).flatMap((column) => {
    const problem = identifierProblem(column.name, 'column');
    if (problem === undefined) return [asColumn(attributeFrom(table, column, ids, newId, lost), column)];
    lost.push(`${table.name}.${column.name} is left out: ${problem}.`);
    return [];
  });
}

function reasonAgainst(table: Table): string | undefined {
  if (table.key !== 'Long' && table.key !== 'Uuid')
    return `it has ${table.key}, but an entity has a key id with numbers or UUIDs of its own`;
  return identifierProblem(table.name, 'table');
}

function attributeFrom(
  table: Table,
  column: Column,
  ids: ReadonlyMap<string, string>,
  newId: () => string,
  lost: string[],
): Attribute {
  const where = `${table.name}.${column.name}`;
  lost.push(...(column.extras ?? []).map((extra) => `${where}: ${extra} is not taken over.`));
  const target = column.reference && ids.get(column.reference.table);
  if (column.reference && target === undefined)
    lost.push(`${where}: the foreign key to ${column.reference.table} is not taken over.`);
  if (!column.reference && column.index !== undefined)
    lost.push(`${where}: the index ${column.index} is not taken over.`);
  const type = target === undefined ? nearest(column.type) : 'ForeignKey';
  if (target === undefined && type !== column.type) lost.push(`${where}: ${column.type} becomes ${type}.`);
  const name = nameFrom(type === 'ForeignKey' ? column.name.replace(/_id$/i, '') : column.name);
  return {
    id: newId(),
    name,
    type,
    optional: !column.required,
    ...(target === undefined ? {} : { foreignEntity: target }),
  };
}

const called = (attribute: Attribute, name: string, column: string): Attribute => {
  const named = { ...attribute, name };
  return columnOf(named) === column ? named : { ...named, column };
};

/** Makes names unique, ignoring case. Columns `customer` and `customer_id` would both become `Customer`. */
const distinct = (): ((name: string) => string) => {
  // By name in lower case, the number to try next. Trying all of them each time would grow with the square.
  const next = new Map<string, number>();
  return (name) => {
    let [free, number] = [name, next.get(name.toLowerCase()) ?? 1];
    if (number > 1)
      for (free = `${name} ${number}`; next.has(free.toLowerCase()); free = `${name} ${number}`) number += 1;
    next.set(name.toLowerCase(), number + 1).set(free.toLowerCase(), next.get(free.toLowerCase()) ?? 2);
    return free;
  };
};

/** `order_line` and `orderLine` become `Order line`. */
const nameFrom = (identifier: string): string => {
  const words = identifier
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll(/_+/g, ' ')
    .trim()
    .toLowerCase();
  return words === '' ? identifier : words.slice(0, 1).toUpperCase() + words.slice(1);
};

const NEAREST: readonly (readonly [RegExp, AttributeType])[] = [
  [/^(tiny|small|medium)int|^int|^smallserial|^serial/i, 'Int'],
  [/^bigint|^bigserial/i, 'Long'],
  [/^bool|^bit\(1\)/i, 'Boolean'],
  [/^(decimal|numeric|money)/i, 'BigDecimal'],
  [/^(double|float|real)/i, 'Double'],
  [/^(datetime|timestamp)/i, 'LocalDateTime'],
  [/^date/i, 'LocalDate'],
  [/^time/i, 'LocalTime'],
  [/^json|\[\]$/i, 'JSON'],
];

function nearest(type: ColumnType): AttributeType {
  if (isStored(type)) return type === 'Uuid' ? 'String' : type;
  return NEAREST.find(([pattern]) => pattern.test(type))?.[1] ?? 'String';
}
