/** Derives a model from an existing database, and lists the parts that a model cannot express. */
import { identifierProblem } from './identifiers';
import { columnOf, tableOf, type Attribute, type AttributeType, type Entity, type Model } from './model';
import { isStored } from './sql';
import type { Column, ColumnType, Structure, Table } from './structure';

export interface Imported {
  readonly model: Model;
  /** One sentence each, with the table or column. */
  readonly notRepresentable: readonly string[];
}

export function modelFrom(structure: Structure, newId: () => string): Imported {
  const lost = (structure.views ?? []).map((view) => `The view ${view} is left out.`);
  const usable = structure.tables.filter((table) => {
    const reason = reasonAgainst(table);
    if (reason !== undefined) lost.push(`Table ${table.name} is left out: ${reason}.`);
    return reason === undefined;
  });
  const ids = new Map(usable.map(({ id }) => [id, newId()]));
  const nameOfEntity = distinct();
  const entities = usable.map((table): Entity => {
    const nameOfAttribute = distinct();
    lost.push(...table.extras.map((extra) => `${table.name}: ${extra} is not taken over.`));
    const name = nameOfEntity(nameFrom(table.name));
    const attributes = table.columns.flatMap((column) => {
      const problem = identifierProblem(column.name, 'column');
      if (problem !== undefined) {
        lost.push(`${table.name}.${column.name} is left out: ${problem}.`);
        return [];
      }
      const attribute = attributeFrom(table, column, ids, newId, lost);
      return [called(attribute, nameOfAttribute(attribute.name), column.name)];
    });
    const entity = { id: ids.get(table.id) as string, name, isUuid: table.key === 'Uuid', attributes };
    return tableOf(entity) === table.name ? entity : { ...entity, table: table.name };
  });
  return { model: { entities, optionSets: [] }, notRepresentable: lost };
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
