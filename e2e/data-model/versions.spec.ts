/**
 * Versions of a data model: generated from the changes, promoted, downloaded, applied to a real database as a run.
 *
 * covers: VER-01, VER-02, VER-03, VER-04
 */
import { scryptSync } from 'node:crypto';
import type { Answer, migrations, versions } from '@quarterdeck/contract';
import { Client } from 'pg';
import { v7 as uuidv7 } from 'uuid';
import { openWorld, type World } from '../backend/world';
import { until } from '../../testing/patience';
import type { Operator } from '../../testing/backend';
import { databaseAt } from './database-at';
import { modelCalls } from './model-calls';

type Pending = Answer<typeof versions.pending>;
type Plan = Answer<typeof versions.plan>;
type Row = Answer<typeof versions.detail>;
type Ids = { id: string };

let world: World;
let alice: Operator;
let product: string;
let customer: string;
let email: string;
let first: string;
let second: string;
let database: string;
let target: Client;

const { post, id, applied, runOf, endOf, newest, undone } = modelCalls(() => alice);
const attribute = { column: '', type: 1, optional: true, foreignEntity: null, modelOptionSet: null };
const addAttribute = (data: object) =>
  id(post('attribute/insert', { data: { ...attribute, ...data }, entity: { id: customer } }));
const pending = async () => (await post<Pending>('version/pending', { id: product })).body;
const detail = async (version: string) => (await post<Row>('version/detail', { id: version })).body;
const rename = (name: string) => id(post('attribute/update', { id: email, data: { ...attribute, name } }));

beforeAll(async () => {
  world = await openWorld({ env: { OUTBOUND_ALLOW: '127.0.0.0/8' } });
  alice = await world.backend.signIn({ workspace: 'versions', role: 'admin', email: 'alice@example.org' });
  product = (await alice.post<Ids>('product/insert', { data: { name: 'Shop' } })).body.id;
  const url = await world.postgres.newDatabase();
  target = new Client({ connectionString: url });
  await target.connect();
  database = await id(alice.post('database/insert', { data: databaseAt(url), product: { id: product } }));
});
afterAll(async () => {
  await target?.end();
  await world?.end();
});

test('a version is generated from pending changes, and none without a change', async () => {
  expect(await post('version/create', { id: product })).toMatchObject({
    status: 422,
    body: { msg: 'there is no entity and no option set yet' },
  });
  const data = { name: 'Customer', table: '', isUuid: false };
  customer = await id(post('entity/insert', { data, product: { id: product } }));
  email = await addAttribute({ name: 'E-mail' });
  expect(await pending()).toMatchObject({
    last: 0,
    changes: [{ kind: 'entityAdded', words: 'Entity Customer added, with 1 attribute' }],
    statements: [{ fileName: 'V1_1__create_table_customer.sql' }],
    problems: [],
  });
  first = await id(post('version/create', { id: product }));
  expect(await detail(first)).toMatchObject({
    product,
    sequenceIndex: 1,
    version: '1',
    env: { id: 1 },
    statements: 1,
    applied: [],
  });
  expect(await pending()).toMatchObject({ last: 1, changes: [], statements: [] });
  expect(await post('version/create', { id: product })).toMatchObject({
    status: 422,
    body: { msg: 'nothing has changed since version 1' },
  });
});

test('a changed name becomes a rename of the column, and the texts of a version never change', async () => {
  await rename('Mail');
  await addAttribute({ name: 'Note' });
  const { changes, findings } = await pending();
  expect(changes.map(({ words }) => words)).toContain('Customer.E-mail: is now called Mail');
  expect(findings).toMatchObject([{ code: 'columnRenamed', severity: 'breaking' }]);
  second = await id(post('version/create', { id: product }));
  const list = () =>
    post<Answer<typeof migrations.list>>('migration/list', {
      product: { id: product },
      version: { uuid: second },
    });
  const { body: before } = await list();
  expect(before.map(({ fileName, migration }) => [fileName, migration.postgresql])).toEqual([
    ['V2_1__rename_column_customer_e_mail_to_mail.sql', expect.stringContaining('rename column')],
    ['V2_2__add_column_customer_note.sql', expect.stringContaining('add column')],
  ]);
  await rename('Address');
  expect((await list()).body).toEqual(before);
  const [one] = before;
  expect((await post('migration/detail', { id: one?.id })).body).toEqual(one);
  expect(await post('migration/delete', { id: one?.id })).toMatchObject({ status: 422 });
});

