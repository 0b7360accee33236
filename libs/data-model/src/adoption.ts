/** Edits that make a model match a real database, or that add an imported model. Pure. */
import { changesBetween, type Change } from './changes';
import { firsts, grouped } from './grouped';
import { folded } from './identifiers';
import { modelFrom, type Imported } from './importing';
import { columnOf, tableOf, type Attribute, type Entity, type Model } from './model';
import type { Rename } from './renames';
import { foldOf, type Structure, type Table } from './structure';

/** Edits are applied in order. A new entity has no attributes yet; they are added by later edits. */
export type Adoption =
  | { readonly do: 'addEntity'; readonly entity: Entity }
  /** Changes the type of the key. */
  | { readonly do: 'editEntity'; readonly entity: Pick<Entity, 'id' | 'name' | 'isUuid'> }
  | { readonly do: 'addAttribute'; readonly entity: string; readonly attribute: Attribute }
  /** Contains only the edited fields. If `type` is set without `foreignEntity`, the attribute points to nothing. */
  | {
      readonly do: 'editAttribute';
      readonly attribute: Pick<Attribute, 'id' | 'name'> & Partial<Attribute> & { readonly renamed?: string };
    }
  | { readonly do: 'removeAttribute' | 'removeEntity'; readonly id: string; readonly name: string };

export interface Adopted {
  readonly edits: readonly Adoption[];
  /** Parts of the database that a model cannot express, in words. */
  readonly left: readonly string[];
}

/** The first edit adds the entity, the others its attributes. What points to the original itself points to the copy. */
export const copyOf = ({ id, isUuid, attributes }: Entity, name: string): readonly Adoption[] => [
  { do: 'addEntity', entity: { id, name, isUuid, attributes: [] } },
  ...attributes.map((attribute): Adoption => ({ do: 'addAttribute', entity: id, attribute })),
];

/**
 * @param model of the version that the database should have
 * @param now the current model; its pending edits are kept, because somebody made them on purpose
 * @param renames columns that were renamed by hand
 */
export function adoptionOf(
  model: Model,
  actual: Structure,
  newId: () => string,
  now: Model,
  renames: readonly Rename[] = [],
): Adopted {
  const inNow = new Map(now.entities.map((entity) => [entity.id, entity]));
  const fold = foldOf(actual);
  const nameOf = (entity: Entity): string => fold(tableOf(entity));
  const plain = new Set([...model.entities, ...now.entities].filter((one) => !one.native).map(nameOf));
  const byTable = firsts([...model.entities, ...now.entities], nameOf);
  const isKnown = ({ name }: Table): number => Number(byTable.has(fold(name)));
  // Of two names that differ only by case, the one that is in the model already.
  const knownFirst = actual.tables.toSorted((one, other) => isKnown(other) - isKnown(one));
  const imported = modelFrom({ ...actual, tables: knownFirst }, newId, (table) => plain.has(fold(table)));
  const { edits, known } = additions(imported.model, (entity) => byTable.get(nameOf(entity)));
  const tables = new Set(actual.tables.map(({ name }) => fold(name)));
  const inModel = new Set(model.entities);
  const changes = changesBetween(model, now);
  const pending = grouped(changes, ({ attribute }) => attribute);
  const isEdited = new Set(changes.map(({ entity }) => entity));
  const renamesOf = grouped(renames, ({ table }) => fold(table));
  const found = [
    ...known.flatMap(([was, entity]) => {
      if (!inModel.has(was)) return [exists(was)];
      const is = inNow.get(was.id);
      const oldNames = new Map((renamesOf.get(nameOf(was)) ?? []).map(({ from, to }) => [to, from]));
      const its = [...editsOf({ was, is: is ?? was, found: entity, pending, oldNames })];
      return is || its.length === 0 ? its : [`Entity ${was.name} ${REMOVED}.`];
    }),
    ...model.entities
      .filter((entity) => !tables.has(nameOf(entity)) && inNow.has(entity.id))
      .map(({ id, name }) =>
        isEdited.has(id)
          ? `Entity ${name} ${STAYS}, although its table is missing.`
          : ({ do: 'removeEntity', id, name } as const),
      ),
  ];
  return {
    edits: [...edits, ...found.filter((one) => typeof one !== 'string')],
    left: [...imported.notRepresentable, ...found.filter((one) => typeof one === 'string')],
  };
}

