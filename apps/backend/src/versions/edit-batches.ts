/** The order in which many edits are recorded. Pure. */
import { grouped, type Adoption } from '@quarterdeck/data-model';

type Doing<D extends Adoption['do']> = Extract<Adoption, { readonly do: D }>;

/** An edit with its place in the list, from which its ids are derived. */
export interface Placed<E extends Adoption = Adoption> {
  readonly at: number;
  readonly edit: E;
}

/** A new entity with all its attributes. */
export interface Table {
  readonly entity: Placed<Doing<'addEntity'>>;
  readonly attributes: readonly Placed<Doing<'addAttribute'>>[];
}

export interface EditOrder {
  /** A table follows those that it points to, or is in one batch with them. So a cancel between two leaves whole tables. */
  readonly batches: readonly (readonly Table[])[];
  /** Edits of what the model had before, made one by one after the tables. */
  readonly others: readonly Placed[];
}

/** Attributes: enough for one append of the log, and recorded in a moment. */
const MAX_BATCH = 200;

export function editOrder(edits: readonly Adoption[]): EditOrder {
  const placed = edits.map((edit, at) => ({ at, edit }));
  const entities = placed.filter((one): one is Table['entity'] => one.edit.do === 'addEntity');
  const isNew = new Set(entities.map(({ edit }) => edit.entity.id));
  const ofTables = placed.filter(
    (one): one is Table['attributes'][number] => one.edit.do === 'addAttribute' && isNew.has(one.edit.entity),
  );
  const attributesOf = grouped(ofTables, ({ edit }) => edit.entity);
  const tables = new Map(
    entities.map((entity) => {
      const { id } = entity.edit.entity;
      return [id, { entity, attributes: attributesOf.get(id) ?? [] }];
    }),
  );
  const inTables = new Set<Placed>([...entities, ...ofTables]);
  return {
    batches: [...batched(inOrder(tables))],
    others: placed.filter((one) => !inTables.has(one)),
  };
}

/** Joins small groups. */
function* batched(groups: Iterable<readonly Table[]>): Generator<readonly Table[]> {
  let batch: Table[] = [];
  let size = 0;
  for (const group of groups) {
    const its = group.reduce((sum, { attributes }) => sum + attributes.length + 1, 0);
    if (batch.length > 0 && size + its > MAX_BATCH) {
      yield batch;
      [batch, size] = [[], 0];
    }
    batch.push(...group);
    size += its;
  }
  if (batch.length > 0) yield batch;
}

interface Visit {
  readonly id: string;
  readonly targets: IterableIterator<string>;
  readonly place: number;
  /** The lowest place that can be reached from here. */
  low: number;
}

/**
 * Groups of tables that point to each other in circles, each after those that it points to (Tarjan). Without recursion:
 * a chain can have thousands of tables.
 */
function* inOrder(tables: ReadonlyMap<string, Table>): Generator<readonly Table[]> {
  const placeOf = new Map<string, number>();
  const open: string[] = [];
  const isOpen = new Set<string>();
  const path: Visit[] = [];
  const visit = (id: string): void => {
    const targets = (tables.get(id)?.attributes ?? []).flatMap(({ edit }) => {
      const { foreignEntity } = edit.attribute;
      return foreignEntity !== undefined && tables.has(foreignEntity) ? [foreignEntity] : [];
    });
    const place = placeOf.size;
    placeOf.set(id, place);
    open.push(id);
    isOpen.add(id);
    path.push({ id, targets: targets.values(), place, low: place });
  };
  for (const first of tables.keys()) {
    if (!placeOf.has(first)) visit(first);
    for (let here = path.at(-1); here; here = path.at(-1)) {
      const { value: target } = here.targets.next() as { value?: string };
      if (target !== undefined) {
        if (!placeOf.has(target)) visit(target);
        else if (isOpen.has(target)) here.low = Math.min(here.low, placeOf.get(target) ?? here.low);
        continue;
      }
      path.pop();
      const before = path.at(-1);
      if (before) before.low = Math.min(before.low, here.low);
      if (here.low < here.place) continue;
      const group: string[] = [];
      while (group.at(-1) !== here.id) {
        const id = open.pop() as string;
        isOpen.delete(id);
        group.push(id);
      }
      yield group.flatMap((id) => tables.get(id) ?? []);
    }
  }
}
