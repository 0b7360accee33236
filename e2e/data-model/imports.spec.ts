/** Imports of the starter and of real databases, undone and taken as a baseline. */
import type { Answer, versions } from '@quarterdeck/contract';
import { Client } from 'pg';
import { v7 as uuidv7 } from 'uuid';
import { openWorld, type World } from '../backend/world';
import type { Operator } from '../../testing/backend';
import { databaseAt } from './database-at';
import { modelCalls } from './model-calls';
import { postgresqlSchemas } from './schemas/postgresql';
import { catalogueOf } from './schemas/reader';

type Preview = Answer<typeof versions.preview>;
type Plan = Answer<typeof versions.plan>;

let world: World;
let alice: Operator;
let shop: string;
const { post, id, applied, endOf, newest, undone } = modelCalls(() => alice);
const attribute = { column: '', type: 1, optional: true, foreignEntity: null, modelOptionSet: null };
const names = async (): Promise<string[]> => {
  const { body } = await post<{ name: string }[]>('entity/list', { product: { id: shop } });
  return body.map(({ name }) => name);
};

beforeAll(async () => {
  world = await openWorld({ env: { OUTBOUND_ALLOW: '127.0.0.0/8' } });
  alice = await world.backend.signIn({ workspace: 'imports', role: 'admin', email: 'alice@example.org' });
  shop = await id(alice.post('product/insert', { data: { name: 'Import' } }));
});
afterAll(async () => {
  await world?.end();
});

test('structure 1 is previewed, added, and taken back by one undo, which can be undone', async () => {
  const source = { product: { id: shop }, structure: { id: 1 } };
  const { body: preview } = await post<Preview>('version/import/preview', source);
  expect(preview.entities.map(({ name }) => name)).toEqual(['Role', 'User', 'Session', 'Address']);
  expect(preview.entities[2]?.attributes[0]).toMatchObject({ name: 'User', column: 'user_id', to: 'User' });
  expect(await names()).toEqual([]);
  expect(await post('version/import/structure', { ...source, seal: 'stale' })).toMatchObject({
    status: 409,
  });
  const { body } = await post('version/import/structure', { ...source, seal: preview.seal });
  expect(body).toEqual({ runId: expect.any(String), edits: 24, left: [] });
  expect(await names()).toEqual(['Address', 'Role', 'Session', 'User']);
  expect(await post('version/import/structure', source)).toMatchObject({ status: 422 });
  const first = await newest('AttributeAdded');
  expect(await undone(first)).toMatchObject({ count: 4, removes: true });
  expect(await names()).toEqual([]);
  expect((await undone(first)).refused).toBe('it has been removed already');
  expect(await undone(await newest('EntityRemoved'))).toMatchObject({ count: 4, removes: false });
  expect(await names()).toEqual(['Address', 'Role', 'Session', 'User']);
});

test('an undo keeps an addition that was changed since, contains something, or is pointed to', async () => {
  const isUuid = false;
  const add = (name: string) =>
    id(post('entity/insert', { data: { name, table: '', isUuid }, product: { id: shop } }));
  const pay = await add('Payment');
  const added = await newest('EntityAdded');
  const amount = await id(
    post('attribute/insert', { data: { ...attribute, name: 'Amount' }, entity: { id: pay } }),
  );
  expect((await undone(added)).refused).toBe('Amount was added to it since');
  await id(post('attribute/delete', { id: amount }));
  const rename = (name: string) => id(post('entity/update', { id: pay, data: { name, table: '', isUuid } }));
  await rename('Payout');
  expect((await undone(added)).refused).toBe('Payout was changed since');
  await rename('Payment');
  const bill = await add('Bill');
  const pointer = { ...attribute, name: 'Paid by', type: 8, foreignEntity: { id: pay } };
  await id(post('attribute/insert', { data: pointer, entity: { id: bill } }));
  expect((await undone(added)).refused).toBe('Bill.Paid by points to it by now');
  await id(post('entity/delete', { id: bill, name: 'Bill' }));
  expect((await undone(added)).refused).toBeUndefined();
  expect(await names()).not.toContain('Payment');
});

