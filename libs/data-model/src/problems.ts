/** Problems that prevent creating tables from a model. A model without problems can always be created. */
import { folded, identifierProblem, importedProblem } from './identifiers';
import { keyAttributeOf } from './structure-of';
import { columnOf, tableOf, type Attribute, type Entity, type Model } from './model';

export interface Problem {
  readonly entity?: string;
  readonly attribute?: string;
  readonly optionSet?: string;
  readonly field: 'name' | 'table' | 'column' | 'foreignEntity' | 'optionSet' | 'key' | 'value' | 'size';
  readonly message: string;
}

export const problemsOf = (model: Model): Problem[] => [...problems(model)];

/** Columns of all tables, keys included: more would hold up a console that plans and compares them. */
export const MAX_COLUMNS = 30_000;

/** Why these entities together are too many for a model; undefined if they are not. */
export function sizeProblem(
  entities: readonly { readonly attributes: readonly unknown[]; readonly native?: unknown }[],
): string | undefined {
  // The key of an imported entity is among its attributes.
  const columns = entities.reduce(
    (sum, { attributes, native }) => sum + attributes.length + (native ? 0 : 1),
    0,
  );
  return columns > MAX_COLUMNS
    ? `the tables have ${columns} columns with their keys, and ${MAX_COLUMNS} are possible: use several products`
    : undefined;
}

const nameOf = ({ name }: { readonly name: string }): string => name;

function* problems(model: Model): Generator<Problem> {
  const message = sizeProblem(model.entities);
  if (message !== undefined) yield { field: 'size', message };
  for (const { id: entity, name } of repeated(model.entities, nameOf))
    yield { entity, field: 'name', message: `an entity ${name} already exists` };
  for (const entity of repeated(model.entities, tableOf)) {
    const message = `another entity already has the table ${tableOf(entity)}`;
    yield { entity: entity.id, field: 'table', message };
  }
  const known = new Set([...model.entities, ...model.optionSets].map(({ id }) => id));
  const keyless = new Map(
    model.entities.filter((one) => one.native && !keyAttributeOf(one)).map(({ id, name }) => [id, name]),
  );
  for (const entity of model.entities) {
    yield* problemsOfEntity(entity, known);
    for (const { id: attribute, name, type, foreignEntity = '' } of entity.attributes)
      if (type === 'ForeignKey' && keyless.has(foreignEntity)) {
        const message = `${name} cannot point to ${keyless.get(foreignEntity)}, which has no key of one column`;
        yield { entity: entity.id, attribute, field: 'foreignEntity', message };
      }
  }
  for (const { id: optionSet, name } of repeated(model.optionSets, nameOf))
    yield { optionSet, field: 'name', message: `an option set ${name} already exists` };
  for (const { id: optionSet, name, values } of model.optionSets) {
    const where = `is already in the option set ${name}`;
    for (const { key } of repeated(values, (one) => String(one.key)))
      yield { optionSet, field: 'key', message: `the key ${key} ${where}` };
    for (const { value } of repeated(values, (one) => one.value))
      yield { optionSet, field: 'value', message: `the value ${value} ${where}` };
  }
}

/** @param known ids of all entities and option sets */
function* problemsOfEntity(one: Entity, known: ReadonlySet<string>): Generator<Problem> {
  const { id: entity, name, attributes } = one;
  const problemOf = one.native ? importedProblem : identifierProblem;
  const message = problemOf(tableOf(one), 'table');
  if (message !== undefined) yield { entity, field: 'table', message };
  for (const { id: attribute, name: its } of repeated(attributes, nameOf))
    yield { entity, attribute, field: 'name', message: `${name} already has an attribute ${its}` };
  for (const attribute of repeated(attributes, columnOf)) {
    const taken = `another attribute of ${name} already has the column ${columnOf(attribute)}`;
    yield { entity, attribute: attribute.id, field: 'column', message: taken };
  }
  for (const attribute of attributes)
    for (const problem of attributeProblems(attribute, known))
      yield { ...problem, entity, attribute: attribute.id };
}

function* attributeProblems(attribute: Attribute, known: ReadonlySet<string>): Generator<Problem> {
  const { type, foreignEntity, optionSet } = attribute;
  const problemOf = attribute.native ? importedProblem : identifierProblem;
  const column = problemOf(columnOf(attribute), 'column');
  if (column !== undefined) yield { field: 'column', message: column };
  if (type === 'ForeignKey' && !known.has(foreignEntity ?? ''))
    yield { field: 'foreignEntity', message: 'a foreign key needs an entity that it points to' };
  if (type !== 'ForeignKey' && foreignEntity !== undefined)
    yield { field: 'foreignEntity', message: 'only a foreign key points to an entity' };
  if (optionSet !== undefined && type !== 'Int')
    yield { field: 'optionSet', message: 'only an Int has an option set' };
  if (optionSet !== undefined && !known.has(optionSet))
    yield { field: 'optionSet', message: 'this option set no longer exists' };
}

/** Parts whose name is already used by an earlier part, ignoring case as MySQL does for columns. */
function repeated<T>(all: readonly T[], nameOf: (one: T) => string): T[] {
  const seen = new Set<string>();
  return all.filter((one) => {
    const name = folded(nameOf(one));
    if (name === '' || !seen.has(name)) {
      seen.add(name);
      return false;
    }
    return true;
  });
}
