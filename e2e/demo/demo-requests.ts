/** A small API on loopback, and a collection of requests to it with the answers of some days. */
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { Operator } from '../../testing/operator';

const orders = [
  { id: 41, customer: 'Ada', total: 129.5, paid: true },
  { id: 42, customer: 'Grace', total: 18, paid: false },
];

export interface DemoRequests {
  /** What OUTBOUND_ALLOW has to contain. */
  allow: string;
  fill(by: Operator, product: string): Promise<void>;
  stop(): Promise<void>;
}

export const startDemoRequests = async (): Promise<DemoRequests> => {
  const server = createServer((request, response) => {
    const json = (status: number, body: unknown): void =>
      void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    if (request.url === '/sign-in') json(200, { session: 'demo-session-4711', validFor: 3600 });
    else if (request.headers.authorization === undefined) json(401, { error: 'sign in first' });
    else if (request.url === '/orders/42') json(200, orders[1]);
    else if (request.url?.startsWith('/orders')) json(200, { total: orders.length, orders });
    else json(404, { error: 'no such page' });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const fill = async (by: Operator, product: string): Promise<void> => {
    const add = async (path: string, body: object): Promise<string> => {
      const answer = await by.post<{ id: string }>(path, body);
      if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
      return answer.body.id;
    };
    const description = 'What the shop answers its apps.';
    const collection = {
      id: await add('request/collection/insert', { data: { name: 'Order API', description } }),
    };
    await add('request/variable/insert', {
      data: { name: 'base_url', env: { id: 1 }, collection, value: url },
    });
    await add('request/secret/insert', {
      data: { name: 'password', env: { id: 1 }, collection, value: 'correct horse battery staple' },
    });
    const save = (data: object): Promise<string> =>
      add('request/insert', {
        data: { host: '{{base_url}}', collection, product: { id: product }, ...data },
      });
    const param = (request: string, data: object): Promise<string> =>
      add('request/params/insert', { data, request: { id: request } });
    const signIn = await save({
      name: 'Sign in',
      method: { id: 2 },
      url: '/sign-in',
      body: '{"user": "ada", "password": "{{secret.password}}"}',
      checks: 'status == 200',
    });
    await param(signIn, { inOrOut: false, output: { name: 'session', paramType: { id: 1 } } });
    const list = await save({
      name: 'Orders',
      url: '/orders',
      checks: 'status == 200\njson.total > 0',
      sequence: 2,
    });
    await param(list, {
      inOrOut: true,
      input: { name: 'limit', paramType: { id: 3 } },
      dataType: { id: 2 },
      isOptional: true,
    });
    const one = await save({ name: 'One order', url: '/orders/42', checks: 'json.paid', sequence: 3 });
    for (const request of [list, one])
      await param(request, {
        inOrOut: true,
        input: { name: 'Authorization', paramType: { id: 2 } },
        value: 'Bearer {{session}}',
      });
    await by.post('request/collection/run', { id: collection.id });
  };
  return {
    allow: '127.0.0.0/8',
    fill,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};
