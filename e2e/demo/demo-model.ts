/** A data model for one product of the demo: the starter, entities of a shop, one version, and changes since then. */
import { numberOfType, type AttributeType } from '@quarterdeck/data-model';
import type { Operator } from '../../testing/operator';

/** `points`: to the entity of this name. `set`: a value of the option set. */
type Row = readonly [
  name: string,
  type: AttributeType,
  more?: { optional?: boolean; points?: string; set?: true },
];

const ENTITIES: Readonly<Record<string, readonly Row[]>> = {
  Product: [
    ['Title', 'String'],
    ['Price', 'BigDecimal'],
    ['In stock', 'Int', { optional: true }],
  ],
  Order: [
    ['User', 'ForeignKey', { points: 'User' }],
    ['Status', 'Int', { set: true }],
    ['Date placed', 'LocalDateTime'],
  ],
  'Order item': [
    ['Order', 'ForeignKey', { points: 'Order' }],
    ['Product', 'ForeignKey', { points: 'Product' }],
    ['Quantity', 'Int'],
  ],
};
const STATES = ['new', 'paid', 'shipped', 'returned'];

/** @param product its id */
export async function modelOf(by: Operator, product: string): Promise<void> {
  const post = async <T>(path: string, body: object): Promise<T> => {
    const answer = await by.post<T>(`data-model/${path}`, body);
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const add = async (path: string, body: object): Promise<string> =>
    (await post<{ id: string }>(path, body)).id;
  const within = { product: { id: product } };

  await post('version/import/structure', { ...within, structure: { id: 1 } });
  const set = await add('option-set/insert', { data: { name: 'Order status' }, ...within });
  for (const [at, value] of STATES.entries())
    await add('option-set/value/insert', { data: { key: at + 1, value }, optionSet: { id: set } });
  const known = await post<{ id: string; name: string }[]>('entity/list', within);
  const ids = new Map(known.map(({ id, name }) => [name, id]));
  for (const name of Object.keys(ENTITIES))
    ids.set(name, await add('entity/insert', { data: { name, table: '', isUuid: false }, ...within }));
  const attribute = ([name, type, { optional = false, points, set: chosen } = {}]: Row): object => ({
    name,
    type: numberOfType(type),
    optional,
    ...(points !== undefined && { foreignEntity: { id: ids.get(points) } }),
    ...(chosen && { modelOptionSet: { id: set } }),
  });
  for (const [name, rows] of Object.entries(ENTITIES))
    for (const row of rows)
      await add('attribute/insert', { data: attribute(row), entity: { id: ids.get(name) } });
  await post('version/create', { id: product });
  const note = attribute(['Note', 'String', { optional: true }]);
  await add('attribute/insert', { data: note, entity: { id: ids.get('Order') } });
}
