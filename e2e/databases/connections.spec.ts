/**
 * Databases on real servers: inspecting and creating them, and reaching them by SSH. No password is shown.
 *
 * covers: DB-01
 */
import { readFileSync } from 'node:fs';
import type { Answer, databases } from '@quarterdeck/contract';
import { v7 as uuidv7 } from 'uuid';
import { startHostileDatabase } from '../../testing/hostile-database';
import { openTarget } from '../../apps/backend/src/databases/target';
import { openWorld, registerAt, type World } from '../backend/world';
import { startServers, type Server } from '../data-model/addresses';
import type { Operator } from '../../testing/backend';
import { startSshd, type Sshd } from '../../testing/sshd';
import { testAuthority } from '../../testing/test-authority';

interface Run {
  state: string;
  reason?: string;
  steps: { step: string; outcome?: string; report?: Record<string, string> }[];
}
interface Ids {
  id: string;
}
type DatabaseLook = Answer<typeof databases.test>;
interface Refusal {
  msg: string;
  data?: Record<string, string>;
}

const SECRET = "canary'b\\c-4711";
const ADMINISTRATOR = 'keeper';
const typeOf = { mysql: 1, postgresql: 2 };
const port = (server: { host: string; port: number }) => ({ host: server.host, port: server.port });

let world: World;
let alice: Operator;
let servers: Server[];
let sshd: Sshd;
let product: string;
/** All answers. */
const answers: unknown[] = [];

const post = async <T = Ids>(path: string, body: object) => {
  const answer = await alice.post<T>(path, body);
  answers.push(answer);
  return answer;
};
/** Registers a database with its own user before it exists. */
const registered = async (
  server: Server,
  changed: object = {},
  within = product,
): Promise<{ id: string; name: string }> => {
  const name = `shop_${uuidv7().slice(-6)}`;
  const data = {
    name,
    ...port(await server.fresh()),
    username: `${name}_u`,
    password: SECRET,
    env: { id: 1 },
    dbType: typeOf[server.dialect],
    certificate: '',
    server: null,
    ...changed,
  };
  const { status, body } = await post('database/insert', { data, product: { id: within } });
  expect({ status, body }).toMatchObject({ status: 200 });
  return { id: body.id, name };
};
const ended = async (id: string): Promise<Run> => {
  for (;;) {
    const { body } = await post<Run>('run/detail', { id });
    if (!['requested', 'running'].includes(body.state)) return body;
    await new Promise((done) => setTimeout(done, 20));
  }
};
/** An administrator with a password, because the test servers start without one. */
const administratorOf = async (server: Server): Promise<{ username: string; password: string }> => {
  const address = await server.fresh();
  const target = await openTarget(address);
  const password = `${SECRET}-admin`;
  const text = server.dialect === 'mysql' ? `'canary\\'b\\\\c-4711-admin'` : `'canary''b\\c-4711-admin'`;
  const statements =
    server.dialect === 'mysql'
      ? [
          `create or replace user ${ADMINISTRATOR} identified by ${text}`,
          `grant all privileges on *.* to ${ADMINISTRATOR} with grant option`,
        ]
      : [
          // Not dropped first, because it may own databases by now.
          `do $do$ begin create role ${ADMINISTRATOR} superuser login password ${text};
            exception when duplicate_object then null; end $do$`,
        ];
  for (const sql of statements) await target.query(sql);
  await target.end();
  return { username: ADMINISTRATOR, password };
};
const create = async (id: string, administrator: object) =>
  post<{ runId: string } & Refusal>('database/apply/create', { id, administrator, runId: uuidv7() });

beforeAll(async () => {
  [world, servers, sshd] = await Promise.all([
    openWorld({ env: { OUTBOUND_ALLOW: '127.0.0.0/8' } }),
    startServers(),
    startSshd(),
  ]);
  alice = await world.backend.signIn({ workspace: 'connections', role: 'admin', email: 'alice@example.org' });
  product = (await post('product/insert', { data: { name: 'Shop' } })).body.id;
});
afterAll(async () => {
  await Promise.all([world?.end(), sshd?.stop(), ...(servers ?? []).map((server) => server.stop())]);
});