test('two versions, or a version and now, are compared in both directions', async () => {
  const difference = async (from: number, to?: number) =>
    (await post<Pending>('version/difference', { product: { id: product }, from, to })).body;
  const words = async (from: number, to?: number) =>
    (await difference(from, to)).changes.map((change) => change.words);
  expect(await words(1, 2)).toContain('Customer: attribute Note added (String)');
  expect(await words(2)).toContain('Customer.Mail: is now called Address');
  const back = await difference(2, 1);
  expect(back.changes.map((change) => change.words)).toContain('Customer: attribute Note removed');
  expect(back.findings).toContainEqual(expect.objectContaining({ code: 'dropColumn' }));
  const origins = await post<Answer<typeof versions.origins>>('version/origins', { id: second });
  expect(origins.body.map(({ attribute: { column }, since }) => [column, since])).toEqual([
    ['mail', 1],
    ['note', 2],
  ]);
});

test('a version moves one environment at a time', async () => {
  const move = (env: number) => post('version/update', { uuid: first, data: { env: { id: env } } });
  expect(await move(3)).toMatchObject({
    status: 400,
    body: { data: { env: 'one step at a time, in the order dev, test, prod' } },
  });
  await id(move(2));
  expect(await detail(first)).toMatchObject({ env: { id: 2 } });
  await id(move(1));
});

test('an apply is a run that carries out exactly the plan that was shown', async () => {
  const plan = (version: string) => post<Plan>('version/plan', { uuid: version });
  const shown = (await plan(first)).body;
  expect(shown).toMatchObject({
    from: 0,
    to: 1,
    destroys: false,
    database: { id: database, type: 'PostgreSQL' },
    statements: [{ fileName: 'V1_1__create_table_customer.sql' }],
  });
  await applied({ uuid: first, seal: shown.seal });
  await target.query(`insert into customer (e_mail) values ('ada@example.org')`);
  const { seal } = (await plan(second)).body;
  await target.query('create table by_hand (id int)');
  expect(await post('version/apply', { uuid: second, seal })).toMatchObject({
    status: 409,
    body: { msg: expect.stringContaining('has changed since this plan was shown') },
  });
  expect(await post('version/apply', { uuid: second })).toMatchObject({
    status: 409,
    body: { msg: expect.stringContaining('The table by_hand is not part of the version.') },
  });
  await target.query('drop table by_hand');
  const run = await applied({ uuid: second });
  expect((await target.query('select mail from customer')).rows).toEqual([{ mail: 'ada@example.org' }]);
  const shownNow = await detail(second);
  expect(shownNow).toMatchObject({ applied: [{ database: { id: database }, run }] });
  // In the specification's terms.
  expect(shownNow).toMatchObject({
    uuid: second,
    deployLog: { id: run, packageId: second, server: { id: database }, date: shownNow.applied[0]?.at },
    packageUrl: '/api/data-model/version/bundle',
    url: `/app/product/${product}/detail/version/${second}/edit`,
  });
  expect((await post('version/detail', { uuid: second })).body).toEqual(shownNow);
  expect(await detail(first)).toMatchObject({ deployLog: { packageId: first } });
  const { body: output } = await alice.post<{ chunks: { text?: string }[] }>('run/output', { id: run });
  expect(JSON.stringify(output)).toContain('2/2 add_column_customer_note');
  expect(await post('version/apply', { uuid: second })).toMatchObject({ status: 422 });
});

test('going back destroys data, so the name of the product has to be typed', async () => {
  await target.query(`update customer set note = 'x'`);
  const plan = (await post<Plan>('version/plan', { uuid: first })).body;
  expect(plan).toMatchObject({ from: 2, to: 1, destroys: true });
  expect(plan.findings).toContainEqual(
    expect.objectContaining({ code: 'dropColumn', where: 'customer.note', rows: 1 }),
  );
  expect(await post('version/apply', { uuid: first, name: 'shop' })).toMatchObject({
    status: 400,
    body: { data: { name: expect.stringContaining('type the name of the product') } },
  });
  await applied({ uuid: first, name: 'Shop' });
  expect((await target.query('select * from customer')).rows).toEqual([
    { id: expect.anything(), e_mail: 'ada@example.org' },
  ]);
});

