/**
 * What bit Hasura, Prisma, PostgREST, Strapi, Directus and others, on real engines.
 *
 * covers: API-03, API-04
 */
import { bound, compileCall, databaseRefusalOf, problemsOf, Refused, type Block } from '@quarterdeck/api';
import { startGrounds, type Ground } from './grounds';
import { openShop, type Shop } from './shop';

let grounds: Ground[];

beforeAll(async () => {
  grounds = await startGrounds();
});

afterAll(() => Promise.all(grounds.map((ground) => ground.stop())));

const refusalOf = async (work: Promise<unknown>) => {
  const error: unknown = await work.then(
    (answer) => answer,
    (thrown: unknown) => thrown,
  );
  return error instanceof Refused ? error.refusal : { answered: error };
};

const inQuery = (name: string) => ({ $: `query.${name}` });

describe.each([
  ['PostgreSQL', 0],
  ['MariaDB', 1],
])('%s', (_, at) => {
  let shop: Shop;

  beforeEach(async () => {
    shop = await openShop(grounds[at] as Ground);
  });

  const one = (block: object, request = {}) => shop.call({ blocks: [block] }, request);
  const said = (block: object) =>
    problemsOf({ method: 'POST', path: '/', permissions: ['app'], blocks: [block] }, shop.model)
      .map(({ message }) => message)
      .join('\n');

  test.each(['eq', 'neq', 'in', 'notIn', 'lt', 'contains'])(
    'hasura #3438: a null value makes no condition of an update or a delete true (%s)',
    async (operator) => {
      const attribute = operator === 'contains' ? 'note' : 'id';
      const filters = { [attribute]: { [operator]: inQuery('v') } };
      for (const block of [
        { type: 'delete', entity: 'Order', filters },
        { type: 'update', entity: 'Order', filters: { not: filters }, data: { note: 'x' } },
      ])
        expect(await refusalOf(one(block, { query: { v: null } }))).toMatchObject({
          status: 400,
          field: 'query.v',
        });
      expect(await shop.count('order_')).toBe(3);
    },
  );

  test('prisma #20169: an absent condition is refused, and never dropped from a delete', async () => {
    const block = { type: 'delete', entity: 'Order', filters: { id: inQuery('id') } };
    expect(await refusalOf(one(block))).toEqual({
      status: 400,
      field: 'query.id',
      message: 'This field is required',
    });
    expect(said({ ...block, filters: { id: { ...inQuery('id'), optional: true } } })).toMatch(
      'id cannot be optional here',
    );
    expect(await shop.count('order_')).toBe(3);
  });

  test('prisma #18193: `every` fits rows without children, so a delete with it alone is refused', async () => {
    const every = { every: { 'OrderLine.order': { quantity: { gt: 100 } } } };
    expect(said({ type: 'delete', entity: 'Order', filters: every })).toMatch('these filters fit every row');
    // Order 1 has no lines.
    expect(await one({ type: 'list', entity: 'Order', filters: every, projection: ['id'] })).toEqual([
      { id: '1' },
    ]);
    const both = { ...every, some: { 'OrderLine.order': {} } };
    expect(await one({ type: 'list', entity: 'Order', filters: both })).toEqual([]);
  });

  test('postgrest #3638, #4352: a delete applies its filters on related rows', async () => {
    const filters = { some: { 'OrderLine.order': { sku: 'none' } } };
    expect(await one({ type: 'delete', entity: 'Order', filters })).toEqual({ changed: 0 });
    const own = { customer: { name: 'Ann' }, none: { 'OrderLine.order': {} } };
    expect(await one({ type: 'delete', entity: 'Order', filters: own })).toEqual({ changed: 1 });
    expect(await shop.count('order_')).toBe(2);
    expect(said({ type: 'delete', entity: 'Order', filters: { id: 1 }, references: {} })).toMatch(
      'Unrecognized key',
    );
  });

  test('postgrest #4267: embedding shows only the rows of the caller', async () => {
    const block = {
      type: 'list',
      entity: 'Customer',
      projection: ['name'],
      references: { orders: { from: 'Order.customer', projection: ['id'] } },
    };
    expect(await one(block, { tenant: 'blue' })).toEqual([{ name: 'Bob', orders: [{ id: '3' }] }]);
  });

  test.each([
    ['a filter', { filters: { passwordHash: { startsWith: 'x' } } }],
    ['a filter of related rows', { entity: 'Order', filters: { customer: { passwordHash: 'x1' } } }],
    ['an order', { order: { by: 'passwordHash' } }],
    ['a projection', { projection: ['passwordHash'] }],
  ])('strapi #11869, directus #667: a hidden attribute cannot be guessed through %s', (_name, more) => {
    expect(said({ type: 'list', entity: 'Customer', ...more })).toMatch('passwordHash is never shown');
  });

  test('directus CVE-2024-34708: no alias shows a hidden attribute', async () => {
    expect(said({ type: 'list', entity: 'Customer', references: { passwordHash: {} } })).toMatch(
      'never shown',
    );
    expect(
      said({ type: 'list', entity: 'Order', references: { customer: { projection: ['passwordHash'] } } }),
    ).toMatch('never shown');
    const chained = [
      { type: 'detail', name: 'ann', entity: 'Customer', filters: { id: 1 } },
      { type: 'list', entity: 'Order', filters: { note: { $: 'chain.ann.passwordHash' } } },
    ];
    expect(
      problemsOf({ method: 'GET', path: '/', permissions: ['app'], blocks: chained }, shop.model)[0]?.message,
    ).toMatch('Customer has no attribute passwordHash');
    expect(
      JSON.stringify(await one({ type: 'detail', entity: 'Customer', filters: { id: 1 } })),
    ).not.toContain('x1');
  });

  test('directus #15437: a filter on related rows sees only those of the caller', async () => {
    await grounds[at]?.ask({
      text: "insert into order_line (id, order_id, sku, quantity, tenant) values (9, 1, 'SECRET', 1, 'blue')",
      values: [],
    });
    const block = {
      type: 'list',
      entity: 'Order',
      filters: { some: { 'OrderLine.order': { sku: 'SECRET' } } },
    };
    expect(await one(block)).toEqual([]);
  });

  test('directus #1978: no number tells how many rows of others fit', async () => {
    expect(
      await one({ type: 'update', entity: 'Order', filters: {}, all: true, data: { note: 'x' } }),
    ).toEqual({ changed: 2 });
    expect(
      await one({ type: 'delete', entity: 'OrderLine', filters: { id: { gt: 0 } } }, { tenant: 'blue' }),
    ).toEqual({ changed: 0 });
  });

  test('directus #12479: reads and writes have the same tenant; rows of others cannot be pointed at', async () => {
    const data = { customer: { $: 'body.customer' }, total: '1', placedAt: { $now: 'dateTime' } };
    const block = { type: 'insert', entity: 'Order', data };
    expect(await refusalOf(one(block, { body: { customer: 2 } }))).toEqual({
      status: 409,
      field: 'body.customer',
      message: 'there is no Customer 2',
    });
    expect(await one(block, { body: { customer: 1 } })).toMatchObject({
      customer: '1',
      tenant: 'red',
      total: '1.0000000000',
      placedAt: '2026-11-28T13:30:00',
    });
    expect(said({ ...block, data: { ...data, tenant: 'blue' } })).toMatch(
      'tenant is the tenant of the caller',
    );
    const update = { type: 'update', entity: 'Order', filters: { id: 1 }, data: { customer: 2 } };
    expect(await refusalOf(one(update))).toMatchObject({ status: 409 });
  });

  test.each([
    ['id', ''],
    ['id', '1 or 1=1'],
    ['id', { $gt: 0 }],
    ['id', ['1', '2']],
    ['id', true],
    ['id', 1e30],
    ['id', { eq: 1 }],
    ['total', '1e5'],
    ['placedAt', '2026-02-30T00:00:00'],
    ['note', 'a\0b'],
    ['note', '\ud800'],
  ])('hasura #5134: a wrong value for %s is 400: %j', async (name, value) => {
    const block = { type: 'list', entity: 'Order', filters: { [name]: inQuery('v') } };
    expect(await refusalOf(one(block, { query: { v: value } }))).toMatchObject({
      status: 400,
      field: 'query.v',
    });
  });

  test('hasura #9637: an equality is a plain comparison, so an index is of use', () => {
    const block = compileCall(
      { type: 'list', entity: 'Order', filters: { id: { in: [1, 2] }, customer: 1 } } as Block,
      shop.model,
    );
    const { text } = bound(
      (block as unknown as { reading: { sql: never } }).reading.sql,
      grounds[at]?.dialect ?? 'mysql',
      { params: {}, query: {}, body: null, user: null, chain: {}, in: {}, now: '', tenant: 'red' },
    );
    expect(text).not.toMatch(/ or |coalesce\(_1|::text =/);
  });

  test('worklenz #395: a sort key is a name of the model', () => {
    expect(said({ type: 'list', entity: 'Order', order: { by: 'id; drop table x' } })).toMatch(
      'a name has letters',
    );
    expect(said({ type: 'list', entity: 'Order', order: { by: { $: 'query.sort' } } })).not.toBe('');
  });

  test('tamagui #4054: without a tenant nothing is read, whatever an endpoint says', async () => {
    for (const block of [
      { type: 'list', entity: 'Order' },
      { type: 'insert', entity: 'Customer', data: { name: 'Eve' } },
      { type: 'delete', entity: 'Order', filters: {}, all: true },
    ])
      expect(await refusalOf(one(block, { tenant: undefined }))).toEqual({
        status: 401,
        field: 'user',
        message: 'sign in as a user who belongs to a tenant',
      });
    expect(await shop.count('order_')).toBe(3);
  });

  test('an empty text to search, and a list without values, change no rows', async () => {
    const search = { type: 'delete', entity: 'Order', filters: { note: { contains: inQuery('v') } } };
    expect(await refusalOf(one(search, { query: { v: '' } }))).toMatchObject({ status: 400 });
    const others = { type: 'delete', entity: 'Order', filters: { id: { notIn: { $: 'body.ids' } } } };
    expect(await refusalOf(one(others, { body: { ids: [] } }))).toMatchObject({
      status: 400,
      field: 'body.ids',
    });
  });

  test.each([
    "'; drop table order_; --",
    '"',
    '`',
    '\\',
    "\\' or 1=1 -- ",
    '${1}',
    '$1',
    '?',
    ':x',
    '%',
    '/* */',
  ])('a text is stored and found as it is: %s', async (text) => {
    expect(
      await one(
        { type: 'insert', entity: 'Customer', data: { name: { $: 'body.name' } } },
        { body: { name: text } },
      ),
    ).toMatchObject({ name: text });
    for (const operator of ['eq', 'contains', 'in'])
      expect(
        await one(
          {
            type: 'list',
            entity: 'Customer',
            filters: { name: { [operator]: operator === 'in' ? [text] : inQuery('v') } },
            projection: ['name'],
          },
          { query: { v: text } },
        ),
      ).toEqual([{ name: text }]);
    expect(await shop.count('order_')).toBe(3);
  });

  test('an error of the database is told in our words, without SQL', async () => {
    const ground = grounds[at] as Ground;
    const told = async (block: object, request = {}) =>
      databaseRefusalOf(await one(block, request).catch((error: unknown) => error), shop.model);
    expect(await told({ type: 'delete', entity: 'Order', filters: { id: 2 } })).toMatchObject({
      status: 409,
      message: expect.stringContaining('refer to this one: change or delete them first'),
    });
    await ground.ask({ text: 'create unique index customer_name on customer (name)', values: [] });
    expect(await told({ type: 'insert', entity: 'Customer', data: { name: 'Ann' } })).toMatchObject({
      status: 409,
      message: 'a row with this name exists already: give another one',
      fields: { name: 'a row with this name exists already: give another one' },
    });
    expect(databaseRefusalOf(new TypeError('ours'), shop.model)).toBeUndefined();
  });

  test('a place reads own properties only', async () => {
    for (const place of ['body.constructor.name', 'body.__proto__.x', 'body.toString'])
      expect(
        await refusalOf(
          one({ type: 'list', entity: 'Order', filters: { note: { $: place } } }, { body: {} }),
        ),
      ).toMatchObject({ status: 400, message: 'This field is required' });
  });

  test('a chain passes rows on: an order, its lines in one statement, and the detail of both', async () => {
    const endpoint = {
      bodyShape: {
        total: { type: 'BigDecimal' },
        lines: {
          type: 'Object',
          list: true,
          shape: { sku: { type: 'String' }, quantity: { type: 'Int', optional: true } },
        },
      },
      routeChainMap: { customer: { $: 'user.id' } },
      blocks: [
        {
          type: 'insert',
          name: 'order',
          entity: 'Order',
          data: {
            customer: { $: 'chain.customer' },
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
          },
        },
        {
          type: 'detail',
          entity: 'Order',
          projection: ['total'],
          filters: { id: { $: 'in.order' } },
          chainBlockMap: { order: { $: 'chain.0.id' } },
          references: {
            lines: {
              from: 'OrderLine.order',
              projection: ['sku', 'quantity'],
              order: { by: 'quantity', desc: true },
            },
            customer: { projection: ['name'] },
          },
        },
      ],
    };
    const body = { total: '12.5', lines: [{ sku: 'A' }, { sku: 'B', quantity: 3 }] };
    expect(await shop.call(endpoint, { body })).toEqual({
      total: '12.5000000000',
      lines: [
        { sku: 'B', quantity: 3 },
        { sku: 'A', quantity: 1 },
      ],
      customer: { name: 'Ann' },
    });
    expect(await refusalOf(shop.call(endpoint, { body: { ...body, extra: 1 } }))).toMatchObject({
      field: 'body.extra',
      message: 'unknown field: the fields are total, lines',
    });
    expect(await refusalOf(shop.call(endpoint, { body: { ...body, lines: [{ sku: 1 }] } }))).toEqual({
      status: 400,
      field: 'body.lines.0.sku',
      message: 'expected a text',
    });
  });
});
