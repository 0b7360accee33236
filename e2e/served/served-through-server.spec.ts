/** An API whose database is reached through a server by SSH: its process has no key, and gets a socket. covers: API-02 */
import { readFileSync } from 'node:fs';
import { ServedApis } from '../../apps/backend/src/served/served-apis';
import { until } from '../../testing/patience';
import { startSshd, type Sshd } from '../../testing/sshd';
import { registerAt } from '../backend/world';
import { knownTo } from './memory';
import { openServedShop, type ServedShop } from './served-shop';
import { mariadbShop, type ShopDatabase } from './shop';

let served: ServedShop;
let sshd: Sshd;
let mariadb: ShopDatabase;
let server: string;

const names = () => served.send('/names');
const pid = async () =>
  Number((await served.world.backend.app.get(ServedApis, { strict: false }).of(served.instance)).pid);
/** SSH connections so far. */
const signedIn = () => readFileSync(sshd.log, 'utf8').split('Accepted publickey').length - 1;

beforeAll(async () => {
  [served, sshd, mariadb] = await Promise.all([openServedShop(), startSshd(), mariadbShop()]);
  server = await registerAt(served.alice, sshd);
  await served.shop.query(`insert into customer (name) values ('Ada')`);
  await served.added(
    'product/backend/endpoint',
    served.endpointOf({
      method: 'GET',
      path: '/names',
      blocks: [{ type: 'list', entity: 'Customer', projection: ['name'] }],
    }),
  );
});
afterAll(async () => {
  await served?.end();
  await Promise.all([sshd?.stop(), mariadb?.stop()]);
});

/** Changes fields of the only database. */
const change = async (fields: object): Promise<void> => {
  const [database] = await served.ask<Record<string, unknown>[]>('database/list', {
    product: { id: served.product },
  });
  const { name, host, port, username, env, dbType, certificate, encryption } = database ?? {};
  const password = decodeURIComponent(new URL(served.postgresUrl).password);
  const data = { name, host, port, username, password, env, dbType, certificate, encryption };
  const id = database?.['id'];
  await served.ask('database/update', { id, data: { ...data, server: { id: server }, ...fields } });
};

test('a database behind a server answers, and the process has no key of the server', async () => {
  expect(await names()).toMatchObject({ status: 200, body: [{ name: 'Ada' }] });
  const direct = await pid();
  await change({});
  expect(await names()).toMatchObject({ status: 200, body: [{ name: 'Ada' }] });
  expect(await pid()).not.toBe(direct);
  expect(signedIn()).toBeGreaterThan(0);
  const { privateKey } = await sshd.keyFor('ed25519');
  const [, body = ''] = privateKey
    .split('\n')
    .toReversed()
    .filter((line) => line.length > 20)
    .slice(0, 2);
  const wanted = {
    key: Buffer.from(body),
    database: Buffer.from(new URL(served.postgresUrl).pathname.slice(1)),
  };
  // Its last but one line: all keys of this kind begin alike.
  expect(knownTo(await pid(), wanted)).toEqual(['database']);
});

test('callers share a few connections over one SSH connection', async () => {
  const before = signedIn();
  // A busy machine may take longer than the API waits for a connection.
  await until(async () => {
    const answers = await Promise.all(Array.from({ length: 60 }, names));
    return answers.every(({ status }) => status === 200);
  });
  expect(signedIn()).toBe(before);
  const { rows } = await served.shop.query<{ count: number }>(
    `select count(*)::int from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
  );
  expect(rows[0]?.count).toBeLessThanOrEqual(10);
});

test('without the server it answers 503 with a sentence, and is back by itself', async () => {
  const before = await pid();
  sshd.kill('SIGKILL');
  await until(async () => (await names()).status === 503);
  const away = await names();
  expect(away).toMatchObject({
    status: 503,
    body: { message: 'the database of this API cannot be reached at the moment' },
  });
  expect(Number(away.headers.get('retry-after'))).toBeGreaterThan(0);
  await sshd.startAgain();
  await until(async () => (await names()).status === 200);
  expect(await pid()).toBe(before);
});

test('a server that shows another host key is not used', async () => {
  await sshd.swapHostKey();
  await until(async () => (await names()).status === 503);
  expect((await names()).status).toBe(503);
  await sshd.restoreHostKey();
  await until(async () => (await names()).status === 200);
});

test('MariaDB is reached the same way', async () => {
  const { host, port, database: name } = mariadb.access;
  await mariadb.query(`create user 'shop'@'%' identified by 'a-password-of-a-test'`);
  await mariadb.query(`grant all on \`${name}\`.* to 'shop'@'%'`);
  await mariadb.query(`insert into customer (name) values ('Grace')`);
  const before = await pid();
  await change({ name, host, port, username: 'shop', password: 'a-password-of-a-test', dbType: 1 });
  expect(await names()).toMatchObject({ status: 200, body: [{ name: 'Grace' }] });
  expect(await pid()).not.toBe(before);
});