test('a database has the version of its import without a statement, and another one does not', async () => {
  const [origin, other] = [await world.postgres.newDatabase(), await world.postgres.newDatabase()];
  const legacy = await id(alice.post('product/insert', { data: { name: 'Legacy' } }));
  const [inside, outside] = [origin, other].map((connectionString) => new Client({ connectionString }));
  await inside!.connect();
  await outside!.connect();
  for (const sql of postgresqlSchemas['Pagila-like'] ?? []) await inside!.query(sql);
  await outside!.query('create table actor (actor_id int primary key)');
  const [first, second] = [
    await id(alice.post('database/insert', { data: databaseAt(origin), product: { id: legacy } })),
    await id(alice.post('database/insert', { data: databaseAt(other), product: { id: legacy } })),
  ];
  const runId = uuidv7();
  await post('version/import/structure', { product: { id: legacy }, database: { id: first }, runId });
  expect(await endOf(runId)).toMatchObject({ state: 'succeeded' });
  const { left } = (await post<{ left: string[] }>('version/import/detail', { run: runId })).body;
  expect(left).toContain('actor: trigger last_updated is left alone.');
  expect(left.filter((one) => !one.endsWith('is left alone.'))).toEqual([]);
  const uuid = await id(post('version/create', { id: legacy }));

  const planned = (await post<Plan>('version/plan', { uuid, database: { id: first } })).body;
  expect(planned).toMatchObject({ from: 0, to: 1, statements: [], destroys: false, fits: true });
  expect(planned.alone).toContain('The view actor_info is left alone.');
  const elsewhere = (await post<Plan>('version/plan', { uuid, database: { id: second } })).body;
  expect(elsewhere).toMatchObject({ fits: false });
  expect(await post('version/baseline', { uuid, database: { id: second } })).toMatchObject({
    status: 409,
    body: { msg: expect.stringContaining('does not have the structure of version 1: The table') },
  });

  const before = await catalogueOf('postgresql', async (sql) => (await inside!.query(sql)).rows);
  const run = uuidv7();
  const asked = { uuid, database: { id: first }, seal: planned.seal, runId: run };
  expect(await post('version/baseline', asked)).toMatchObject({ status: 200, body: { runId: run } });
  expect(await endOf(run)).toMatchObject({ state: 'succeeded' });
  expect(await newest('VersionBaselined')).toBeDefined();
  expect(await catalogueOf('postgresql', async (sql) => (await inside!.query(sql)).rows)).toEqual(before);
  expect((await post<Plan>('version/plan', { uuid, database: { id: first } })).body).toMatchObject({
    from: 1,
    statements: [],
    fits: false,
  });
  expect(await post('version/delete', { uuid })).toMatchObject({ status: 409 });

  // What no version had stays, and the next version changes only what it says.
  await inside!.query('create table by_hand (x int)');
  await inside!.query('alter table film add column also_by_hand int');
  const { body: attributes } = await post<{ id: string; name: string }[]>('attribute/listWEntity', {
    product: { id: legacy },
  });
  const title = attributes.find(({ name }) => name === 'Title');
  await id(post('attribute/update', { id: title?.id, data: { ...attribute, name: 'Heading' } }));
  const next = await id(post('version/create', { id: legacy }));
  const change = (await post<Plan>('version/plan', { uuid: next, database: { id: first } })).body;
  expect(change.statements.map(({ sql }) => sql)).toEqual([
    'alter table "film" rename column "title" to "heading";',
    'alter table "film" alter column "heading" drop not null;',
  ]);
  await applied({ uuid: next, database: { id: first }, seal: change.seal, repair: true });
  expect((await inside!.query('select heading, also_by_hand from film')).rows).toEqual([]);
  expect((await inside!.query('select x from by_hand')).rows).toEqual([]);
  await inside!.end();
  await outside!.end();
});