it('creates database and user, and then finds an empty database that the user may use', async () => {
  for (const server of servers) {
    const administrator = await administratorOf(server);
    const { id, name } = await registered(server);
    const before = await post<Refusal>('database/test', { id });
    expect(before).toMatchObject({
      status: 502,
      body: { data: { password: expect.stringContaining(name) } },
    });

    const { status, body } = await create(id, administrator);
    expect({ status, body }).toMatchObject({ status: 200 });
    expect(await ended(body.runId)).toMatchObject({
      state: 'succeeded',
      steps: [{}, {}, { step: 'verify' }],
    });

    const { body: found } = await post<DatabaseLook>('database/test', { id });
    const engine = { mysql: 'MariaDB', postgresql: 'PostgreSQL' }[server.dialect];
    expect(found).toMatchObject({
      engine,
      tables: 0,
      applied: 0,
      encrypted: false,
      runId: expect.any(String),
    });
    expect(found.version).toMatch(/^\d+\.\d+/);
    expect(await ended(found.runId)).toMatchObject({
      state: 'succeeded',
      steps: [{ step: 'test', report: { engine, tables: '0' } }],
    });

    const again = await create(id, administrator);
    expect(again).toMatchObject({
      status: 409,
      body: { msg: expect.stringMatching(/already: nothing was changed/) },
    });
  }
});

it('refuses a wrong administrator before any run, and removes what it created if a statement is refused', async () => {
  const [mysql] = servers;
  if (!mysql) throw new Error('MariaDB is needed');
  const { id, name } = await registered(mysql);
  expect(await create(id, { username: ADMINISTRATOR, password: 'wrong' })).toMatchObject({
    status: 502,
    body: { data: { password: expect.stringContaining(ADMINISTRATOR) } },
  });
  const administrator = await administratorOf(mysql);
  const target = await openTarget(await mysql.fresh());
  // This administrator may create databases, but no users.
  await target.query(`revoke all privileges, grant option from ${ADMINISTRATOR}`);
  await target.query(`grant select, create, drop on *.* to ${ADMINISTRATOR}`);
  const { body } = await create(id, administrator);
  const run = await ended(body.runId);
  expect(run).toMatchObject({
    state: 'failed',
    reason: expect.stringMatching(/The user was refused: .*Nothing was changed/),
  });
  expect(await target.query('show databases like ?', [name])).toEqual([]);
  await target.end();
  expect(await post('run/retry', { id: body.runId })).toMatchObject({ status: 422 });
});

it('gives a user its own database and no other, whatever its name means as a pattern', async () => {
  const [mysql] = servers;
  if (!mysql) throw new Error('MariaDB is needed');
  const administrator = await administratorOf(mysql);
  const stem = uuidv7().slice(-6);
  const other = await registered(mysql, { name: `a${stem}` });
  await ended((await create(other.id, administrator)).body.runId);
  for (const name of [`a\\${stem}`, `_${stem}`, `a%${stem.slice(1)}`]) {
    const username = `u${uuidv7().slice(-8)}`;
    const { id } = await registered(mysql, { name, username });
    expect(await ended((await create(id, administrator)).body.runId)).toMatchObject({ state: 'succeeded' });
    const target = await openTarget({
      ...(await mysql.fresh()),
      user: username,
      password: SECRET,
      database: name,
    });
    const seen = (await target.query('show databases')).map((row) => String(Object.values(row)[0]));
    expect(seen.filter((one) => one !== 'information_schema')).toEqual([name]);
    await target.end();
  }
});

