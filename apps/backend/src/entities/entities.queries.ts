/** Queries that join the read models of entities and attributes. */
import { numberOfType } from '@quarterdeck/data-model';
import { attribute, entity } from '@quarterdeck/events';
import type { Answer, AttributeWithEntity, entities } from '@quarterdeck/contract';
import { listOf, type View } from '../platform/kit';
import type { Pool } from '../platform/tokens';
import { dataModelOf } from './model.queries';

type Which = { product: string } | { leadingTo: string };
type Graph = Answer<typeof entities.visualization>;

interface EntityRow extends View {
  name: string;
  product: string;
}

/** Attributes with their entities, in the order of the entities. Skips attributes of entities that are not listed. */
export const attributesOf = async (
  db: Pool,
  workspace: string,
  which: Which,
): Promise<AttributeWithEntity[]> => {
  const [all, rows] = await Promise.all([
    listOf(attribute, db, workspace),
    listOf(entity, db, workspace, 'product' in which ? which.product : undefined),
  ]);
  const found = new Map(rows.map((row) => [row.id, row as EntityRow]));
  const place = new Map(rows.map(({ id }, at) => [id, at]));
  const placeOf = ({ entity: { id } }: AttributeWithEntity): number => place.get(id) ?? 0;
  return (all as unknown as (Omit<AttributeWithEntity, 'entity'> & { entity: string })[])
    .flatMap((view): AttributeWithEntity[] => {
      const within = found.get(view.entity);
      return within ? [{ ...view, entity: { id: within.id, name: within.name } }] : [];
    })
    .filter(
      ({ entity: { id }, foreignEntity, modelOptionSet }) =>
        'product' in which ||
        (id !== which.leadingTo &&
          (foreignEntity?.id === which.leadingTo || modelOptionSet?.id === which.leadingTo)),
    )
    .toSorted((a, b) => placeOf(a) - placeOf(b));
};

/** The data model as a graph. */
export const graphOf = async (db: Pool, workspace: string, product: string): Promise<Graph> => {
  const { entities: all } = await dataModelOf(db, workspace, product);
  const known = new Set(all.map(({ id }) => id));
  return {
    dataModel: all.map(({ id, name, attributes }) => ({
      id,
      name,
      fields: attributes.map((one) => ({
        id: one.id,
        name: one.name,
        type: numberOfType(one.type),
        optional: one.optional,
      })),
    })),
    relations: all.flatMap(({ id: source, attributes }) =>
      attributes.flatMap(({ id, name, foreignEntity: target = '' }) =>
        known.has(target) ? [{ id, name, source, target }] : [],
      ),
    ),
  };
};