const STAYS = 'has edits that are in no version yet, and stays as it is';
const REMOVED = 'was removed from the model, and is not added again';
const exists = ({ name }: Entity): string => `Entity ${name} exists already and stays as it is.`;

/** Also says which columns the table has gained and lost since. */
function existsAs(was: Entity, found: Entity): string {
  if (tableOf(was).toLowerCase() !== tableOf(found).toLowerCase()) return exists(was);
  // The key of an entity that was not imported is no attribute.
  const before = [...(was.native ? [] : ['id']), ...was.attributes.map(columnOf)];
  const after = [...(found.native ? [] : ['id']), ...found.attributes.map(columnOf)];
  const without = (columns: readonly string[], others: readonly string[]): string =>
    columns.filter((column) => !others.some((one) => one.toLowerCase() === column.toLowerCase())).join(', ');
  const [gained, lost] = [without(after, before), without(before, after)];
  const differs = [
    ...(gained === '' ? [] : [`also has ${gained}`]),
    ...(lost === '' ? [] : [`lacks ${lost}`]),
  ];
  return differs.length === 0 ? exists(was) : `${exists(was)} What was found ${differs.join(', and ')}.`;
}

/** Skips entities whose name or table is already in the model. Imported entities may point to the existing ones. */
export function importOf(model: Model, imported: Imported): Adopted {
  const place = new Map(model.entities.map((entity, at) => [entity, at]));
  const byTable = firsts(model.entities, (entity) => folded(tableOf(entity)));
  const byName = firsts(model.entities, ({ name }) => folded(name));
  const { edits, known } = additions(imported.model, (entity) => {
    const [one, other] = [byTable.get(folded(tableOf(entity))), byName.get(folded(entity.name))];
    return one && other && (place.get(other) ?? 0) < (place.get(one) ?? 0) ? other : (one ?? other);
  });
  return {
    edits,
    left: [...imported.notRepresentable, ...known.map(([was, found]) => existsAs(was, found))],
  };
}

/** Creates unknown entities. Returns each known entity together with the found one. */
function additions({ entities }: Model, knownAs: (entity: Entity) => Entity | undefined) {
  const idOf = new Map(entities.map((entity) => [entity.id, knownAs(entity)?.id ?? entity.id]));
  const found = entities.map((entity) => ({
    ...entity,
    attributes: entity.attributes.map(({ foreignEntity, ...rest }): Attribute =>
      foreignEntity === undefined ? rest : { ...rest, foreignEntity: idOf.get(foreignEntity) },
    ),
  }));
  const added = found.filter((entity) => !knownAs(entity));
  return {
    edits: [
      ...added.map((entity): Adoption => ({ do: 'addEntity', entity: { ...entity, attributes: [] } })),
      ...added.flatMap(({ id: entity, attributes }) =>
        attributes.map((attribute): Adoption => ({ do: 'addAttribute', entity, attribute })),
      ),
    ],
    known: found.flatMap((entity) => {
      const was = knownAs(entity);
      return was ? [[was, entity] as const] : [];
    }),
  };
}

interface EntityPair {
  readonly was: Entity;
  readonly is: Entity;
  readonly found: Entity;
  /** By attribute. */
  readonly pending: ReadonlyMap<string | undefined, readonly Change[]>;
  /** By the column that somebody renamed. */
  readonly oldNames: ReadonlyMap<string, string>;
}