it('ends a run that waits for a silent database as soon as it is cancelled', async () => {
  for (const dialect of ['mysql', 'postgresql'] as const) {
    const silent = await startHostileDatabase(dialect, 'silent');
    const at = { host: '127.0.0.1', port: silent.port, dbType: typeOf[dialect] };
    const [engine] = servers;
    if (!engine) throw new Error('an engine is needed');
    const { id } = await registered(engine, at);
    const [asked, runId] = [silent.asked(), uuidv7()];
    const testing = post<Refusal>('database/test', { id, runId });
    await asked;
    await post('run/cancel', { id: runId });
    expect(await ended(runId)).toMatchObject({ state: 'cancelled' });
    expect((await testing).status).toBe(502);
    await silent.stop();
  }
});

it('creates a database for an existing user, if that is requested and the password is right', async () => {
  for (const server of servers) {
    const administrator = await administratorOf(server);
    const { username, password } = administrator;
    const refused = await registered(server, { username, password });
    expect(await create(refused.id, administrator)).toMatchObject({
      status: 409,
      body: { data: { username: expect.stringContaining('already') } },
    });
    const keep = (id: string) =>
      post<{ runId: string }>('database/apply/create', { id, administrator, keepUser: true });
    const wrong = await registered(server, { username });
    expect(await keep(wrong.id)).toMatchObject({
      status: 502,
      body: { data: { password: expect.anything() } },
    });
    const { body } = await keep(refused.id);
    expect(await ended(body.runId)).toMatchObject({
      state: 'succeeded',
      steps: [{}, {}, { step: 'verify' }],
    });
  }
});

it('applies a version on both engines, directly and through a server, and creates the first instance', async () => {
  const server = { id: await registerAt(alice, sshd) };
  for (const engine of servers)
    for (const through of engine.dialect === 'mysql' ? [null, server] : [server]) {
      const shop = (await post('product/insert', { data: { name: `Shop ${uuidv7()}` } })).body.id;
      const { database: name } = await engine.fresh();
      const access = { name, server: through, ...(await administratorOf(engine)) };
      await registered(engine, access, shop);
      await post('data-model/version/import/structure', { product: { id: shop }, structure: { id: 1 } });
      const { body: version } = await post('data-model/version/create', { id: shop });
      const uuid = version.id;
      const { body: started } = await post<{ runId: string }>('data-model/version/apply', { uuid });
      expect(await ended(started.runId)).toMatchObject({ state: 'succeeded' });
      const init = { product: { id: shop }, password: SECRET };
      const first = await post('data-model/version/fetch/init', init);
      expect(first).toMatchObject({ status: 200, body: { instance: { name: 'main' } } });
      const { instance } = first.body as unknown as { instance: object };
      expect((await post('data-model/version/fetch/init', init)).body).toMatchObject({
        instance,
        ignored: [expect.stringContaining('The instance main exists already.')],
      });
      const { body: plan } = await post('data-model/version/plan', { uuid });
      expect(plan).toMatchObject({ from: 1, to: 1, statements: [] });
      expect(plan).not.toHaveProperty('drift');
    }
});

it('reaches a database through a server, and says so if that server is the problem', async () => {
  const server = await registerAt(alice, sshd);
  for (const engine of servers) {
    const { database: name } = await engine.fresh();
    const { id } = await registered(engine, {
      name,
      server: { id: server },
      ...(await administratorOf(engine)),
    });
    expect(await post<DatabaseLook>('database/test', { id })).toMatchObject({
      status: 200,
      body: { tables: 0 },
    });
  }
  expect(readFileSync(sshd.log, 'utf8')).toContain('Accepted publickey');
  expect(await post<Refusal & { heldBy: object[] }>('server/delete', { id: server })).toMatchObject({
    status: 409,
    body: {
      msg: expect.stringMatching(/ are reached through this server: choose another way/),
      heldBy: servers.map(() => ({ category: 'database' })),
    },
  });
  await sshd.swapHostKey();
  const [engine] = servers;
  if (!engine) throw new Error('an engine is needed');
  const { id } = await registered(engine, { server: { id: server } });
  await post('server/contact', { id: server });
  expect(await post<Refusal>('database/test', { id })).toMatchObject({
    status: 502,
    body: { data: { server: expect.stringContaining('host key has changed') } },
  });
});

