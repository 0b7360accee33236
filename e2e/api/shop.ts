/** A small shop with two tenants, for tests that ask for something in particular. */
import { apiModelOf, compile, serve, type ApiModel, type Endpoint, type Request } from '@quarterdeck/api';
import type { Attribute, AttributeType, Model } from '@quarterdeck/data-model';
import type { Ground } from './grounds';

const attribute = (
  entity: string,
  name: string,
  type: AttributeType,
  more: Partial<Attribute> = {},
): Attribute => ({
  id: `${entity}.${name}`,
  name,
  type,
  optional: false,
  ...more,
});

const entity = (name: string, attributes: (readonly [string, AttributeType, Partial<Attribute>?])[]) => ({
  id: name,
  name,
  isUuid: false,
  attributes: [...attributes, ['Tenant', 'String'] as const].map(([its, type, more]) =>
    attribute(name, its, type, more),
  ),
});

export const SHOP: Model = {
  optionSets: [],
  entities: [
    entity('Customer', [
      ['Name', 'String'],
      ['City', 'String', { optional: true }],
      ['Password hash', 'String', { optional: true }],
    ]),
    entity('Order', [
      ['Customer', 'ForeignKey', { foreignEntity: 'Customer' }],
      ['Note', 'String', { optional: true }],
      ['Total', 'BigDecimal'],
      ['Placed at', 'LocalDateTime'],
    ]),
    entity('Order line', [
      ['Order', 'ForeignKey', { foreignEntity: 'Order' }],
      ['SKU', 'String'],
      ['Quantity', 'Int'],
    ]),
  ],
};

export interface Shop {
  readonly model: ApiModel;
  /** Answers the value of the last block. @throws Refused */
  call(endpoint: object, request?: Partial<Request>): Promise<unknown>;
  /** How many rows there are, of all tenants. */
  count(table: 'customer' | 'order_' | 'order_line'): Promise<number>;
}

/** Ann (tenant red) has two orders, one of them with two lines; Bob (tenant blue) has one without lines. */
export async function openShop(ground: Ground): Promise<Shop> {
  await ground.renew(SHOP);
  const model = apiModelOf(SHOP, ground.dialect, { tenant: 'tenant' });
  const run = (text: string) => ground.ask({ text, values: [] });
  await run(
    "insert into customer (id, name, city, password_hash, tenant) values (1, 'Ann', 'Bern', 'x1', 'red'), (2, 'Bob', null, 'y2', 'blue')",
  );
  await run(
    "insert into order_ (id, customer_id, note, total, placed_at, tenant) values (1, 1, null, 10, '2026-01-01 10:00:00', 'red'), (2, 1, 'gift', 20.5, '2026-01-02 10:00:00', 'red'), (3, 2, null, 30, '2026-01-03 10:00:00', 'blue')",
  );
  await run(
    "insert into order_line (id, order_id, sku, quantity, tenant) values (1, 2, 'A', 1, 'red'), (2, 2, 'B', 2, 'red')",
  );
  if (ground.dialect === 'postgresql')
    for (const table of ['customer', 'order_', 'order_line'])
      await run(`alter table ${table} alter column id restart with 10`);
  return {
    model,
    call: async (endpoint, request = {}) => {
      const compiled = compile(
        { method: 'POST', path: '/', permissions: ['app'], ...endpoint } as Endpoint,
        model,
      );
      const result = await serve(
        compiled,
        {
          params: {},
          query: {},
          body: null,
          user: { id: '1' },
          now: '2026-11-28T13:30:00.000000',
          tenant: 'red',
          ...request,
        },
        { ask: ground.ask, uuid: () => '', snippet: () => Promise.reject(new Error('no guests here')) },
      );
      return result.value();
    },
    count: async (table) => Number((await run(`select count(*) as n from ${table}`)).rows[0]?.['n']),
  };
}
