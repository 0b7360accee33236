/** The five endpoints of an entity fit the model that they are made of. covers: API-02, API-03 */
import { apiModelOf, problemsOf } from '@quarterdeck/api';
import type { Attribute, Entity, Model } from '@quarterdeck/data-model';
import { endpointsOf } from './entity-endpoints';

const attribute = (name: string, type: Attribute['type'], more: Partial<Attribute> = {}): Attribute => ({
  id: name,
  name,
  type,
  optional: false,
  ...more,
});
const orderLine: Entity = {
  id: 'line',
  name: 'Order line',
  isUuid: false,
  attributes: [
    attribute('Product', 'ForeignKey', { foreignEntity: 'product' }),
    attribute('Quantity', 'Int'),
    attribute('Note', 'String', { optional: true }),
    attribute('Password hash', 'String', { optional: true }),
  ],
};
const product: Entity = {
  id: 'product',
  name: 'Product',
  isUuid: true,
  attributes: [attribute('Name', 'String')],
};
const model: Model = {
  entities: [orderLine, product, { ...product, id: 'bare', name: 'Bare', attributes: [] }],
  optionSets: [],
};

const made = (name: string, tenant?: string) => {
  const known = apiModelOf(model, 'postgresql', tenant === undefined ? {} : { tenant });
  const entity = known.entities.get(name);
  if (!entity) throw new Error(name);
  return { known, all: endpointsOf(entity) };
};

it.each(['OrderLine', 'Product'])('of %s have no problem', (name) => {
  const { known, all } = made(name);
  expect(all).toHaveLength(5);
  expect(all.flatMap((one) => problemsOf(one, known))).toEqual([]);
});

it('are list, detail, insert, update and delete at two paths', () => {
  const { all } = made('OrderLine');
  expect(all.map(({ method, path, blocks }) => `${method} ${path} ${blocks[0]?.type}`)).toEqual([
    'GET /order-line list',
    'GET /order-line/:id detail',
    'POST /order-line insert',
    'PUT /order-line/:id update',
    'DELETE /order-line/:id delete',
  ]);
});

it('take what may be written, without what is hidden, and nothing else', () => {
  const { all } = made('OrderLine');
  expect(all[2]).toMatchObject({
    statusOut: 201,
    permissions: ['app', 'admin'],
    bodyShape: {
      product: { type: 'Uuid' },
      quantity: { type: 'Int' },
      note: { type: 'String', optional: true },
    },
    blocks: [
      {
        data: {
          product: { $: 'body.product' },
          quantity: { $: 'body.quantity' },
          note: { $: 'body.note', default: null },
        },
      },
    ],
  });
  expect(JSON.stringify(all)).not.toMatch(/password/i);
});

it('are none for an entity in which nothing can be set', () => {
  expect(made('Bare').all).toEqual([]);
});
