/** What keeps a model from becoming tables. A model without problems always does. */
import { identifierProblem } from './identifiers';
import { columnOf, tableOf, type Attribute, type Entity, type Model } from './model';

export interface Problem {
  readonly entity?: string;
  readonly attribute?: string;
  readonly optionSet?: string;
  readonly field: 'name' | 'table' | 'column' | 'foreignEntity' | 'optionSet' | 'key' | 'value';
  readonly message: string;
}

export const problemsOf = (model: Model): Problem[] => [
  ...repeated(model.entities, ({ name }) => name).map((entity) => ({
    ...{ entity: entity.id, field: 'name' as const },
    message: `an entity ${entity.name} already exists`,
  })),
  ...repeated(model.entities, tableOf).map((entity) => ({
    ...{ entity: entity.id, field: 'table' as const },
    message: `another entity already has the table ${tableOf(entity)}`,
  })),
  ...model.entities.flatMap((entity) => problemsOfEntity(entity, model)),
  ...repeated(model.optionSets, ({ name }) => name).map((set) => ({
    ...{ optionSet: set.id, field: 'name' as const },
    message: `an option set ${set.name} already exists`,
  })),
  ...model.optionSets.flatMap((set) => [
    ...repeated(set.values, ({ key }) => String(key)).map(({ key }) => ({
      ...{ optionSet: set.id, field: 'key' as const },
      message: `the key ${key} is already in the option set ${set.name}`,
    })),
    ...repeated(set.values, ({ value }) => value).map(({ value }) => ({
      ...{ optionSet: set.id, field: 'value' as const },
      message: `the value ${value} is already in the option set ${set.name}`,
    })),
  ]),
];

function problemsOfEntity(entity: Entity, model: Model): Problem[] {
  const message = identifierProblem(tableOf(entity), 'table');
  return [
    ...(message === undefined ? [] : [{ entity: entity.id, field: 'table' as const, message }]),
    ...repeated(entity.attributes, ({ name }) => name).map(({ id, name }) => ({
      ...{ entity: entity.id, attribute: id, field: 'name' as const },
      message: `${entity.name} already has an attribute ${name}`,
    })),
    ...repeated(entity.attributes, columnOf).map((attribute) => ({
      ...{ entity: entity.id, attribute: attribute.id, field: 'column' as const },
      message: `another attribute of ${entity.name} already has the column ${columnOf(attribute)}`,
    })),
    ...entity.attributes.flatMap((attribute) =>
      [...attributeProblems(attribute, model)].map((problem) => ({
        ...problem,
        ...{ entity: entity.id, attribute: attribute.id },
      })),
    ),
  ];
}

function* attributeProblems(attribute: Attribute, model: Model): Generator<Problem> {
  const { type, foreignEntity, optionSet } = attribute;
  const column = identifierProblem(columnOf(attribute), 'column');
  if (column !== undefined) yield { field: 'column', message: column };
  if (type === 'ForeignKey' && !model.entities.some(({ id }) => id === foreignEntity))
    yield { field: 'foreignEntity', message: 'a foreign key needs an entity that it points to' };
  if (type !== 'ForeignKey' && foreignEntity !== undefined)
    yield { field: 'foreignEntity', message: 'only a foreign key points to an entity' };
  if (optionSet !== undefined && type !== 'Int')
    yield { field: 'optionSet', message: 'only an Int has an option set' };
  if (optionSet !== undefined && !model.optionSets.some(({ id }) => id === optionSet))
    yield { field: 'optionSet', message: 'this option set no longer exists' };
}

/** Those whose name an earlier one already has. Case makes no difference, as MySQL compares columns. */
function repeated<T>(all: readonly T[], nameOf: (one: T) => string): T[] {
  const seen = new Set<string>();
  return all.filter((one) => {
    const name = nameOf(one).toLowerCase();
    if (name === '' || !seen.has(name)) {
      seen.add(name);
      return false;
    }
    return true;
  });
}
