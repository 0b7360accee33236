/** covers: API-02, API-03. What a definition may say. */
import { z } from 'zod';
import { blockShape, endpointShape, LIMITS, parametersOf } from './index';

/** The fifteen examples of the description of the language. */
const EXAMPLES = [
  { type: 'list', entity: 'Order' },
  { type: 'detail', entity: 'Order', filters: { id: { $: 'params.id' } } },
  {
    type: 'list',
    entity: 'Order',
    order: { by: 'placedAt', desc: true },
    take: { $: 'query.take', default: 25 },
    skip: { $: 'query.skip', default: 0 },
  },
  {
    type: 'list',
    entity: 'Order',
    filters: { or: [{ status: { in: [1, 2] } }, { note: { contains: { $: 'query.q' } } }] },
  },
  {
    type: 'list',
    entity: 'Order',
    filters: { total: { gte: 10, lt: 100 }, placedAt: { gte: { $: 'query.since' } } },
  },
  {
    type: 'list',
    entity: 'Customer',
    filters: { not: { city: { isNull: true } }, email: { neq: 'x@example.test' } },
  },
  { type: 'list', entity: 'Order', filters: { customer: { $: 'user.customer' } } },
  { type: 'list', entity: 'Order', filters: { customer: { city: { eq: 'City 7' } } } },
  { type: 'list', entity: 'Order', filters: { some: { 'OrderLine.order': { sku: 'SKU-7' } } } },
  {
    type: 'list',
    entity: 'Order',
    filters: {
      none: { 'OrderLine.order': { quantity: { gt: 8 } } },
      every: { 'OrderLine.order': { price: { gt: 0 } } },
    },
  },
  {
    type: 'list',
    entity: 'Order',
    projection: ['id', 'total'],
    references: {
      customer: { projection: ['name'] },
      lines: {
        from: 'OrderLine.order',
        projection: ['sku', 'quantity'],
        order: [{ by: 'quantity', desc: true }],
        take: 20,
      },
    },
  },
  { type: 'detail', entity: 'Customer', filters: { id: { $: 'chain.order.customer' } } },
  {
    type: 'insert',
    entity: 'Order',
    data: {
      customer: { $: 'user.customer' },
      status: 1,
      total: { $: 'body.total' },
      placedAt: { $now: 'dateTime' },
    },
  },
  {
    type: 'insertMultiple',
    entity: 'OrderLine',
    each: { $: 'body.lines' },
    data: {
      order: { $: 'chain.order.id' },
      sku: { $: 'item.sku' },
      quantity: { $: 'item.quantity', default: 1 },
      price: { $: 'item.price' },
    },
  },
  {
    type: 'update',
    entity: 'Order',
    filters: { id: { $: 'params.id' }, customer: { $: 'user.customer' } },
    data: { note: { $: 'body.note' } },
  },
];

test.each(EXAMPLES.map((one, at) => [at + 1, one] as const))('accepts example %i', (_, example) => {
  expect(blockShape.parse(example)).toEqual(example);
});

const list = (filters: unknown) => ({ type: 'list', entity: 'Order', filters });

test.each<[string, unknown, string]>([
  ['SQL as the name of an entity', { type: 'list', entity: 'Order"; drop table x' }, 'entity'],
  [
    'SQL as the name of an attribute of an order',
    { type: 'list', entity: 'O', order: { by: 'a" desc' } },
    'order.by',
  ],
  ['SQL as the name of an attribute', list({ 'id" or 1=1 --': 1 }), 'filters.id" or 1=1 --'],
  ['a place outside of the sources', list({ id: { $: 'process.env' } }), 'filters.id'],
  ['a prototype as a place', list({ id: { $: 'body.__proto__.x y' } }), 'filters.id'],
  ['more values than a list may have', list({ id: { in: Array(LIMITS.list + 1).fill(1) } }), 'filters.id'],
  ['an empty `or`', list({ or: [] }), 'filters.or'],
  ['an unknown key of a block', { type: 'list', entity: 'Order', raw: 'x' }, ''],
  ['an unknown type', { type: 'truncate', entity: 'Order' }, 'type'],
  ['`all: false`', { type: 'delete', entity: 'Order', filters: {}, all: false }, 'all'],
  [
    'a projection in an update',
    { type: 'update', entity: 'O', filters: {}, data: {}, projection: ['id'] },
    '',
  ],
])('refuses %s', (_, block, path) => {
  const { error } = blockShape.safeParse(block);
  expect(error?.issues.map((issue) => issue.path.join('.'))).toContain(path);
});

test('refuses filters that are nested without end before reading them', () => {
  let filters: unknown = { id: 1 };
  for (let level = 0; level < 100_000; level++) filters = { not: filters };
  expect(blockShape.safeParse(list(filters)).error?.issues[0]?.message).toMatch(
    'at most 8 levels of filters',
  );
});

const endpoint = { method: 'GET', path: '/orders/:id', blocks: [] };

test.each<[string, object, string]>([
  ['a status outside of 200 to 299', { statusOut: 300 }, 'Status outside of accepted range'],
  [
    'an unknown permission',
    { permissions: ['root'] },
    'Invalid option: expected one of "app"|"admin"|"superadmin"',
  ],
  ['an unknown method', { method: 'PATCH' }, 'Invalid option: expected one of "GET"|"POST"|"PUT"|"DELETE"'],
  [
    'a path without a slash',
    { path: 'orders' },
    'a path such as /orders/:id: letters, digits, and - . _ ~ between slashes',
  ],
  ['a path that callers shorten', { path: '/a/../b' }, 'nobody could call it'],
  ['a path that ends with a point', { path: '/a/.' }, 'nobody could call it'],
  ['an unknown type of the body', { bodyShape: { a: { type: 'File' } } }, 'Invalid option'],
])('refuses %s', (_, change, message) => {
  expect(endpointShape.safeParse({ ...endpoint, ...change }).error?.issues[0]?.message).toMatch(message);
});

test('has a JSON Schema, for the documents of the calls that carry it', () => {
  expect(z.toJSONSchema(endpointShape, { io: 'input', unrepresentable: 'any' })).toMatchObject({
    required: ['method', 'path', 'blocks'],
  });
});

test('knows the parameters of a path', () => {
  expect(parametersOf('/orders/:order/lines/:line')).toEqual(['order', 'line']);
});
