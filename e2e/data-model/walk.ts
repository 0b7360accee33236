/** A random walk of an operator through a data model: edits that the console would accept, in any order. */
import {
  attributeTypes,
  problemsOf,
  type Attribute,
  type AttributeType,
  type Entity,
  type Model,
} from '@quarterdeck/data-model';
import * as fc from 'fast-check';

/** Random numbers that choose an edit and its objects. */
export interface Choice {
  readonly edit: number;
  readonly one: number;
  readonly other: number;
  readonly third: number;
}

export const EDITS = 30;

const number = fc.nat(10_000);
export const choices = fc.array(fc.record({ edit: number, one: number, other: number, third: number }), {
  minLength: EDITS,
  maxLength: EDITS,
});

/** Few names, so that they are often used again for something else. */
const entityNames = ['User', 'Order', 'Role', 'Group', 'Address', 'Line item', 'Invoice', 'Übersicht'];
const attributeNames = [
  'Name',
  'From',
  'Role',
  'Total',
  'Born',
  'Key',
  'Data',
  'camelCase',
  'Order',
  'Active',
];

const pick = <T>(from: readonly T[], choice: number): T => from[choice % from.length] as T;

/** The models along the walk: the first is empty, and each follows from the one before by one edit. */
export function walk(chosen: readonly Choice[]): Model[] {
  const models: Model[] = [{ entities: [], optionSets: [] }];
  let ids = 0;
  const newId = () => `0190a${(++ids).toString(16).padStart(3, '0')}-0000-7000-8000-000000000000`;
  for (const choice of chosen) {
    const model = models.at(-1) as Model;
    const edited = edits(model, models, choice, newId);
    models.push(problemsOf(edited).length === 0 ? edited : model);
  }
  return models;
}

function edits(model: Model, before: readonly Model[], choice: Choice, newId: () => string): Model {
  const { edit, one, other, third } = choice;
  const entity = model.entities.length > 0 ? pick(model.entities, one) : undefined;
  if (entity === undefined || edit % 10 === 0) return withEntity(model, newEntity(choice, newId));
  const attribute = entity.attributes.length > 0 ? pick(entity.attributes, other) : undefined;
  const change = (changed: Partial<Attribute>) =>
    attribute ? withAttribute(model, entity, { ...attribute, ...changed }) : model;
  switch (edit % 20) {
    case 1:
      return withEntity(model, { ...entity, name: pick(entityNames, other), table: undefined });
    case 2:
      return withEntity(model, { ...entity, table: `table_${third % 4}` });
    case 3:
      return swappedEntities(model, entity, pick(model.entities, other));
    case 4:
      return withoutEntity(model, entity);
    case 5:
      return before[Math.max(0, before.length - 1 - (third % 4))] ?? model;
    case 6:
      return change({ name: pick(attributeNames, third), column: undefined });
    case 7:
      return change({ column: pick(['Column', 'column', 'COL_2', 'other', 'name'], third) });
    case 8:
      return change(typed(pick(attributeTypes, third), pick(model.entities, one + third).id));
    case 9:
      return change({ optional: !attribute?.optional });
    case 11:
      return withEntity(model, {
        ...entity,
        attributes: entity.attributes.filter((its) => its !== attribute),
      });
    case 12:
      return withEntity(model, { ...entity, attributes: entity.attributes.toReversed() });
    case 13:
      return attribute ? swappedAttributes(model, entity, attribute, pick(entity.attributes, third)) : model;
    case 14:
      return attribute && third % 4 === 0 ? withEntity(model, { ...entity, isUuid: !entity.isUuid }) : model;
    case 15:
      return change(typed('ForeignKey', pick(model.entities, third).id));
    default:
      return withAttribute(model, entity, {
        id: newId(),
        name: pick(attributeNames, third),
        optional: edit % 3 !== 0,
        ...typed(pick(attributeTypes, other), pick(model.entities, third).id),
      });
  }
}

const typed = (type: AttributeType, target: string) =>
  ({ type, foreignEntity: type === 'ForeignKey' ? target : undefined }) as const;

const newEntity = ({ one, other, third }: Choice, newId: () => string): Entity => ({
  id: newId(),
  name: pick(entityNames, one),
  isUuid: third % 3 === 0,
  attributes: [0, 1].slice(0, other % 3).map((at) => ({
    id: newId(),
    name: pick(attributeNames, other + at),
    type: pick(
      attributeTypes.filter((type) => type !== 'ForeignKey'),
      third + at,
    ),
    optional: at === 0,
  })),
});

const withEntity = (model: Model, entity: Entity): Model => ({
  ...model,
  entities: model.entities.some(({ id }) => id === entity.id)
    ? model.entities.map((its) => (its.id === entity.id ? entity : its))
    : [...model.entities, entity],
});

const withAttribute = (model: Model, entity: Entity, attribute: Attribute): Model =>
  withEntity(model, {
    ...entity,
    attributes: entity.attributes.some(({ id }) => id === attribute.id)
      ? entity.attributes.map((its) => (its.id === attribute.id ? attribute : its))
      : [...entity.attributes, attribute],
  });

/** Removes an entity and every attribute that refers to it. */
const withoutEntity = (model: Model, gone: Entity): Model => ({
  ...model,
  entities: model.entities
    .filter((entity) => entity !== gone)
    .map((entity) => ({
      ...entity,
      attributes: entity.attributes.filter(({ foreignEntity }) => foreignEntity !== gone.id),
    })),
});

const swappedEntities = (model: Model, one: Entity, other: Entity): Model =>
  withEntity(withEntity(model, { ...one, name: other.name, table: other.table }), {
    ...other,
    name: one.name,
    table: one.table,
  });

const swappedAttributes = (model: Model, entity: Entity, one: Attribute, other: Attribute): Model => {
  const { name, column } = one;
  const names: Record<string, Pick<Attribute, 'name' | 'column'>> = {
    [one.id]: { name: other.name, column: other.column },
    [other.id]: { name, column },
  };
  return withEntity(model, {
    ...entity,
    attributes: entity.attributes.map((its) => ({ ...its, ...names[its.id] })),
  });
};
