/**
 * The back end is killed right before it records an event of a creation, at many of them: the next process carries the
 * section on, and nothing is made twice. covers: WIZ-01
 */
import { Client } from 'pg';
import type { EventType } from '@quarterdeck/events';
import type { CreationSectionView } from '@quarterdeck/projections';
import { fieldsOf, idleKey, nowhere } from '../backend/world';
import { chooseOrganization, startOrganization } from '../repositories/ground';
import { spawnBackend, type BackendProcess } from '../../testing/backend-process';
import type { GitHubPeer } from '../../testing/github';
import { operator, type Operator } from '../../testing/operator';
import { until } from '../../testing/patience';
import { startTestPostgres, type TestPostgres } from '../../testing/postgres';
import { begin, begun, detailOf, sectionOf, settled, start, type Sent } from './creating';

/** Of advisory locks, in the database of this file. */
const LOCK = 42;

let postgres: TestPostgres;
let db: Client;
let github: GitHubPeer;
let backend: BackendProcess;
let ada: Operator;
let id: string;

const spawn = (): Promise<BackendProcess> =>
  spawnBackend({ databaseUrl: postgres.url, env: { GITHUB_API_URL: github.url } });

beforeAll(async () => {
  postgres = await startTestPostgres();
  github = await startOrganization();
  backend = await spawn();
  ada = await operator(backend.url).signIn(new URL(backend.signInLink).searchParams.get('code') ?? '');
  await chooseOrganization(ada);
  db = new Client({ connectionString: postgres.url });
  await db.connect();
  await db.query(`
    create function public.hold() returns trigger language plpgsql as
      $$ begin perform pg_advisory_xact_lock(${LOCK}); return new; end $$`);
  id = await begin(ada, 'product', { name: 'Bookshop', structure: true, version: true });
  await begun(ada, id);
});
afterAll(async () => {
  await db?.end();
  await backend?.stop();
  await github?.stop();
  await postgres?.stop();
});

/** Connections that wait for the lock. */
const holders = `select pid from pg_locks where locktype = 'advisory' and objid = ${LOCK} and not granted
  and database = (select oid from pg_database where datname = current_database())`;

/** Kills the back end while it records an event of this type, which is lost, and starts it again. */
const killedAt = async (type: EventType, work: () => Promise<unknown>): Promise<void> => {
  await db.query(`select pg_advisory_lock(${LOCK})`);
  await db.query(`create trigger hold before insert on log.events for each row when (new.type = '${type}')
    execute function public.hold()`);
  await work();
  await until(async () => ((await db.query(holders)).rowCount ?? 0) > 0);
  await backend.kill('SIGKILL');
  // The database would write what it has received.
  await db.query(`select pg_terminate_backend(pid) from (${holders}) as waiting`);
  await until(async () => (await db.query(holders)).rowCount === 0);
  await db.query('drop trigger hold on log.events');
  await db.query(`select pg_advisory_unlock(${LOCK})`);
  backend = await spawn();
  ada = operator(backend.url, ada.cookie);
};

const finished = async (section: string): Promise<CreationSectionView> => {
  const ended = await settled(ada, id, section);
  expect(ended).toMatchObject({ section, state: 'done', attempt: 1 });
  return ended;
};
const product = async (): Promise<string> => (await sectionOf(ada, id, 'product')).made[0]?.id ?? '';

test('a section whose run was never requested is begun by the next process', async () => {
  const values = { host: 'db.example.org', name: 'shop', username: 'shop', password: 'canary', port: 3306 };
  let asked: Promise<unknown> = Promise.resolve();
  await killedAt('RunRequested', async () => {
    asked = start(ada, id, 'database', values).catch(() => undefined);
  });
  await asked;
  const { made } = await finished('database');
  const { body } = await ada.post('database/list', { product: { id: await product() } });
  expect(body).toMatchObject([{ id: made[0]?.id, name: 'shop' }]);
});

const repository = { organization: 'acme', repo: 'shop', fromTemplate: { server: true, client: false } };
const service = { name: 'shop-api', port: 3000, withDb: true };
const moments: [string, EventType, (() => Promise<Sent>) | undefined][] = [
  ['repository', 'RepositoryCreated', () => Promise.resolve(repository)],
  ['server', 'CreationSectionDone', async () => ({ server: { id: await registered() } })],
  ['service', 'ServiceAdded', () => Promise.resolve(service)],
  ['domain', 'DomainAdded', () => Promise.resolve({ serverName: 'shop.localhost' })],
];
const registered = async (): Promise<string> => {
  const fields = { ...fieldsOf('web-1', nowhere), privateKey: idleKey() };
  return String((await ada.post('server/insert', fields)).body['id']);
};

test.each(moments)('%s is carried on after a kill at %s', async (section, type, valuesOf) => {
  const values = await valuesOf?.();
  await killedAt(type, async () => {
    expect(await start(ada, id, section, values)).toMatchObject({ status: 200 });
  });
  await finished(section);
});

test('nothing was made twice', async () => {
  const { sections } = await detailOf(ada, id);
  expect(sections.flatMap(({ made }) => made.map(({ kind }) => kind))).toEqual([
    'product',
    'version',
    'database',
    'repository',
    'service',
    'domain',
  ]);
  const of = { product: { id: await product() } };
  for (const [path, asked] of [
    ['product/list', {}],
    ['database/list', of],
    ['service/list', of],
  ] as const)
    expect([path, (await ada.post<object[]>(path, asked)).body.length]).toEqual([path, 1]);
  expect((await ada.post('domain/page', {})).body).toMatchObject({ total: 1 });
  expect([...github.repositories.keys()].filter((name) => name.startsWith('acme/shop'))).toEqual([
    'acme/shop',
  ]);
  expect(
    github
      .repository('acme', 'shop')
      ?.history()
      .filter((one) => one === 'Initial commit'),
  ).toHaveLength(1);
});
