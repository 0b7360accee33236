/** covers: API-02, API-03. What an editor says while somebody types, and what no save accepts. */
import type { Attribute, AttributeType, Model } from '@quarterdeck/data-model';
import { apiModelOf, problemsOf } from './index';

const attribute = (name: string, type: AttributeType, more: Partial<Attribute> = {}): Attribute => ({
  id: name,
  name,
  type,
  optional: false,
  ...more,
});

const MODEL: Model = {
  optionSets: [{ id: 's', name: 'Status', values: [{ id: '1', key: 1, value: 'open' }] }],
  entities: [
    {
      id: 'customer',
      name: 'Customer',
      isUuid: true,
      attributes: [
        attribute('Name', 'String'),
        attribute('Password hash', 'String', { optional: true }),
        attribute('Settings', 'JSON', { optional: true }),
      ],
    },
    {
      id: 'order',
      name: 'Order',
      isUuid: false,
      attributes: [
        attribute('Customer', 'ForeignKey', { foreignEntity: 'customer' }),
        attribute('Placed at', 'LocalDateTime'),
        attribute('Status', 'Int', { optionSet: 's' }),
        attribute('Note', 'String', { optional: true }),
      ],
    },
    {
      id: 'line',
      name: 'Order line',
      isUuid: false,
      attributes: [attribute('Order', 'ForeignKey', { foreignEntity: 'order' }), attribute('SKU', 'String')],
    },
  ],
};
const model = apiModelOf(MODEL, 'postgresql');

const endpointWith = (block: object, more: object = {}) => ({
  method: 'POST',
  path: '/orders/:id',
  permissions: ['app'],
  blocks: [block],
  ...more,
});
const said = (block: object, more: object = {}) =>
  problemsOf(endpointWith(block, more), model).map(({ path, message }) => `${path.join('.')}: ${message}`);
const list = (filters: object) => ({ type: 'list', entity: 'Order', filters });

test('names parts as JSON does: First name is firstName', () => {
  expect([...model.entities.keys()]).toEqual(['Customer', 'Order', 'OrderLine']);
  expect([...(model.entities.get('Order')?.attributes.keys() ?? [])]).toEqual([
    'id',
    'customer',
    'placedAt',
    'status',
    'note',
  ]);
});

test.each<[string, object, string]>([
  [
    'an unknown entity',
    { type: 'list', entity: 'Ordr' },
    'blocks.0.entity: there is no entity Ordr, did you mean Order?',
  ],
  [
    'an unknown attribute, with the nearest name',
    list({ placed_at: 1 }),
    'blocks.0.filters.placed_at: Could not find field placed_at in Order, did you mean placedAt?',
  ],
  [
    'an operator of the wrong type',
    list({ status: { contains: 'a' } }),
    'blocks.0.filters.status.contains: contains needs a text, not a Int',
  ],
  [
    'an unknown operator',
    list({ status: { raw: '1' } }),
    'blocks.0.filters.status.raw: raw is not an operator: use eq, neq, lt',
  ],
  [
    'a literal of the wrong type',
    list({ status: 'open' }),
    'blocks.0.filters.status: status: expected a whole number',
  ],
  [
    'JSON compared with a text',
    { type: 'list', entity: 'Customer', filters: { settings: 'x' } },
    'settings is JSON: only isNull',
  ],
  ['a parameter that the path lacks', list({ id: { $: 'params.order' } }), 'the path has no parameter order'],
  [
    'a name that the chain lacks',
    list({ id: { $: 'chain.order.id' } }),
    'the chain has, before this block, no order',
  ],
  [
    'an optional value within not',
    list({ not: { id: { $: 'query.id', optional: true } } }),
    'id cannot be optional here',
  ],
  [
    'an optional value in a delete',
    { type: 'delete', entity: 'Order', filters: { id: { $: 'query.id', optional: true } } },
    'id cannot be optional here',
  ],
  [
    'a relation that does not point here',
    list({ some: { 'Customer.name': {} } }),
    'no relation Customer.name points to Order: there are OrderLine.order',
  ],
  [
    'a reference without a target',
    { type: 'list', entity: 'Order', references: { note: {} } },
    'note points to no entity',
  ],
  [
    'an update without values',
    { type: 'update', entity: 'Order', filters: { id: 1 }, data: {} },
    'name at least one attribute',
  ],
  [
    'an insert without a required value',
    { type: 'insert', entity: 'Order', data: {} },
    'customer is required',
  ],
  [
    'a value outside of the options',
    { type: 'update', entity: 'Order', filters: { id: 1 }, data: { status: 7 } },
    'expected one of the options 1',
  ],
  [
    'an empty required attribute',
    { type: 'update', entity: 'Order', filters: { id: 1 }, data: { status: null } },
    'status: cannot be empty',
  ],
  [
    'a value of the wrong clock',
    { type: 'update', entity: 'Order', filters: { id: 1 }, data: { note: { $now: 'date' } } },
    '$now: date is a LocalDate, and note is a String',
  ],
  ['`item` outside of insertMultiple', list({ id: { $: 'item.id' } }), 'item cannot be used here'],
  [
    'an order by JSON',
    { type: 'list', entity: 'Customer', order: { by: 'settings' } },
    'rows cannot be ordered by settings',
  ],
  ['an unknown type', { type: 'upsert', entity: 'Order' }, 'blocks.0.type: Type unknown'],
  ['a detail of any row', { type: 'detail', entity: 'Order', filters: {} }, 'a detail needs a filter'],
  [
    'a number that may be absent',
    { type: 'list', entity: 'Order', take: { $: 'query.take', optional: true } },
    'blocks.0.take: a number cannot be optional',
  ],
  [
    'a default that is no number',
    { type: 'list', entity: 'Order', skip: { $: 'query.skip', default: 'x' } },
    'blocks.0.skip: the default has to be a whole number',
  ],
])('says that there is %s', (_, block, message) => {
  expect(said(block).join('\n')).toContain(message);
});

