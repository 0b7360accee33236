/** Generates code from a model: an ES module that describes it, and TypeScript types for its rows. */
import { firsts } from './grouped';
import { keyAttributeOf } from './structure-of';
import { columnOf, numberOfType, tableOf, type Attribute, type Entity, type Model } from './model';

/** A version, with the names that the downloads show. */
export interface TitledModel {
  readonly product: string;
  readonly version: number;
  readonly model: Model;
}

const heading = ({ product, version }: Omit<TitledModel, 'model'>): string =>
  `/** The data model of ${product.replaceAll('*/', '* /')}, version ${version}. Generated: changes belong into the model. */\n`;

const described = (model: Model) => {
  const entityOf = firsts(model.entities, ({ id }) => id);
  const optionSetOf = firsts(model.optionSets, ({ id }) => id);
  return {
    entities: model.entities.map((entity) => ({
      id: entity.id,
      name: entity.name,
      table: tableOf(entity),
      isUuid: entity.isUuid,
      attributes: entity.attributes.map((attribute) => ({
        id: attribute.id,
        name: attribute.name,
        column: columnOf(attribute),
        type: attribute.type,
        typeId: numberOfType(attribute.type),
        optional: attribute.optional,
        foreignEntity: entityOf.get(attribute.foreignEntity ?? '')?.name ?? null,
        optionSet: optionSetOf.get(attribute.optionSet ?? '')?.name ?? null,
      })),
    })),
    optionSets: model.optionSets.map(({ id, name, values }) => ({
      id,
      name,
      values: values.map(({ key, value }) => ({ key, value })),
    })),
  };
};

export const moduleOf = ({ model, ...titled }: TitledModel): string => {
  const { entities, optionSets } = described(model);
  return [
    heading(titled),
    `export const version = ${titled.version};\n`,
    `export const entities = ${JSON.stringify(entities, undefined, 2)};\n`,
    `export const optionSets = ${JSON.stringify(optionSets, undefined, 2)};\n`,
    'export default { version, entities, optionSets };\n',
  ].join('\n');
};

/**
 * Integers beyond 2^53, decimals, dates and times are strings, because a JavaScript number would lose digits. Drivers of
 * MySQL give a boolean as 0 or 1.
 */
const TYPES = {
  String: 'string',
  Int: 'number',
  Long: 'string',
  Boolean: 'boolean | 0 | 1',
  LocalDate: 'string',
  LocalDateTime: 'string',
  LocalTime: 'string',
  BigDecimal: 'string',
  Double: 'number',
  JSON: 'Json',
} as const;

export function typesOf({ model, ...titled }: TitledModel): string {
  const free = freeNames(['Json', 'Tables']);
  const entityOf = firsts(model.entities, ({ id }) => id);
  const nameOf = new Map<string, string>();
  for (const one of [...model.entities, ...model.optionSets]) nameOf.set(one.id, free(typeName(one.name)));
  const typeOf = ({ type, foreignEntity, optionSet }: Attribute): string => {
    if (type === 'ForeignKey') {
      const target = entityOf.get(foreignEntity ?? '');
      const key = target && keyAttributeOf(target);
      return `${nameOf.get(foreignEntity ?? '')}[${textOf(key ? columnOf(key) : 'id')}]`;
    }
    return (optionSet === undefined ? undefined : nameOf.get(optionSet)) ?? TYPES[type];
  };
  const field = (attribute: Attribute) =>
    `  /** ${comment(attribute.name)} */\n  ${nameIn(columnOf(attribute))}: ${typeOf(attribute)}${attribute.optional ? ' | null' : ''};\n`;
  const entityType = (entity: Entity) =>
    `/** ${comment(entity.name)}: a row of the table ${tableOf(entity)}. */\n` +
    `export interface ${nameOf.get(entity.id)} {\n${entity.native ? '' : '  id: string;\n'}${entity.attributes.map(field).join('')}}\n`;
  return [
    heading(titled),
    'export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };\n',
    ...model.optionSets.map(
      ({ id, name, values }) =>
        `/** ${comment(name)}: ${values.map(({ key, value }) => `${key} ${comment(value)}`).join(', ')} */\n` +
        `export type ${nameOf.get(id)} = ${values.length === 0 ? 'never' : values.map(({ key }) => key).join(' | ')};\n`,
    ),
    ...model.entities.map(entityType),
    `/** The rows of every table. */\nexport interface Tables {\n${model.entities
      .map((entity) => `  ${nameIn(tableOf(entity))}: ${nameOf.get(entity.id)};\n`)
      .join('')}}\n`,
  ].join('\n');
}

const textOf = (name: string): string => `'${name.replaceAll(/['\\]/g, String.raw`\$&`)}'`;

/** Imported names may be anything. */
const nameIn = (name: string): string => (/^[A-Za-z_]\w*$/.test(name) ? name : textOf(name));

const comment = (text: string): string => text.replaceAll('*/', '* /').replaceAll(/\s+/g, ' ');

/** `Order line` becomes `OrderLine`. */
function typeName(name: string): string {
  const words = name
    .normalize('NFD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join('');
  return /^[A-Za-z]/.test(words) ? words : `Model${words}`;
}

/** Appends a number to a name that is taken. */
function freeNames(reserved: readonly string[]): (name: string) => string {
  const taken = new Set(reserved);
  /** The last number of each name. Without it, the search for a free one would begin anew each time. */
  const last = new Map<string, number>();
  return (name) => {
    let [free, number] = [name, last.get(name) ?? 1];
    while (taken.has(free)) free = `${name}${(number += 1)}`;
    last.set(name, number);
    taken.add(free);
    return free;
  };
}
