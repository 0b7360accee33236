/** Reads the data model of a product from the read models. */
import { grouped, typeOfNumber, type Attribute, type Entity, type Model } from '@quarterdeck/data-model';
import type { attribute, entity, optionSet, optionSetValue } from '@quarterdeck/events';
import type { ViewOf } from '@quarterdeck/projections';
import { inView } from '../platform/in-view';
import type { Pool } from '../platform/tokens';

interface Rows {
  entities: ViewOf<typeof entity>[];
  attributes: ViewOf<typeof attribute>[];
  sets: ViewOf<typeof optionSet>[];
  values: ViewOf<typeof optionSetValue>[];
}

/** One statement, so all four lists are consistent. */
const gathered = `
  select
    (select coalesce(jsonb_agg(e.view order by lower(e.name), e.id), '[]') from read.entities e
      where e.workspace = $1 and e.product = $2) as entities,
    (select coalesce(jsonb_agg(a.view order by a.id), '[]') from read.attributes a
      join read.entities e on e.workspace = a.workspace and e.id = a.entity
      where a.workspace = $1 and e.product = $2) as attributes,
    (select coalesce(jsonb_agg(s.view order by lower(s.name), s.id), '[]') from read.option_sets s
      where s.workspace = $1 and s.product = $2) as sets,
    (select coalesce(jsonb_agg(v.view order by v.id), '[]') from read.option_set_values v
      join read.option_sets s on s.workspace = v.workspace and s.id = v."optionSet"
      where v.workspace = $1 and s.product = $2) as values`;

/** The current model, or the model at the instant that the call asks about. */
export const dataModelOf = async (db: Pool, workspace: string, product: string): Promise<Model> => {
  const { rows } = await db.query<Rows>(gathered, [workspace, product]);
  return modelFromRows(rows[0] ?? { entities: [], attributes: [], sets: [], values: [] });
};

const added = inView<Rows['attributes'][number]>('a.view');

/** When each attribute of a product was added, and by whom, by the id of the attribute. */
export const additionsOf = async (
  db: Pool,
  workspace: string,
  product: string,
): Promise<ReadonlyMap<string, { at: string; by: string }>> => {
  const { rows } = await db.query<{ id: string; at: string; by: string }>(
    `select a.id, ${added.text('addedAt')} as at, ${added.text('addedBy')} as by from read.attributes a
     join read.entities e on e.workspace = a.workspace and e.id = a.entity
     where a.workspace = $1 and e.product = $2`,
    [workspace, product],
  );
  return new Map(rows.map(({ id, at, by }) => [id, { at, by }]));
};

export const modelFromRows = ({ entities, attributes, sets, values }: Rows): Model => {
  const attributesOf = grouped(attributes, (one) => one.entity);
  const valuesOf = grouped(values, (one) => one.optionSet);
  return {
    entities: entities.map(({ id, name, table, isUuid, attributeOrder, native }): Entity => ({
      id,
      name,
      isUuid,
      ...(native && { native }),
      ...(table !== '' && { table }),
      attributes: inOrder(attributesOf.get(id) ?? [], attributeOrder).map(attributeFrom),
    })),
    optionSets: sets.map(({ id, name, valueOrder }) => ({
      id,
      name,
      values: inOrder(valuesOf.get(id) ?? [], valueOrder).map((value) => ({
        id: value.id,
        key: value.key,
        value: value.value,
      })),
    })),
  };
};

/** In the order set by operators, followed by newer elements. */
const inOrder = <T extends { id: string; addedAt: string }>(
  all: readonly T[],
  order: readonly string[],
): T[] => {
  const place = new Map(order.map((id, at) => [id, at]));
  const placeOf = ({ id }: T) => place.get(id) ?? order.length;
  return all.toSorted(
    (a, b) => placeOf(a) - placeOf(b) || compare(a.addedAt, b.addedAt) || compare(a.id, b.id),
  );
};

/** Times and ids have only ASCII characters, for which `localeCompare` is needlessly slow. */
const compare = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1);

const attributeFrom = (view: Rows['attributes'][number]): Attribute => {
  const { id, name, column, type, optional, foreignEntity, modelOptionSet, native } = view;
  return {
    id,
    name,
    type: typeOfNumber(type) ?? 'String',
    optional,
    ...(column !== '' && { column }),
    ...(foreignEntity && { foreignEntity: foreignEntity.id }),
    ...(modelOptionSet && { optionSet: modelOptionSet.id }),
    ...(native && { native }),
  };
};
