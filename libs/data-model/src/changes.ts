/** What differs between two models, in the words of operators. */
import { columnOf, tableOf, type Attribute, type Entity, type Model, type OptionSet } from './model';
import { pairs } from './plan';

export interface Change {
  readonly kind:
    | ('entityAdded' | 'entityRemoved' | 'entityRenamed' | 'tableRenamed' | 'keyChanged')
    | ('attributeAdded' | 'attributeRemoved' | 'attributeRenamed' | 'columnRenamed' | 'attributeRetyped')
    | ('requirementChanged' | 'attributeReferred' | 'attributeOptionsChanged' | 'attributesReordered')
    | ('optionSetAdded' | 'optionSetRemoved' | 'optionSetRenamed' | 'optionsChanged');
  /** Ids, so that a screen can lead there. */
  readonly entity?: string;
  readonly attribute?: string;
  readonly optionSet?: string;
  readonly words: string;
}

export function changesBetween(from: Model, to: Model): Change[] {
  const entities = pairs(from.entities, to.entities);
  const optionSets = pairs(from.optionSets, to.optionSets);
  return [
    ...entities.gone.map(({ id, name }) => change('entityRemoved', `Entity ${name} removed`, { entity: id })),
    ...entities.kept.flatMap(([was, is]) => changesOfEntity(was, is, from, to)),
    ...entities.added.map((entity) =>
      change(
        'entityAdded',
        `Entity ${entity.name} added, with ${counted(entity.attributes.length, 'attribute')}`,
        {
          entity: entity.id,
        },
      ),
    ),
    ...optionSets.gone.map(({ id, name }) =>
      change('optionSetRemoved', `Option set ${name} removed`, { optionSet: id }),
    ),
    ...optionSets.kept.flatMap(([was, is]) => changesOfOptionSet(was, is)),
    ...optionSets.added.map(({ id, name, values }) =>
      change('optionSetAdded', `Option set ${name} added, with ${counted(values.length, 'value')}`, {
        optionSet: id,
      }),
    ),
  ];
}

const change = (kind: Change['kind'], words: string, subject: Omit<Change, 'kind' | 'words'>): Change => ({
  kind,
  words,
  ...subject,
});

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;

function* entityChanges(was: Entity, is: Entity): Generator<[Change['kind'], string]> {
  if (was.name !== is.name) yield ['entityRenamed', `Entity ${was.name} is now called ${is.name}`];
  if (tableOf(was) !== tableOf(is))
    yield ['tableRenamed', `${is.name}: the table ${tableOf(was)} is now called ${tableOf(is)}`];
  if (was.isUuid !== is.isUuid)
    yield ['keyChanged', `${is.name}: the key is now a ${is.isUuid ? 'UUID' : 'number'}`];
}

function* attributeChanges(was: Attribute, is: Attribute, from: Model, to: Model) {
  const entityName = (model: Model, id?: string) => model.entities.find((one) => one.id === id)?.name;
  const setName = (model: Model, id?: string) => model.optionSets.find((one) => one.id === id)?.name;
  if (was.name !== is.name) yield ['attributeRenamed', `is now called ${is.name}`] as const;
  if (columnOf(was) !== columnOf(is))
    yield ['columnRenamed', `the column ${columnOf(was)} is now called ${columnOf(is)}`] as const;
  if (was.type !== is.type) yield ['attributeRetyped', `${was.type} is now ${is.type}`] as const;
  if (was.foreignEntity !== is.foreignEntity && is.foreignEntity !== undefined)
    yield ['attributeReferred', `now points to ${entityName(to, is.foreignEntity)}`] as const;
  if (was.optional !== is.optional)
    yield ['requirementChanged', is.optional ? 'is now optional' : 'is now required'] as const;
  if (was.optionSet !== is.optionSet)
    yield [
      'attributeOptionsChanged',
      is.optionSet === undefined
        ? `no longer takes its values from ${setName(from, was.optionSet)}`
        : `now takes its values from ${setName(to, is.optionSet)}`,
    ] as const;
}

function changesOfEntity(was: Entity, is: Entity, from: Model, to: Model): Change[] {
  const { gone, added, kept } = pairs(was.attributes, is.attributes);
  const orderOf = (entity: Entity) =>
    entity.attributes.map(({ id }) => id).filter((id) => kept.some(([one]) => one.id === id));
  const reordered = orderOf(was).join() !== orderOf(is).join();
  const inEntity = (kind: Change['kind'], words: string, attribute?: string) =>
    change(kind, words, { entity: is.id, ...(attribute === undefined ? {} : { attribute }) });
  return [
    ...[...entityChanges(was, is)].map(([kind, words]) => inEntity(kind, words)),
    ...gone.map(({ id, name }) => inEntity('attributeRemoved', `${is.name}: attribute ${name} removed`, id)),
    ...kept.flatMap(([old, now]) =>
      [...attributeChanges(old, now, from, to)].map(([kind, words]) =>
        inEntity(kind, `${is.name}.${old.name}: ${words}`, now.id),
      ),
    ),
    ...added.map(({ id, name, type }) =>
      inEntity('attributeAdded', `${is.name}: attribute ${name} added (${type})`, id),
    ),
    ...(reordered ? [inEntity('attributesReordered', `${is.name}: attributes in another order`)] : []),
  ];
}

function changesOfOptionSet(was: OptionSet, is: OptionSet): Change[] {
  const text = (set: OptionSet) => set.values.map(({ key, value }) => `${key} ${value}`);
  const [before, after] = [text(was), text(is)];
  const [gone, added] = [
    before.filter((one) => !after.includes(one)),
    after.filter((one) => !before.includes(one)),
  ];
  const differences = [...gone.map((one) => `without ${one}`), ...added.map((one) => `with ${one}`)];
  const subject = { optionSet: is.id };
  return [
    ...(was.name === is.name
      ? []
      : [change('optionSetRenamed', `Option set ${was.name} is now called ${is.name}`, subject)]),
    ...(before.join('\n') === after.join('\n')
      ? []
      : [
          change(
            'optionsChanged',
            `Option set ${is.name}: now ${differences.length > 0 ? differences.join(', ') : 'in another order'}`,
            subject,
          ),
        ]),
  ];
}