test('changes made by hand are shown beside the version, and can be adopted into the model or reverted', async () => {
  await target.query(`alter table customer add column phone varchar(255) not null default ''`);
  await target.query(`create table tag (id bigint generated by default as identity primary key)`);
  await target.query('alter table customer alter column e_mail set not null');
  const plan = (await post<Plan>('version/plan', { uuid: first })).body;
  // What no version ever had stays.
  const left = [
    'The table tag is not part of the version.',
    'customer: the column phone (String) is not part of the version.',
  ];
  expect(plan).toMatchObject({ from: 1, to: 1, destroys: false, drift: { left } });
  expect(plan.drift?.words).toEqual([
    'The table tag is not part of the version.',
    'customer: the column phone (String) is not part of the version.',
    'customer.e_mail should accept null, but is required.',
  ]);
  expect(plan.drift?.expected).not.toContain('phone');
  expect(plan.drift?.actual).toContain(`  phone String required default ''::character varying\n`);
  const { seal } = plan;
  const where = { uuid: first, database: { id: database } };
  expect(await post('version/adopt', { ...where, seal: 'stale' })).toMatchObject({ status: 409 });
  const adopted = await post('version/adopt', { ...where, seal });
  expect(adopted.body).toEqual({
    edits: 4,
    left: [`customer.phone: default ''::character varying is not taken over.`],
  });
  // Not a second time.
  expect(await post('version/adopt', { ...where, seal })).toMatchObject({
    status: 422,
    body: { msg: expect.stringMatching(/^nothing was adopted: /) },
  });
  // Adopts only what drifted, and not the name, which was edited since the version.
  expect((await post('attribute/detail', { id: email })).body).toMatchObject({
    name: 'Address',
    column: '',
    optional: false,
  });
  const words = (await pending()).changes.map((change) => change.words);
  expect(words).toEqual(
    expect.arrayContaining([
      'Entity Tag added, with 1 attribute',
      'Customer: attribute Phone added (String)',
    ]),
  );
  await applied({ uuid: first, seal, repair: true });
  expect((await target.query('select * from customer')).fields.map(({ name }) => name)).toEqual([
    'id',
    'e_mail',
    'phone',
  ]);
  expect((await post<Plan>('version/plan', { uuid: first })).body).toMatchObject({
    drift: { words: left, left },
  });
  await target.query('drop table tag');
  await target.query('alter table customer drop column phone');
  expect((await post<Plan>('version/plan', { uuid: first })).body).not.toHaveProperty('drift');
});

test('a database of another environment is refused, and one that cannot be reached is named', async () => {
  await id(post('version/update', { uuid: second, data: { env: { id: 2 } } }));
  expect(await post('version/plan', { uuid: second })).toMatchObject({
    status: 400,
    body: { data: { 'database.id': 'there is no database in test: add one first' } },
  });
  const inDev = { database: { id: database } };
  expect(await post('version/plan', { uuid: second, ...inDev })).toMatchObject({
    status: 400,
    body: {
      data: { 'database.id': 'this version is in test, but the database is not and does not have it' },
    },
  });
  // A database can be compared with the version that it has, even if that has moved to another environment.
  await id(post('version/update', { uuid: first, data: { env: { id: 2 } } }));
  expect((await post<Plan>('version/plan', { uuid: first, ...inDev })).body).toMatchObject({
    from: 1,
    to: 1,
  });
  await id(post('version/update', { uuid: first, data: { env: { id: 1 } } }));
});