test.each<[string, object]>([
  ['{}', {}],
  ['and with {}', { and: [{}, {}] }],
  ['or with {}', { or: [{ id: 1 }, {}] }],
  ['every alone', { every: { 'OrderLine.order': { sku: 'a' } } }],
  ['a required relation without conditions', { customer: {} }],
  ['notIn of nothing', { id: { notIn: [] } }],
  ['a required attribute that is not empty', { id: { isNull: false } }],
])('an update and a delete refuse filters that fit every row, unless all is true: %s', (_, filters) => {
  const block = { type: 'delete', entity: 'Order', filters };
  expect(said(block)[0]).toMatch('these filters fit every row');
  expect(said({ ...block, all: true })).toEqual([]);
});

test('a GET reads no body, and nobody is signed in where no permission is asked for', () => {
  const block = list({ note: { $: 'body.note' }, customer: { $: 'user.id' } });
  expect(said(block, { method: 'GET', permissions: [] })).toEqual([
    'blocks.0.filters.note: a GET has no body: use query',
    'blocks.0.filters.customer: nobody is signed in, because the endpoint asks for no permission',
  ]);
});

test('in a product with tenants, every entity has a tenant or is shared', () => {
  const withTenants = apiModelOf(MODEL, 'postgresql', { tenant: 'customer', shared: ['OrderLine'] });
  const of = (entity: string) => problemsOf(endpointWith({ type: 'list', entity }), withTenants);
  expect(of('Order')).toEqual([]);
  expect(of('OrderLine')).toEqual([]);
  // The rows of Customer are the tenants: each caller sees its own.
  expect(of('Customer')).toEqual([]);
  const none = apiModelOf(MODEL, 'postgresql', { tenant: 'customer' });
  expect(problemsOf(endpointWith({ type: 'list', entity: 'OrderLine' }), none)[0]?.message).toMatch(
    'has no customer',
  );
});

test('300 endpoints are looked through within the time of one key press', () => {
  const endpoints = Array.from({ length: 300 }, (_, at) =>
    endpointWith({
      type: 'list',
      entity: 'Order',
      name: `orders${at}`,
      filters: { status: { in: [1] }, customer: { name: { contains: { $: 'query.q' } } } },
      references: { customer: { projection: ['name'] }, lines: { from: 'OrderLine.order' } },
      order: { by: 'placedAt', desc: true },
    }),
  );
  expect(endpoints.flatMap((one) => problemsOf(one, model))).toEqual([]);
});
