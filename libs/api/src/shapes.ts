/** Types of answers and requests, known before the first call, as JSON Schema. */
import { shownOf, type ApiAttribute, type ApiEntity, type ApiModel, type ApiType } from './api-model';
import type { Block, CrudBlock } from './blocks';
import type { BodyField, BodyShape, Endpoint } from './endpoint';
import type { Filter, Reference } from './filters';
import { LIMITS } from './limits';
import { readCondition } from './filter-problems';
import { targetOf } from './targets';
import { isFrom, type Value } from './values';

export interface Schema {
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly (number | string | null)[];
  readonly items?: Schema;
  readonly maxItems?: number;
  readonly maxLength?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly description?: string;
  readonly anyOf?: readonly Schema[];
}

/** Numbers that JavaScript would cut are texts. */
const TYPES: Record<ApiType, Schema> = {
  String: { type: 'string' },
  Int: { type: 'integer' },
  Long: { type: 'string', description: 'a whole number of at most 64 bits' },
  Boolean: { type: 'boolean' },
  LocalDate: { type: 'string', format: 'date' },
  LocalDateTime: { type: 'string', description: 'a date and a time without a zone: 2026-11-28T13:30:00' },
  LocalTime: { type: 'string', description: 'a time: 13:30:00' },
  BigDecimal: { type: 'string', description: 'a decimal number' },
  Double: { type: 'number' },
  JSON: {},
  Uuid: { type: 'string', format: 'uuid' },
};

const orNull = (schema: Schema): Schema =>
  schema.enum
    ? { ...schema, enum: [...schema.enum, null] }
    : typeof schema.type === 'string'
      ? { ...schema, type: [schema.type, 'null'] }
      : schema;

const ofAttribute = ({ type, optional, options, length }: ApiAttribute): Schema => {
  const schema: Schema = options
    ? { enum: options }
    : { ...TYPES[type], ...(length !== undefined && { maxLength: length }) };
  return optional ? orNull(schema) : schema;
};

const objectOf = (
  properties: Readonly<Record<string, Schema>>,
  required = Object.keys(properties),
): Schema => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});

function rowOf(
  model: ApiModel,
  entity: ApiEntity,
  shown: Pick<Reference, 'projection' | 'references'>,
): Schema {
  const { projection, references = {} } = shown;
  const properties: Record<string, Schema> = {};
  for (const attribute of shownOf(entity))
    if (!projection || projection.includes(attribute.name))
      properties[attribute.name] = ofAttribute(attribute);
  for (const [name, reference] of Object.entries(references)) {
    const { target, isMany } = targetOf(model, entity, name, reference);
    const row = rowOf(model, target, reference);
    // A filter, or a tenant, may hide the row.
    properties[name] = isMany
      ? { type: 'array', items: row, maxItems: reference.take ?? LIMITS.relatedByDefault }
      : orNull(row);
  }
  return objectOf(properties);
}

const CHANGED = objectOf({ changed: { type: 'integer', description: 'how many rows' } });

const ofBlock = (block: Block, model: ApiModel): Schema => {
  const entity = block.type === 'snippet' ? undefined : model.entities.get(block.entity);
  if (block.type === 'snippet' || !entity) return {};
  switch (block.type) {
    case 'list':
      return {
        type: 'array',
        items: rowOf(model, entity, block),
        maxItems:
          typeof block.take === 'number' ? block.take : block.take ? LIMITS.take : LIMITS.takeByDefault,
      };
    case 'detail':
      return rowOf(model, entity, block);
    case 'insert':
      return rowOf(model, entity, {});
    default:
      return CHANGED;
  }
};

/** What an endpoint without problems answers: the result of its last block. Of a snippet, nothing is known. */
export const answerShape = ({ blocks }: Endpoint, model: ApiModel): Schema => {
  const last = blocks.at(-1);
  return last ? ofBlock(last, model) : { type: 'null' };
};

const ofField = ({ type, list, max, shape, optional }: BodyField): Schema => {
  const one: Schema =
    type === 'Object'
      ? ofBody(shape ?? {})
      : { ...TYPES[type], ...(type === 'String' && !list && max !== undefined && { maxLength: max }) };
  const schema: Schema = list ? { type: 'array', items: one, maxItems: max ?? LIMITS.list } : one;
  return optional ? orNull(schema) : schema;
};