test('downloads have file names, and contain the version as it was generated', async () => {
  const download = async (path: string) => {
    const answer = await fetch(`${world.backend.url}/api/data-model/version/${path}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-requested-with': 'quarterdeck',
        cookie: alice.cookie,
      },
      body: JSON.stringify({ uuid: second }),
    });
    const disposition = answer.headers.get('content-disposition') ?? '';
    // The names of the files in an archive are readable without unpacking it.
    return [disposition, Buffer.from(await answer.arrayBuffer()).toString('latin1')] as const;
  };
  const [sqlName, sql] = await download('get');
  expect(sqlName).toBe('attachment; filename="shop-v2.mysql.zip"');
  for (const name of [
    'V1_1__create_table_customer.sql',
    'V2_1__rename_column_customer_e_mail_to_mail.sql',
    'V2_2__add_column_customer_note.sql',
  ])
    expect(sql).toContain(name);
  const [jsName, js] = await download('getJs');
  expect(jsName).toBe('attachment; filename="shop-v2.js"');
  expect(js).toContain('"column": "mail"');
  expect((await download('getTypes'))[0]).toBe('attachment; filename="shop-v2.d.ts"');
  const [name, zip] = await download('bundle');
  expect(name).toBe('attachment; filename="shop-v2.zip"');
  expect(zip).toContain('schema.json');
});

test('only the newest version can be removed, if it was never applied, and its number is not used again', async () => {
  expect(await post('version/delete', { uuid: second })).toMatchObject({ status: 409 });
  const third = await id(post('version/create', { id: product }));
  await id(post('version/delete', { uuid: third }));
  const removal = await newest('VersionRemoved');
  expect((await pending()).statements[0]?.fileName).toMatch(/^V4_1__/);
  const fourth = await id(post('version/create', { id: product }));
  expect(await detail(fourth)).toMatchObject({ sequenceIndex: 4 });
  expect((await undone(removal)).refused).toMatch(/^it was not made from version 4, which is the newest/);
  await id(post('version/delete', { uuid: fourth }));
  const before = await undone(removal);
  expect(before.steps[0]?.subject).toMatchObject({ id: third, name: 'version 3' });
  expect(await detail(third)).toMatchObject({ sequenceIndex: 3, env: { id: 1 } });
  expect(await pending()).toMatchObject({ last: 3, changes: [] });
  expect((await undone(removal)).refused).toBe('it has already been restored');
  const both = [1, 2].map(async (at) => {
    await addAttribute({ name: `Extra ${at}` });
    return post('version/create', { id: product });
  });
  const codes = (await Promise.all(both)).map(({ status }) => status);
  expect(codes.every((code) => [200, 409, 422].includes(code))).toBe(true);
  const list = (await post<Row[]>('version/list', { id: product })).body;
  expect(new Set(list.map(({ sequenceIndex }) => sequenceIndex)).size).toBe(list.length);
});

test('the tables of a real database become entities, and parts that no model can represent are named', async () => {
  await target.query(`create table visit (id bigserial primary key, seen_at timestamp, customer_id bigint
    references customer (id))`);
  await target.query('create table pair (a int, b int, primary key (a, b))');
  const other = await id(alice.post('product/insert', { data: { name: 'Import' } }));
  const source = { product: { id: other }, database: { id: database } };
  expect(await post('version/import/preview', source)).toMatchObject({
    status: 400,
    body: { data: { 'database.id': 'this product has no such database' } },
  });
  const { body } = await post<Answer<typeof versions.preview>>('version/import/preview', {
    ...source,
    product: { id: product },
  });
  const [pair, visit] = body.entities;
  expect(pair).toMatchObject({ name: 'Pair', parts: ['key pair_pkey PRIMARY KEY ("a", "b")'] });
  expect(visit).toMatchObject({
    name: 'Visit',
    table: 'visit',
    isUuid: false,
    attributes: [
      { name: 'Id', column: 'id', type: 3, native: expect.stringMatching(/^bigint DEFAULT "nextval"/) },
      { name: 'Seen at', column: 'seen_at', type: 6, native: 'timestamp without time zone' },
      { name: 'Customer', column: 'customer_id', type: 8, optional: true, to: 'Customer' },
    ],
  });
  expect(body.left).toEqual([
    'Entity Customer exists already and stays as it is. What was found also has e_mail, and lacks address, note, phone, extra_1, extra_2.',
  ]);
  const runId = uuidv7();
  const started = await post('version/import/structure', { ...source, product: { id: product }, runId });
  expect(started).toMatchObject({ status: 200, body: { runId } });
  expect(await endOf(runId)).toMatchObject({ state: 'succeeded', kind: 'importModel' });
  expect((await post('version/import/detail', { run: runId })).body).toEqual({
    state: 'succeeded',
    tables: 2,
    recorded: 2,
    edits: 7,
    left: body.left,
  });
  expect((await undone(await newest('EntityAdded'))).count).toBe(2);
});

test('the first instance and its administrator are created in the dev database, once', async () => {
  const address = await world.postgres.newDatabase();
  const begun = await id(alice.post('product/insert', { data: { name: 'Begun' } }));
  const init = (email = 'ada') =>
    post('version/fetch/init', { product: { id: begun }, password: 'open sesame', email });
  expect(await init()).toMatchObject({
    status: 400,
    body: { data: { 'database.id': 'there is no database in dev: add one first' } },
  });
  await id(alice.post('database/insert', { data: databaseAt(address), product: { id: begun } }));
  expect(await init()).toMatchObject({
    status: 422,
    body: { msg: 'no version is applied to this database: apply one first' },
  });
  await post('version/import/structure', { product: { id: begun }, structure: { id: 1 } });
  const version = await id(post('version/create', { id: begun }));
  await applied({ uuid: version });
  const { status, body } = await init();
  expect({ status, body }).toEqual({
    status: 200,
    body: {
      runId: expect.any(String),
      instance: { uuid: expect.any(String), name: 'main' },
      ignored: [],
    },
  });
  const { instance } = body as unknown as { instance: object };
  const ignored = (words: string) => ({ instance, ignored: [`The instance main exists already. ${words}`] });
  expect((await init()).body).toMatchObject(
    ignored('The administrator ada keeps their password: the one given was ignored.'),
  );
  expect((await init('bob')).body).toMatchObject(
    ignored('The administrator bob was not added, and the password was ignored.'),
  );
  const inside = new Client({ connectionString: address });
  await inside.connect();
  const { rows } = await inside.query(
    `select u.email, u.is_active, u.password_hash, r.name from user_ u join role r on r.id = u.role_id`,
  );
  await inside.end();
  expect(rows).toEqual([
    {
      email: 'ada',
      is_active: true,
      name: 'admin',
      password_hash: expect.stringMatching(/^\$scrypt\$ln=15/),
    },
  ]);
  const [, , , salt = '', key] = String(rows[0].password_hash).split('$');
  expect(scryptSync('open sesame', Buffer.from(salt, 'base64'), 32, { N: 2 ** 15, maxmem: 2 ** 26 })).toEqual(
    Buffer.from(key ?? '', 'base64'),
  );
  expect((await post<Plan>('version/plan', { uuid: version })).body).not.toHaveProperty('drift');
  expect(JSON.stringify((await alice.post('history/list', { limit: 100 })).body)).not.toContain('sesame');
});

test('a cancelled apply stops between two statements, and the next one mixes no values', async () => {
  const address = await world.postgres.newDatabase();
  const inside = new Client({ connectionString: address });
  await inside.connect();
  const add = async (name: string) => {
    const one = { id: await id(alice.post('product/insert', { data: { name } })) };
    const data = { name: 'Letter', table: '', isUuid: false };
    const letter = await id(post('entity/insert', { data, product: one }));
    const holds = (called: string) =>
      id(post('attribute/insert', { data: { ...attribute, name: called }, entity: { id: letter } }));
    await id(alice.post('database/insert', { data: databaseAt(address), product: one }));
    const generate = () => id(post('version/create', { id: one.id }));
    return { one, holds, generate };
  };
  const { one, holds, generate } = await add('Post');
  // Databases of one product may have the same name if they are on the servers of several environments.
  await id(alice.post('database/insert', { data: databaseAt(address, 2), product: one }));
  const [sender, receiver] = [await holds('Sender'), await holds('Receiver')];
  await applied({ uuid: await generate() });
  await inside.query(`insert into letter (sender, receiver) values ('Ada', 'Bo')`);
  for (const [which, name] of [
    [sender, 'Spare'],
    [receiver, 'Sender'],
    [sender, 'Receiver'],
  ] as const)
    await id(post('attribute/update', { id: which, data: { ...attribute, name } }));
  for (const name of ['Stamp', 'Weight', 'Street', 'Town', 'Country']) await holds(name);
  const swapped = await generate();

  // Unlike the dry run, each statement writes to the journal.
  await inside.query('begin');
  await inside.query('lock table quarterdeck_journal in exclusive mode');
  const runId = uuidv7();
  await alice.post('data-model/version/apply', { uuid: swapped, runId });
  const output = () => alice.post<object>('run/output', { id: runId });
  await until(async () => JSON.stringify(await output()).includes('1/8 '));
  expect(await post('version/delete', { uuid: swapped })).toMatchObject({
    status: 409,
    body: { msg: expect.stringMatching(/^a run has started to apply this version/) },
  });
  expect((await alice.post('run/cancel', { id: runId })).status).toBe(200);
  await until(async () => (await runOf(runId)).cancelRequested !== undefined);
  await inside.query('commit');
  expect(await endOf(runId)).toMatchObject({ state: 'cancelled' });
  expect((await post('version/delete', { uuid: swapped })).status).toBe(409);

  const plan = (await post<Plan>('version/plan', { uuid: swapped })).body;
  expect(plan).toMatchObject({ repairs: true, destroys: false });
  expect(plan.drift?.words[0]).toMatch(
    /^A run that should apply version 2 stopped at statement [1-7] of 8\.$/,
  );
  expect(plan.statements[0]?.fileName).toMatch(/^repair_V2_1__/);
  const adoption = { uuid: swapped, database: { id: plan.database.id }, seal: plan.seal };
  expect((await post('version/adopt', adoption)).status).toBe(409);
  await applied({ uuid: swapped, seal: plan.seal, repair: true });
  const { rows } = await inside.query('select sender, receiver from letter');
  expect(rows).toEqual([{ sender: 'Bo', receiver: 'Ada' }]);

  const other = await add('Other');
  expect(await post('version/plan', { uuid: await other.generate() })).toMatchObject({
    status: 409,
    body: { msg: expect.stringContaining(`has the data model of another product (${one.id})`) },
  });
  await inside.end();
});