it('tries fields that are not saved, and sends a stored password only where it was stored for', async () => {
  const [engine] = servers;
  if (!engine) throw new Error('an engine is needed');
  const { id, name } = await registered(engine);
  const { password: _, ...address } = await engine.fresh();
  const data = {
    name,
    ...port(address),
    username: 'nobody',
    env: { id: 1 },
    dbType: 1,
    certificate: '',
    server: null,
  };
  expect(await post('database/try', { id, data })).toMatchObject({
    status: 502,
    body: { data: { password: expect.stringContaining('nobody') } },
  });
  // With `none`, the stored password could be sent in clear.
  for (const changed of [{ host: 'localhost' }, { encryption: 'none' }])
    expect(await post('database/try', { id, data: { ...data, ...changed } })).toMatchObject({
      status: 400,
      body: { data: { 'data.password': expect.stringContaining('type the password') } },
    });
  expect(await post('database/try', { data })).toMatchObject({ status: 400 });
});

it('shows a client certificate to a database that asks for one, until it is removed', async () => {
  const ours = await testAuthority('Ours');
  const lasting = { notBefore: new Date(0), notAfter: new Date(Date.now() + 86_400_000) };
  const here = await ours.leaf({ names: ['127.0.0.1'], ...lasting });
  const own = await ours.leaf({ names: ['certified'], ...lasting, isClient: true });
  for (const server of servers) {
    await server.prove(here, ours.root);
    await server.admit('certified', SECRET);
    const { database: name, ...address } = await server.fresh();
    const data = {
      name,
      ...port(address),
      username: 'certified',
      env: { id: 1 },
      dbType: typeOf[server.dialect],
      certificate: ours.root,
      server: null,
    };
    const { id } = await registered(server, { ...data, clientCertificate: own.cert + own.key });
    expect(await post('database/test', { id })).toMatchObject({ status: 200, body: { encrypted: true } });
    expect(await post('database/try', { id, data })).toMatchObject({ status: 200 });
    const elsewhere = { ...data, host: 'localhost', password: SECRET };
    expect(await post('database/try', { id, data: elsewhere })).toMatchObject({
      status: 400,
      body: { data: { 'data.clientCertificate': expect.stringContaining('type the client certificate') } },
    });
    for (const clientCertificate of ['', null])
      expect(await post<Refusal>('database/try', { id, data: { ...data, clientCertificate } })).toMatchObject(
        {
          status: 502,
          body: { msg: expect.stringMatching(/asks for a client certificate/) },
        },
      );
    await post('database/update', { id, data: { ...data, clientCertificate: '' } });
    expect(await post<Refusal>('database/test', { id })).toMatchObject({
      status: 502,
      body: { msg: expect.stringContaining('client certificate') },
    });
  }
});

it('shows no password in any answer, table or line of the log', async () => {
  const { db, logs } = world.backend;
  const tables = await db.query<{ name: string }>(
    `select quote_ident(schemaname) || '.' || quote_ident(tablename) as name from pg_tables
     where schemaname not in ('pg_catalog', 'information_schema')`,
  );
  const stored: string[] = [];
  for (const { name } of tables.rows) {
    const { rows } = await db.query<{ row: string }>(`select t::text as row from ${name} t`);
    stored.push(...rows.map(({ row }) => row));
  }
  expect(stored.join()).toContain('testDatabase');
  for (const place of [stored, answers.map((answer) => JSON.stringify(answer)), logs]) {
    expect(place.filter((line) => line.includes('canary'))).toEqual([]);
    // Bytes are shown as hexadecimal digits.
    expect(place.filter((line) => line.includes(Buffer.from('canary').toString('hex')))).toEqual([]);
  }
});