const ofBody = (shape: BodyShape): Schema =>
  objectOf(
    Object.fromEntries(Object.entries(shape).map(([name, field]) => [name, ofField(field)])),
    Object.entries(shape).flatMap(([name, { optional }]) => (optional ? [] : [name])),
  );

/** What an endpoint's body has to be. Without a `bodyShape`, any JSON. */
export const bodySchema = ({ bodyShape, method }: Endpoint): Schema | undefined =>
  method === 'GET' ? undefined : bodyShape ? ofBody(bodyShape) : {};

/** A parameter of the path or of the query, with the type of what it is compared with or written to. */
export interface ParameterShape {
  readonly name: string;
  readonly isRequired: boolean;
  readonly schema: Schema;
}

/** By source and name, in the order in which the blocks use them. */
export function parametersIn(
  { blocks, routeChainMap }: Endpoint,
  model: ApiModel,
): Map<string, ParameterShape> {
  const found = new Map<string, ParameterShape>();
  const note = (value: unknown, schema: Schema, mayLack = false): void => {
    if (!isFrom(value)) return;
    const [source, name] = value.$.split('.');
    if ((source !== 'query' && source !== 'params') || name === undefined) return;
    const key = `${source}.${name}`;
    const before = found.get(key);
    const isRequired =
      source === 'params' || !(mayLack || value.optional === true || value.default !== undefined);
    found.set(key, {
      name,
      isRequired: isRequired || before?.isRequired === true,
      schema: before?.schema ?? schema,
    });
  };
  for (const value of Object.values(routeChainMap ?? {})) note(value, { type: 'string' }, true);
  const ofFilter = (entity: ApiEntity, filter: Filter): void => {
    for (const [key, given] of Object.entries(filter)) {
      if (key === 'and' || key === 'or') (given as Filter[]).forEach((one) => ofFilter(entity, one));
      else if (key === 'not') ofFilter(entity, given as Filter);
      else if (key === 'some' || key === 'none' || key === 'every')
        for (const [relation, one] of Object.entries(given as Record<string, Filter>)) {
          const child = model.entities.get(relation.split('.')[0] ?? '');
          if (child) ofFilter(child, one);
        }
      else ofCondition(entity, key, given);
    }
  };
  const ofCondition = (entity: ApiEntity, key: string, given: unknown): void => {
    const attribute = entity.attributes.get(key);
    if (!attribute) return;
    const schema = ofAttribute({ ...attribute, optional: false, length: undefined });
    const read = readCondition(attribute, given);
    if ('value' in read) note(read.value, schema);
    else if ('filter' in read) {
      const target = model.entities.get(attribute.to ?? '');
      if (target) ofFilter(target, read.filter);
    } else
      for (const [operator, value] of Object.entries(read.operators))
        if (Array.isArray(value)) value.forEach((one) => note(one, schema));
        else
          note(
            value,
            operator === 'in' || operator === 'notIn'
              ? { type: 'string', description: 'values between commas' }
              : schema,
          );
  };
  const ofReferences = (entity: ApiEntity, references: Readonly<Record<string, Reference>> = {}): void => {
    for (const [name, reference] of Object.entries(references)) {
      const { target } = targetOf(model, entity, name, reference);
      ofFilter(target, reference.filters ?? {});
      ofReferences(target, reference.references);
    }
  };
  const ofCrud = (block: CrudBlock, entity: ApiEntity): void => {
    if ('filters' in block && block.filters) ofFilter(entity, block.filters);
    if ('references' in block) ofReferences(entity, block.references);
    if (block.type === 'list')
      for (const word of ['skip', 'take'] as const) note(block[word], { type: 'integer' });
    if ('data' in block)
      for (const [name, value] of Object.entries<Value>(block.data)) {
        const attribute = entity.attributes.get(name);
        if (attribute) note(value, ofAttribute(attribute));
      }
  };
  for (const block of blocks) {
    for (const value of Object.values(block.chainBlockMap ?? {})) note(value, { type: 'string' }, true);
    const entity = block.type === 'snippet' ? undefined : model.entities.get(block.entity);
    if (block.type !== 'snippet' && entity) ofCrud(block, entity);
  }
  return found;
}
