/** A product with one entity, described by an operator, whose API is served by the console from a real database. */
import { createServer, type AddressInfo, type Server } from 'node:net';
import { Client } from 'pg';
import type { Operator } from '../../testing/backend';
import type { Answer } from '../../testing/operator';
import { startTestPostgres } from '../../testing/postgres';
import { openWorld, type World } from '../backend/world';
import { databaseAt } from '../data-model/database-at';

export interface ServedShop {
  readonly world: World;
  readonly alice: Operator;
  /** Its database. */
  readonly shop: Client;
  readonly postgresUrl: string;
  readonly product: string;
  /** Customer */
  readonly entity: string;
  readonly instance: string;
  readonly token: string;
  /** @throws unless the answer is 200 */
  ask<T = { id: string }>(path: string, body: object): Promise<T>;
  /** @returns the id of what was added */
  added(path: string, body: object): Promise<string>;
  /** Changes fields of an instance. Default: of `instance`. */
  change(fields: object, of?: string): Promise<Answer<{ data?: Record<string, string> }>>;
  /** The input that adds an endpoint. */
  endpointOf(data: object): { data: object; apiInfo: { id: string } };
  send(
    path: string,
    given?: RequestInit,
  ): Promise<{ status: number; headers: Headers; body: never; text: string }>;
  end(): Promise<void>;
}

export const json = (body: object, headers: Record<string, string> = {}): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
});

/** @param keep who keeps it. @returns a port that nobody else has */
export const portOf = async (keep?: Server[]): Promise<number> => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  if (keep) keep.push(server);
  else await new Promise((resolve) => server.close(resolve));
  return port;
};

const INSTANCE_FIELDS = [
  'name',
  'title',
  'env',
  'description',
  'firstName',
  'lastName',
  'email',
  'github',
  'multiTenant',
  'port',
  'bindTo',
];

/** @param env more variables of the console */
export const openServedShop = async (env: Record<string, string> = {}): Promise<ServedShop> => {
  const [world, postgres] = await Promise.all([
    openWorld({ env: { OUTBOUND_ALLOW: '127.0.0.1', ...env } } as never),
    startTestPostgres(),
  ]);
  const shop = new Client({ connectionString: postgres.url });
  await shop.connect();
  await shop.query('create table customer (id bigserial primary key, name varchar(255) not null)');
  const alice = await world.backend.signIn({
    workspace: 'served',
    role: 'admin',
    email: 'alice@example.org',
  });
  const ask = async <T = { id: string }>(path: string, body: object): Promise<T> => {
    const answer = await alice.post<T>(path, body);
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const added = async (path: string, body: object): Promise<string> => (await ask(`${path}/insert`, body)).id;
  const product = await added('product', { data: { name: 'Shop' } });
  const { server: _none, ...fields } = databaseAt(postgres.url);
  await added('database', { data: { ...fields, encryption: 'none' }, product: { id: product } });
  const entity = await added('data-model/entity', {
    data: { name: 'Customer', table: '', isUuid: false },
    product: { id: product },
  });
  await added('data-model/attribute', {
    data: { name: 'Name', column: '', type: 1, optional: false },
    entity: { id: entity },
  });
  const { uuid: instance } = await ask<{ uuid: string }>('product/backend/init', {
    productId: product,
    email: 'grace@example.org',
    github: 'grace',
    firstName: 'Grace',
    lastName: 'Hopper',
    instance: 'shop',
    title: 'Shop API',
    env: 1,
  });
  const { value: token } = await ask<{ value: string }>('product/backend/instance/reveal', {
    id: instance,
    field: 'token',
  });
  return {
    world,
    alice,
    shop,
    postgresUrl: postgres.url,
    product,
    entity,
    instance,
    token,
    ask,
    added,
    change: async (fields, of = instance) => {
      const now = await ask<Record<string, unknown>>('product/backend/instance/detail', { id: of });
      const data = { ...Object.fromEntries(INSTANCE_FIELDS.map((key) => [key, now[key]])), ...fields };
      return alice.post('product/backend/instance/update', { id: of, data });
    },
    endpointOf: (data) => ({
      data: {
        permissions: [],
        statusOut: 200,
        tag: '',
        bodyShape: null,
        routeChainMap: null,
        blocks: [],
        ...data,
      },
      apiInfo: { id: instance },
    }),
    send: async (path, given = {}) => {
      // A change is served once the read models show it.
      await world.backend.caughtUp();
      const answer = await fetch(`${world.backend.url}/api/instance/${instance}${path}`, given);
      const text = await answer.text();
      const body = (text === '' ? null : JSON.parse(text)) as never;
      return { status: answer.status, headers: answer.headers, body, text };
    },
    end: async () => {
      await shop.end();
      await world.end();
      await postgres.stop();
    },
  };
};
