// covers: VER-02, VER-03
/** What a plan asks the operator: values for existing rows, and what a column renamed by hand is. */
import type { Answer, versions } from '@quarterdeck/contract';
import type { RunView } from '@quarterdeck/projections';
import { Client } from 'pg';
import { v7 as uuidv7 } from 'uuid';
import type { Operator } from '../../testing/backend';
import { until } from '../../testing/patience';
import { openWorld, type World } from '../backend/world';
import { databaseAt } from './database-at';

type Plan = Answer<typeof versions.plan>;

let world: World;
let alice: Operator;
beforeAll(async () => {
  world = await openWorld({ env: { OUTBOUND_ALLOW: '127.0.0.0/8' } });
  alice = await world.backend.signIn({ workspace: 'questions', role: 'admin', email: 'alice@example.org' });
});
afterAll(() => world?.end());

const post = <T = { id: string }>(path: string, body: object) => alice.post<T>(`data-model/${path}`, body);
const id = async (answer: Promise<{ status: number; body: { id: string } }>): Promise<string> => {
  const { status, body } = await answer;
  expect({ status, body }).toMatchObject({ status: 200 });
  return body.id;
};
const attribute = { column: '', type: 1, optional: true, foreignEntity: null, modelOptionSet: null };

/** A product with an empty database. */
async function shop(name: string) {
  const product = { id: await id(alice.post('product/insert', { data: { name } })) };
  const address = await world.postgres.newDatabase();
  const database = { id: await id(alice.post('database/insert', { data: databaseAt(address), product })) };
  const inside = new Client({ connectionString: address });
  await inside.connect();
  const entity = (called: string) =>
    id(post('entity/insert', { data: { name: called, table: '', isUuid: false }, product }));
  const generate = () => id(post('version/create', product));
  return { product, database, inside, entity, generate };
}

async function applied(body: object): Promise<string> {
  const runId = uuidv7();
  await id(post('version/apply', { ...body, runId }));
  const run = async () => (await alice.post<RunView>('run/detail', { id: runId })).body;
  await until(async () => !['requested', 'running'].includes((await run()).state));
  expect(await run()).toMatchObject({ state: 'succeeded' });
  return runId;
}

test('a plan asks for the values that existing rows need, and the apply records them', async () => {
  const { inside, entity, generate } = await shop('Filled');
  const thing = await entity('Thing');
  await applied({ uuid: await generate() });
  await inside.query('insert into thing default values');
  const count = { ...attribute, name: 'Count', type: 2, optional: false };
  await id(post('attribute/insert', { data: count, entity: { id: thing } }));
  const version = await generate();
  const open = (await post<Plan>('version/plan', { uuid: version })).body;
  expect(open.findings).toMatchObject([{ where: 'thing.count', asks: 'Int', rows: 1 }]);
  const { seal } = open;
  expect(await post('version/apply', { uuid: version, seal })).toMatchObject({
    status: 422,
    body: { msg: expect.stringContaining('existing rows have no value for it') },
  });
  const planned = (where: string, value: string) =>
    post<Plan>('version/plan', { uuid: version, values: [{ where, value }] });
  expect(await planned('thing.count', 'many')).toMatchObject({
    status: 400,
    body: { data: { 'values.0.value': expect.stringContaining('a whole number') } },
  });
  expect(await planned('thing.other', '7')).toMatchObject({
    status: 400,
    body: { data: { 'values.0.where': 'existing rows need no value for thing.other' } },
  });
  const { body: shown } = await planned('thing.count', '7');
  expect(shown.findings).toMatchObject([{ code: 'requiredColumnFilled', where: 'thing.count' }]);
  expect(shown.statements.map(({ sql }) => sql)).toEqual([
    'alter table "thing" add column "count" integer not null default 7;',
    'alter table "thing" alter column "count" drop default;',
  ]);
  const values = [{ where: 'thing.count', value: '7' }];
  expect((await post('version/apply', { uuid: version, values, seal })).status).toBe(409);
  const run = await applied({ uuid: version, values, seal: shown.seal });
  expect((await inside.query('select count from thing')).rows).toEqual([{ count: 7 }]);
  await inside.end();
  const { body: output } = await alice.post<object>('run/output', { id: run });
  expect(JSON.stringify(output)).toContain('get the value');
  expect((await post<Plan>('version/plan', { uuid: version })).body).not.toHaveProperty('drift');
});

test('a plan asks for the value of rows that have none in a column that becomes required', async () => {
  const { inside, entity, generate } = await shop('Completed');
  const thing = await entity('Thing');
  const count = { ...attribute, name: 'Count', type: 2 };
  const added = await id(post('attribute/insert', { data: count, entity: { id: thing } }));
  await applied({ uuid: await generate() });
  await inside.query('insert into thing (count) values (null), (3), (null)');
  await id(post('attribute/update', { id: added, data: { ...count, optional: false } }));
  const version = await generate();
  const open = (await post<Plan>('version/plan', { uuid: version })).body;
  expect(open.findings).toMatchObject([
    { code: 'columnRequired', where: 'thing.count', asks: 'Int', rows: 2 },
  ]);
  expect(await post('version/apply', { uuid: version, seal: open.seal })).toMatchObject({ status: 422 });
  const planned = (value: string) =>
    post<Plan>('version/plan', { uuid: version, values: [{ where: 'thing.count', value }] });
  expect(await planned('many')).toMatchObject({ status: 400 });
  const { body: shown } = await planned('7');
  expect(shown.findings).toMatchObject([
    {
      code: 'requiredColumnFilled',
      reason: 'Rows without a value get the value "7" in thing.count.',
      rows: 2,
    },
  ]);
  expect(shown.statements.map(({ sql }) => sql)).toEqual([
    'update "thing" set "count" = 7 where "count" is null;',
    'alter table "thing" alter column "count" set not null;',
  ]);
  await applied({ uuid: version, values: [{ where: 'thing.count', value: '7' }], seal: shown.seal });
  expect((await inside.query('select count from thing order by id')).rows).toEqual([
    { count: 7 },
    { count: 3 },
    { count: 7 },
  ]);
  await inside.end();
  expect((await post<Plan>('version/plan', { uuid: version })).body).not.toHaveProperty('drift');
});

test('a column renamed by hand is adopted as a rename, unless the operator says that it is another', async () => {
  const { database, inside, entity, generate, product } = await shop('Renamed');
  const thing = await entity('Thing');
  await id(post('attribute/insert', { data: { ...attribute, name: 'Name' }, entity: { id: thing } }));
  const version = await generate();
  await applied({ uuid: version });
  await inside.query('alter table thing rename column name to title');
  const { drift, seal } = (await post<Plan>('version/plan', { uuid: version })).body;
  const renames = [{ table: 'thing', from: 'name', to: 'title' }];
  expect(drift).toMatchObject({ renames });
  const adopt = (its?: object[]) =>
    post('version/adopt', { uuid: version, database, seal, ...(its && { renames: its }) });
  expect(await adopt([{ table: 'thing', from: 'name', to: 'other' }])).toMatchObject({
    status: 400,
    body: { data: { 'renames.0': 'thing.name cannot have become other' } },
  });
  expect(await adopt(renames)).toMatchObject({ status: 200, body: { edits: 1, left: [] } });
  // On another database, the next version keeps the values.
  const { body } = await post<Answer<typeof versions.pending>>('version/pending', product);
  expect(body.statements.map(({ sql }) => sql.postgresql)).toEqual([
    'alter table "thing" rename column "name" to "title";',
  ]);
  await inside.end();
});
