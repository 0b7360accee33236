/** The differences between two models, in words for operators. */
import { changesOfTable, exactly, exactWords } from './exact-changes';
import { columnOf, tableOf, type Attribute, type Entity, type Model, type OptionSet } from './model';
import { pairs } from './pairs';
import { textOf } from './structure';
import { nativeOf } from './structure-of';

export interface Change {
  readonly kind:
    | ('entityAdded' | 'entityRemoved' | 'entityRenamed' | 'tableRenamed' | 'keyChanged')
    | ('attributeAdded' | 'attributeRemoved' | 'attributeRenamed' | 'columnRenamed' | 'attributeRetyped')
    | ('requirementChanged' | 'attributeReferred' | 'attributeOptionsChanged' | 'attributesReordered')
    | ('exactTypeChanged' | 'exactTableChanged')
    | ('optionSetAdded' | 'optionSetRemoved' | 'optionSetRenamed' | 'optionsChanged');
  /** Ids, so that screens can link to the part. */
  readonly entity?: string;
  readonly attribute?: string;
  readonly optionSet?: string;
  readonly words: string;
}

export const changesBetween = (from: Model, to: Model): Change[] => [...changes(from, to)];

function* changes(from: Model, to: Model): Generator<Change> {
  const entities = pairs(from.entities, to.entities);
  for (const { id: entity, name } of entities.gone)
    yield { kind: 'entityRemoved', entity, words: `Entity ${name} removed` };
  const names = namesIn(from, to);
  for (const [was, is] of entities.kept) yield* changesOfEntity(was, is, names);
  for (const { id: entity, name, attributes } of entities.added) {
    const words = `Entity ${name} added, with ${counted(attributes.length, 'attribute')}`;
    yield { kind: 'entityAdded', entity, words };
  }
  const optionSets = pairs(from.optionSets, to.optionSets);
  for (const { id: optionSet, name } of optionSets.gone)
    yield { kind: 'optionSetRemoved', optionSet, words: `Option set ${name} removed` };
  for (const [was, is] of optionSets.kept) yield* changesOfOptionSet(was, is);
  for (const { id: optionSet, name, values } of optionSets.added) {
    const words = `Option set ${name} added, with ${counted(values.length, 'value')}`;
    yield { kind: 'optionSetAdded', optionSet, words };
  }
}

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;

function* changesOfEntity(was: Entity, is: Entity, names: Names): Generator<Change> {
  const { id: entity, name } = is;
  const { gone, added, kept } = pairs(was.attributes, is.attributes);
  const keptIds = new Set(kept.map(([{ id }]) => id));
  const orderOf = ({ attributes }: Entity) => attributes.flatMap(({ id }) => (keptIds.has(id) ? [id] : []));
  if (was.name !== name)
    yield { kind: 'entityRenamed', entity, words: `Entity ${was.name} is now called ${name}` };
  if (tableOf(was) !== tableOf(is)) {
    const words = `${name}: the table ${tableOf(was)} is now called ${tableOf(is)}`;
    yield { kind: 'tableRenamed', entity, words };
  }
  if (was.isUuid !== is.isUuid)
    yield { kind: 'keyChanged', entity, words: `${name}: the key is now a ${is.isUuid ? 'UUID' : 'number'}` };
  for (const words of changesOfTable(was.native, is.native))
    yield { kind: 'exactTableChanged', entity, words: `${name}: ${words}` };
  for (const { id: attribute, name: its } of gone)
    yield { kind: 'attributeRemoved', entity, attribute, words: `${name}: attribute ${its} removed` };
  for (const [old, now] of kept)
    for (const [kind, words] of changesOfAttribute(old, now, names))
      yield { kind, entity, attribute: now.id, words: `${name}.${old.name}: ${words}` };
  for (const { id: attribute, name: its, type } of added)
    yield { kind: 'attributeAdded', entity, attribute, words: `${name}: attribute ${its} added (${type})` };
  if (orderOf(was).join() !== orderOf(is).join())
    yield { kind: 'attributesReordered', entity, words: `${name}: attributes in another order` };
}

type Said = readonly [kind: Change['kind'], words: string];

/** Names by id: of the entities afterwards, and of the option sets before and afterwards. */
type Names = Readonly<Record<'entities' | 'optionSetsBefore' | 'optionSets', ReadonlyMap<string, string>>>;

const namesIn = (from: Model, to: Model): Names => {
  const byId = (all: readonly { id: string; name: string }[]) =>
    new Map(all.map(({ id, name }) => [id, name]));
  return {
    entities: byId(to.entities),
    optionSetsBefore: byId(from.optionSets),
    optionSets: byId(to.optionSets),
  };
};

function* changesOfAttribute(was: Attribute, is: Attribute, names: Names): Generator<Said> {
  if (was.name !== is.name) yield ['attributeRenamed', `is now called ${is.name}`];
  if (columnOf(was) !== columnOf(is))
    yield ['columnRenamed', `the column ${columnOf(was)} is now called ${columnOf(is)}`];
  const [had, has] = [nativeOf(was), nativeOf(is)];
  if (was.type !== is.type) {
    const lost = had && !has ? `; ${textOf(had)} of its import is dropped` : '';
    yield ['attributeRetyped', `${was.type} is now ${is.type}${lost}`];
  } else if (exactly(had) !== exactly(has)) yield ['exactTypeChanged', exactWords(had, has)];
  if (was.foreignEntity !== is.foreignEntity && is.foreignEntity !== undefined)
    yield ['attributeReferred', `now points to ${names.entities.get(is.foreignEntity)}`];
  if (was.optional !== is.optional)
    yield ['requirementChanged', is.optional ? 'is now optional' : 'is now required'];
  if (was.optionSet !== is.optionSet)
    yield [
      'attributeOptionsChanged',
      is.optionSet === undefined
        ? `no longer takes its values from ${names.optionSetsBefore.get(was.optionSet ?? '')}`
        : `now takes its values from ${names.optionSets.get(is.optionSet)}`,
    ];
}

function* changesOfOptionSet(was: OptionSet, is: OptionSet): Generator<Change> {
  const { id: optionSet, name } = is;
  if (was.name !== name)
    yield { kind: 'optionSetRenamed', optionSet, words: `Option set ${was.name} is now called ${name}` };
  const textsOf = ({ values }: OptionSet) => values.map(({ key, value }) => `${key} ${value}`);
  const [before, after] = [textsOf(was), textsOf(is)];
  if (before.join('\n') === after.join('\n')) return;
  const [had, has] = [new Set(before), new Set(after)];
  const differences = [
    ...before.filter((one) => !has.has(one)).map((one) => `without ${one}`),
    ...after.filter((one) => !had.has(one)).map((one) => `with ${one}`),
  ];
  const words = `Option set ${name}: now ${differences.join(', ') || 'in another order'}`;
  yield { kind: 'optionsChanged', optionSet, words };
}
