/** What has to be edited in a model, so that it says what a real database is, or has what is imported. Pure. */
import { modelFrom, type Imported } from './importing';
import { columnOf, tableOf, type Attribute, type Entity, type Model } from './model';
import type { Structure } from './structure';

/** In the order in which they are carried out. A new entity comes without its attributes, which follow. */
export type Adoption =
  | { readonly do: 'addEntity'; readonly entity: Entity }
  | { readonly do: 'addAttribute' | 'editAttribute'; readonly entity: string; readonly attribute: Attribute }
  | { readonly do: 'removeAttribute' | 'removeEntity'; readonly id: string; readonly name: string };

export interface Adopted {
  readonly edits: readonly Adoption[];
  /** What no model can say, in words. */
  readonly left: readonly string[];
}

/** @param model of the version that the database should have */
export function adoptionOf(model: Model, actual: Structure, newId: () => string): Adopted {
  const imported = modelFrom(actual, newId);
  const tables = new Set(actual.tables.map(({ name }) => name));
  const gone = model.entities.filter((entity) => !tables.has(tableOf(entity)));
  const { edits, known } = additions(imported.model, (entity) =>
    model.entities.find((one) => tableOf(one) === tableOf(entity)),
  );
  return {
    edits: [
      ...edits,
      ...known.flatMap(([was, attributes]) => attributeEdits(was, attributes)),
      ...gone.map(({ id, name }): Adoption => ({ do: 'removeEntity', id, name })),
    ],
    left: imported.notRepresentable,
  };
}

/** An entity stays as it is if the model has its name or its table already. What is imported may point to it. */
export function importOf(model: Model, imported: Imported): Adopted {
  const same = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();
  const { edits, known } = additions(imported.model, (entity) =>
    model.entities.find(
      (one) => same(tableOf(one), tableOf(entity)) || same(one.name.trim(), entity.name.trim()),
    ),
  );
  const left = known.map(([{ name }]) => `Entity ${name} exists already and stays as it is.`);
  return { edits, left: [...imported.notRepresentable, ...left] };
}

/** What is not known becomes a new entity. Those that are known come with the attributes that were found for them. */
function additions({ entities }: Model, knownAs: (entity: Entity) => Entity | undefined) {
  const found = entities.map((entity) => [entity, knownAs(entity)] as const);
  const idOf = new Map(found.map(([entity, was]) => [entity.id, was?.id ?? entity.id]));
  const attributesOf = ({ attributes }: Entity): Attribute[] =>
    attributes.map(({ foreignEntity, ...rest }) =>
      foreignEntity === undefined ? rest : { ...rest, foreignEntity: idOf.get(foreignEntity) },
    );
  const added = found.flatMap(([entity, was]) => (was ? [] : [entity]));
  return {
    edits: [
      ...added.map((entity): Adoption => ({ do: 'addEntity', entity: { ...entity, attributes: [] } })),
      ...added.flatMap((entity) =>
        attributesOf(entity).map((attribute): Adoption => ({
          do: 'addAttribute',
          entity: entity.id,
          attribute,
        })),
      ),
    ],
    known: found.flatMap(([entity, was]) => (was ? [[was, attributesOf(entity)] as const] : [])),
  };
}

function attributeEdits(was: Entity, found: readonly Attribute[]): Adoption[] {
  const [before, after] = [byColumn(was.attributes), byColumn(found)];
  const entity = was.id;
  return [
    ...found.flatMap((attribute): Adoption[] => {
      const old = before.get(columnOf(attribute));
      if (!old) return [{ do: 'addAttribute', entity, attribute }];
      const { type, optional, foreignEntity } = attribute;
      if (old.type === type && old.optional === optional && old.foreignEntity === foreignEntity) return [];
      // Its column keeps its name, whatever would be derived for another type.
      const { foreignEntity: _was, optionSet, ...rest } = old;
      const edited: Attribute = {
        ...{ ...rest, type, optional, column: columnOf(old) },
        ...(foreignEntity === undefined ? {} : { foreignEntity }),
        ...(type === 'Int' && optionSet !== undefined ? { optionSet } : {}),
      };
      return [{ do: 'editAttribute', entity, attribute: edited }];
    }),
    ...was.attributes
      .filter((attribute) => !after.has(columnOf(attribute)))
      .map(({ id, name }): Adoption => ({ do: 'removeAttribute', id, name })),
  ];
}

const byColumn = (attributes: readonly Attribute[]): ReadonlyMap<string, Attribute> =>
  new Map(attributes.map((attribute) => [columnOf(attribute), attribute]));
