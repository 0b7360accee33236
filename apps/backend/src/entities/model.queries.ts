/** Reads the data model of a product from the read models. */
import {
  typeOfNumber,
  type Attribute,
  type Entity,
  type Model,
  type OptionSet,
} from '@quarterdeck/data-model';
import type { attribute, entity, optionSetValue } from '@quarterdeck/events';
import type { ViewOf } from '@quarterdeck/projections';
import { inView } from '../platform/in-view';
import type { Pool } from '../platform/tokens';

type Table = ViewOf<typeof entity>;
type Column = ViewOf<typeof attribute>;
type Value = ViewOf<typeof optionSetValue>;

/** Without names and without what pages show besides: a model of 30,000 attributes is parsed in one turn. */
type AttributeRow = readonly [
  id: string,
  name: string,
  column: string,
  type: number,
  optional: boolean,
  foreignEntity: string | null,
  optionSet: string | null,
  native: Column['native'],
];
type ValueRow = readonly [id: string, key: Value['key'], value: string];

/** What belongs to one parent. */
type Within<Row> = readonly [parent: string, rows: readonly Row[]];

interface Rows {
  entities: readonly (readonly [
    id: string,
    name: string,
    table: string,
    isUuid: boolean,
    native: Table['native'],
    order: readonly string[],
  ])[];
  attributes: readonly Within<AttributeRow>[];
  sets: readonly (readonly [id: string, name: string, order: readonly string[]])[];
  values: readonly Within<ValueRow>[];
}

const [ofAttribute, ofValue] = [inView<Column>('a.view'), inView<Value>('v.view')];

/**
 * One statement, so all lists are consistent. Parts are in the order in which they were added. They are not joined with
 * their parents here: without statistics that takes seconds.
 */
const gathered = `
  select
    (select coalesce(json_agg(
        json_build_array(e.id, e.name, e."table", e."isUuid", e.native, e."attributeOrder")
        order by lower(e.name), e.id
      ), '[]') from read.entities e where e.workspace = $1 and e.product = $2) as entities,
    (select coalesce(json_agg(json_build_array(within.entity, within.rows)), '[]') from (
      select a.entity, json_agg(
        json_build_array(a.id, a.name, a."column", a.type, a.optional, a."foreignEntity" ->> 'id',
          a."modelOptionSet" ->> 'id', a.native)
        order by ${ofAttribute.text('addedAt')} collate "C", a.id collate "C"
      ) as rows from read.attributes a
        join read.entities e on e.workspace = a.workspace and e.id = a.entity
        where a.workspace = $1 and e.product = $2 group by a.entity
    ) within) as attributes,
    (select coalesce(json_agg(
        json_build_array(s.id, s.name, s."valueOrder") order by lower(s.name), s.id
      ), '[]') from read.option_sets s where s.workspace = $1 and s.product = $2) as sets,
    (select coalesce(json_agg(json_build_array(within."optionSet", within.rows)), '[]') from (
      select v."optionSet", json_agg(
        json_build_array(v.id, v.key, v.value)
        order by ${ofValue.text('addedAt')} collate "C", v.id collate "C"
      ) as rows from read.option_set_values v
        join read.option_sets s on s.workspace = v.workspace and s.id = v."optionSet"
        where v.workspace = $1 and s.product = $2 group by v."optionSet"
    ) within) as values`;

/** The current model, or the model at the instant that the call asks about. */
export const dataModelOf = async (db: Pool, workspace: string, product: string): Promise<Model> => {
  const { rows } = await db.query<Rows>(gathered, [workspace, product]);
  return modelFromRows(rows[0] ?? { entities: [], attributes: [], sets: [], values: [] });
};

const added = inView<Column>('a.view');

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
  const [attributesOf, valuesOf] = [new Map(attributes), new Map(values)];
  return {
    entities: entities.map(([id, name, table, isUuid, native, order]): Entity => ({
      id,
      name,
      isUuid,
      ...(native && { native }),
      ...(table !== '' && { table }),
      attributes: inOrder(attributesOf.get(id) ?? [], order).map(attributeFrom),
    })),
    optionSets: sets.map(([id, name, order]): OptionSet => ({
      id,
      name,
      values: inOrder(valuesOf.get(id) ?? [], order).map(([value, key, text]) => ({
        id: value,
        key,
        value: text,
      })),
    })),
  };
};

/** In the order set by operators, followed by newer elements. */
const inOrder = <T extends readonly [id: string, ...unknown[]]>(
  all: readonly T[],
  order: readonly string[],
): readonly T[] => {
  if (order.length === 0) return all;
  const place = new Map(order.map((id, at) => [id, at]));
  const placeOf = ([id]: T) => place.get(id) ?? order.length;
  return all.toSorted((a, b) => placeOf(a) - placeOf(b));
};

const attributeFrom = ([
  id,
  name,
  column,
  type,
  optional,
  foreignEntity,
  optionSet,
  native,
]: AttributeRow): Attribute => ({
  id,
  name,
  type: typeOfNumber(type) ?? 'String',
  optional,
  ...(column !== '' && { column }),
  ...(foreignEntity !== null && { foreignEntity }),
  ...(optionSet !== null && { optionSet }),
  ...(native && { native }),
});