/** Fields that are adopted together, and the kinds of pending changes that prevent it. */
const aspects: readonly {
  of(attribute: Attribute): Partial<Attribute>;
  kinds: readonly Change['kind'][];
}[] = [
  {
    of: ({ type, foreignEntity }) => ({ type, ...(foreignEntity !== undefined && { foreignEntity }) }),
    kinds: ['attributeRetyped', 'attributeReferred', 'attributeOptionsChanged'],
  },
  { of: ({ optional }) => ({ optional }), kinds: ['requirementChanged'] },
];

/** Yields the edits, and in words the parts that stay unchanged. */
function* editsOf({ was, is, found, pending, oldNames }: EntityPair): Generator<Adoption | string> {
  const { isUuid } = found;
  if (was.isUuid !== isUuid && is.isUuid !== isUuid)
    yield { do: 'editEntity', entity: { id: is.id, name: is.name, isUuid } };
  const [before, after, now] = [was, found, is].map(({ attributes }) => byColumn(attributes));
  const byId = new Map(is.attributes.map((attribute) => [attribute.id, attribute]));
  const isPending = (id: string, kinds?: readonly Change['kind'][]): boolean =>
    (pending.get(id) ?? []).some(({ kind }) => kinds?.includes(kind) !== false);
  const isRenamed = new Set<Attribute>();
  for (const attribute of found.attributes) {
    const column = columnOf(attribute);
    const old = before?.get(column) ?? before?.get(oldNames.get(column) ?? '');
    if (old && columnOf(old) !== column) isRenamed.add(old);
    const current = old ? byId.get(old.id) : now?.get(column);
    const where = `${was.name}.${(current ?? old ?? attribute).name}`;
    const drifted = aspects.filter(({ of }) => !old || !isSame(of(old), of(attribute)));
    if (!old) {
      if (current) yield `${where} exists already and stays as it is.`;
      else yield { do: 'addAttribute', entity: was.id, attribute };
    } else if (!current) {
      if (drifted.length > 0) yield `${where} ${REMOVED}.`;
    } else {
      const wanted = drifted.filter(({ of }) => !isSame(of(current), of(attribute)));
      const free = wanted.filter(({ kinds }) => !isPending(old.id, kinds));
      if (free.length < wanted.length) yield `${where} ${STAYS}.`;
      const { id, name } = current;
      const fields: Partial<Attribute> = Object.assign({}, ...free.map(({ of }) => of(attribute)));
      if (isRenamed.has(old)) {
        if (isPending(old.id, ['attributeRenamed', 'columnRenamed'])) yield `${where} ${STAYS}.`;
        else
          yield {
            do: 'editAttribute',
            attribute: { id, name, ...fields, ...renamedTo(is, current, attribute) },
          };
        continue;
      }
      // The column keeps its name, even if another name would be derived for the new type.
      const kept = columnOf(current);
      const named = columnOf({ ...current, ...fields }) !== kept && { column: kept };
      if (free.length > 0) yield { do: 'editAttribute', attribute: { id, name, ...fields, ...named } };
    }
  }
  for (const old of was.attributes) {
    if (after?.has(columnOf(old)) || isRenamed.has(old) || !byId.has(old.id)) continue;
    if (isPending(old.id)) yield `${was.name}.${old.name} ${STAYS}, although its column is missing.`;
    else yield { do: 'removeAttribute', id: old.id, name: old.name };
  }
}

/** The name that follows from the new column, unless another attribute has it. */
function renamedTo({ attributes }: Entity, { id, name }: Attribute, found: Attribute) {
  const isTaken = attributes.some(
    (other) => other.id !== id && other.name.toLowerCase() === found.name.toLowerCase(),
  );
  const renamed = isTaken ? name : found.name;
  const column = columnOf(found);
  const isDerived = columnOf({ name: renamed, type: found.type }) === column;
  return { renamed, column: isDerived ? '' : column };
}

const isSame = (one: object, other: object): boolean => JSON.stringify(one) === JSON.stringify(other);

const byColumn = (attributes: readonly Attribute[]): ReadonlyMap<string, Attribute> =>
  new Map(attributes.map((attribute) => [columnOf(attribute), attribute]));
