/** Edits that make a model match a real database, or that add an imported model. Pure. */
import { adoptedInto } from './adopted';
import { editsOf, exists, matched, namesAtImport, REMOVED, STAYS } from './adoption-edits';
import { AtImport } from './adoption-exact';
import { changesBetween } from './changes';
import { driftOf } from './drift';
import { firsts, grouped } from './grouped';
import { folded } from './identifiers';
import { modelFrom, type Imported } from './importing';
import { columnOf, tableOf, type Attribute, type Entity, type Model } from './model';
import { problemsOf } from './problems';
import type { Rename } from './renames';
import { foldOf, type Structure, type Table } from './structure';
import { structureOf } from './structure-of';

/** Edits are applied in order. A new entity has no attributes yet; they are added by later edits. */
export type Adoption =
  | { readonly do: 'addEntity'; readonly entity: Entity }
  /** Changes the type of the key, or what the import has recorded. */
  | {
      readonly do: 'editEntity';
      readonly entity: Pick<Entity, 'id' | 'name'> & Partial<Pick<Entity, 'isUuid' | 'native'>>;
    }
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
  const asked = { model, actual, newId, renames, expected: structureOf(model) };
  const { edits, left } = editsUntil({ ...asked, now });
  const isEdited = changesBetween(model, now).length > 0;
  return {
    edits,
    left: [...left, ...notAdopted(asked, isEdited ? editsUntil({ ...asked, now: model }).edits : edits)],
  };
}

interface Comparison {
  readonly model: Model;
  /** The structure of the model. */
  readonly expected: Structure;
  readonly actual: Structure;
  readonly newId: () => string;
  readonly renames: readonly Rename[];
}

/** What an imported table has otherwise even if all edits are made. The import itself names the parts of the others. */
function notAdopted({ model, actual }: Comparison, edits: readonly Adoption[]): string[] {
  const after = adoptedInto(model, edits);
  const problems = problemsOf(after);
  if (problems.length > 0) return problems.map(({ message }) => message);
  const fold = foldOf(actual);
  const imported = new Set(model.entities.flatMap((one) => (one.native ? [fold(tableOf(one))] : [])));
  return driftOf(structureOf(after), actual)
    .filter(({ table }) => imported.has(fold(table)))
    .map(({ words }) => words);
}

function editsUntil({ model, expected, actual, newId, renames, now }: Comparison & { now: Model }): Adopted {
  const inNow = new Map(now.entities.map((entity) => [entity.id, entity]));
  const fold = foldOf(actual);
  const nameOf = (entity: Entity): string => fold(tableOf(entity));
  const plain = new Set([...model.entities, ...now.entities].filter((one) => !one.native).map(nameOf));
  const byTable = firsts([...model.entities, ...now.entities], nameOf);
  const isKnown = ({ name }: Table): number => Number(byTable.has(fold(name)));
  // Of two names that differ only by case, the one that is in the model already.
  const knownFirst = actual.tables.toSorted((one, other) => isKnown(other) - isKnown(one));
  const imported = modelFrom({ ...actual, tables: knownFirst }, newId, (table) => plain.has(fold(table)));
  const { added, known } = divided(imported.model, (entity) => byTable.get(nameOf(entity)));
  const tables = new Set(actual.tables.map(({ name }) => fold(name)));
  const inModel = new Set(model.entities);
  const changes = changesBetween(model, now);
  const pending = grouped(changes, ({ attribute }) => attribute);
  const isEdited = new Set(changes.map(({ entity }) => entity));
  const renamesOf = grouped(renames, ({ table }) => fold(table));
  const pairsOf = known.map(([was, found]) => {
    const oldNames = new Map((renamesOf.get(nameOf(was)) ?? []).map(({ from, to }) => [to, from]));
    return { was, found, ...matched(was, inNow.get(was.id) ?? was, found, oldNames) };
  });
  const names = new Map(pairsOf.map((pair) => [nameOf(pair.found), namesAtImport(pair)]));
  const atImport = new AtImport((table) => names.get(fold(table)));
  const drifted = grouped(driftOf(expected, actual), ({ table }) => fold(table));
  const structures = new Map(model.entities.map(({ id }, at) => [id, expected.tables[at]]));
  const found = [
    ...pairsOf.flatMap(({ was, is, matches, found: entity }) => {
      if (!inModel.has(was)) return [exists(was)];
      const drift = drifted.get(nameOf(was)) ?? [];
      const table = drift.length > 0 ? structures.get(was.id) : undefined;
      const its = [...editsOf({ was, is, found: entity, matches, pending, table, drift, atImport })];
      return inNow.has(was.id) || its.length === 0 ? its : [`Entity ${was.name} ${REMOVED}.`];
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
    edits: [
      ...additions(added.map((entity) => entityAt(entity, atImport))),
      ...found.filter((one) => typeof one !== 'string'),
    ],
    left: [...imported.notRepresentable, ...found.filter((one) => typeof one === 'string')],
  };
}

/** A new entity, which may point to others by the names that they had at their import. */
const entityAt = ({ native, ...entity }: Entity, atImport: AtImport): Entity => ({
  ...entity,
  ...(native && { native: atImport.table(native) }),
});

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
  const { added, known } = divided(imported.model, (entity) => {
    const [one, other] = [byTable.get(folded(tableOf(entity))), byName.get(folded(entity.name))];
    return one && other && (place.get(other) ?? 0) < (place.get(one) ?? 0) ? other : (one ?? other);
  });
  return {
    edits: additions(added),
    left: [...imported.notRepresentable, ...known.map(([was, found]) => existsAs(was, found))],
  };
}

/** The unknown entities, and each known one together with the found one. */
function divided({ entities }: Model, knownAs: (entity: Entity) => Entity | undefined) {
  const idOf = new Map(entities.map((entity) => [entity.id, knownAs(entity)?.id ?? entity.id]));
  const found = entities.map((entity) => ({
    ...entity,
    attributes: entity.attributes.map(({ foreignEntity, ...rest }): Attribute =>
      foreignEntity === undefined ? rest : { ...rest, foreignEntity: idOf.get(foreignEntity) },
    ),
  }));
  return {
    added: found.filter((entity) => !knownAs(entity)),
    known: found.flatMap((entity) => {
      const was = knownAs(entity);
      return was ? [[was, entity] as const] : [];
    }),
  };
}

const additions = (added: readonly Entity[]): Adoption[] => [
  ...added.map((entity): Adoption => ({ do: 'addEntity', entity: { ...entity, attributes: [] } })),
  ...added.flatMap(({ id: entity, attributes }) =>
    attributes.map((attribute): Adoption => ({ do: 'addAttribute', entity, attribute })),
  ),
];
