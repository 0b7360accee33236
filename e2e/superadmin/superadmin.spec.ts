// covers: AUTH-10, AUD-05
import { randomBytes, randomUUID } from 'node:crypto';
import type { Client } from 'pg';
import { Client as PgClient } from 'pg';
import { appendAtEnd } from '../../testing/log-events';
import type { Operator, RunningBackend } from '../../testing/backend';
import { fieldsOf, idleKey, nowhere, openWorld, type World } from '../backend/world';
import { endOfMaintenance, overviewOf, readModelsOf, start, until } from './installation';

let world: World;
let second: RunningBackend;
let root: Operator;
let admin: Operator;
let member: Operator;
const privateKey = idleKey();
const [ours, theirs] = [`ours-${randomUUID()}`, `theirs-${randomUUID()}`];

const reads = ['overview', 'workspaces', 'people', 'runs', 'projections'];
const insert = async (who: Operator, alias: string): Promise<string> =>
  (await who.post<{ id: string }>('server/insert', { ...fieldsOf(alias, nowhere), privateKey })).body.id;
const aliases = async (): Promise<string[]> =>
  (await admin.post<{ alias: string }[]>('server/list')).body.map(({ alias }) => alias).sort();

/** A long read of the servers' table, during which nothing can replace it. */
const longReader = async (): Promise<Client> => {
  const client = new PgClient({ connectionString: world.postgres.url });
  await client.connect();
  await client.query('begin; select count(*) from read.servers');
  return client;
};

beforeAll(async () => {
  world = await openWorld();
  second = await world.another();
  root = await world.backend.signIn({ workspace: ours, role: 'superadmin', email: 'root@example.org' });
  admin = await world.backend.signIn({ workspace: theirs, email: 'ada@example.org' });
  member = await world.backend.signIn({ workspace: theirs, role: 'member', email: 'mia@example.org' });
  for (const alias of ['one', 'two', 'three']) await insert(admin, alias);
});
afterAll(() => world?.end());

describe('the area above all workspaces', () => {
  test('is closed to members and administrators, whatever they request', async () => {
    const changes = ['projections/rebuild', 'projections/verify', 'projections/cancel', 'projections/retry'];
    const body = { readModel: 'all', maintenance: randomUUID(), stream: 'server-x' };
    for (const who of [admin, member])
      for (const path of [...reads, ...changes])
        expect([path, (await who.post(`superadmin/${path}`, body)).status]).toEqual([path, 403]);
    expect((await readModelsOf(root)).current).toBeUndefined();
  });

  test('counts what each workspace has, while elsewhere a superadmin sees only their own', async () => {
    const { body } = await root.post<{ rows: Record<string, unknown>[]; found: number }>(
      'superadmin/workspaces',
      { search: theirs },
    );
    expect(body.found).toBe(1);
    const all = await root.post<{ rows: Record<string, unknown>[] }>('superadmin/workspaces');
    const found = (name: string) => all.body.rows.find((workspace) => workspace.name === name);
    expect(found(theirs)).toMatchObject({ people: 2, servers: 3, domains: 0, runs: 0 });
    expect(found(ours)).toMatchObject({ people: 1, servers: 0 });
    expect(Date.parse(String(found(theirs)?.lastUsedAt))).toBeGreaterThan(Date.now() - 600_000);
    expect((await root.post('server/list')).body).toEqual([]);
    expect(JSON.stringify((await root.post('history/list')).body)).not.toContain('three');
  });

  test('shows one person of several workspaces once, with their role in each', async () => {
    await world.backend.signInLink({ workspace: ours, role: 'member', email: 'Ada@example.org' });
    const memberships = async (): Promise<object[]> => {
      const { body } = await root.post<{ rows: { id: string; memberships: object[] }[] }>(
        'superadmin/people',
      );
      return body.rows.find(({ id }) => id === 'ada@example.org')?.memberships ?? [];
    };
    expect(await until(memberships, ({ length }) => length > 1)).toMatchObject([
      { workspace: { name: ours }, role: 'member' },
      { workspace: { name: theirs }, role: 'admin', lastSignInAt: expect.any(String) },
    ]);
  });

  test('shows the runs of every workspace, newest first, by state and in pages', async () => {
    const server = await insert(admin, 'runner');
    const asked = Array.from({ length: 52 }, () =>
      admin.post('server/execCmd', { id: server, cmdType: 1, runId: randomUUID() }),
    );
    await Promise.all(asked);
    const page = async (query: object) =>
      (await root.post<{ runs: Record<string, unknown>[]; next?: string }>('superadmin/runs', query)).body;
    const { runs, next } = await page({});
    expect(runs).toHaveLength(50);
    expect(runs[0]).toMatchObject({
      workspace: { name: theirs },
      subject: 'runner',
      requestedBy: 'ada@example.org',
    });
    expect(runs[0]).not.toHaveProperty('input');
    expect((await page({ before: next })).runs).toHaveLength(2);
    expect((await page({ state: 'succeeded' })).runs).toEqual([]);
    const searched = await page({ search: 'RUNNER memory' });
    expect([
      searched.runs.length,
      (await page({ search: 'runner', before: searched.next })).runs.length,
    ]).toEqual([50, 2]);
    expect((await page({ search: 'walker' })).runs).toEqual([]);
  });

  test('shows the state of the log: its head, its rate, its seal, and that the chain is intact', async () => {
    const { eventLog, version, processes } = await overviewOf(root);
    expect(eventLog).toMatchObject({ engine: 'postgres', chain: { state: 'unbroken' } });
    expect(eventLog.chain.position).toBe(eventLog.head);
    expect(eventLog.bytes).toBeGreaterThan(8192);
    expect(eventLog.perMinute).toHaveLength(15);
    expect(eventLog.perMinute.reduce((sum, one) => sum + one)).toBeGreaterThan(50);
    expect(processes.map((one) => one.version)).toEqual([version, version]);
    expect(processes.filter(({ leadingSince }) => leadingSince)).toHaveLength(1);
  });

  test('reports that somebody wrote to the log directly', async () => {
    const { db } = world.backend;
    const alter = (data: string) =>
      db.query<{ position: string }>(
        `update log.events set data = $1::json where position = (select max(position) from log.events where type = 'PersonSignedIn')
         returning position`,
        [data],
      );
    await db.query('alter table log.events disable trigger append_only');
    const { rows } = await alter('{"via":"another way"}');
    expect((await overviewOf(root)).eventLog.chain).toMatchObject({
      state: 'broken',
      problem: expect.stringContaining(`event ${rows[0]?.position} was altered`),
    });
    await alter('{"via":"link"}');
    await db.query('alter table log.events enable trigger append_only');
    expect((await overviewOf(root)).eventLog.chain.state).toBe('unbroken');
  });
});

describe('read models on the page', () => {
  test('are rebuilt in the leading process, whichever was asked, and recorded with actor and time', async () => {
    const there = {
      ...root,
      ...(await second.signIn({ workspace: ours, role: 'superadmin', email: 'root@example.org' })),
    };
    const before = await aliases();
    const asked = await start(there, 'rebuild');
    expect(asked.status).toBe(200);
    expect(await endOfMaintenance(there)).toMatch(/^rebuilt .*servers.* from \d+ events in /);
    const leader = [world.backend, second].filter(({ resources }) => resources.projections.leading);
    const did = [world.backend, second].filter(({ logs }) =>
      logs.some((line) => line.includes('maintained')),
    );
    expect(did).toEqual(leader);
    expect(await aliases()).toEqual(before);
    const { events } = await overviewOf(root);
    expect(events.slice(0, 3).map(({ type, by }) => [type, by])).toEqual([
      ['RebuildFinished', 'system'],
      ['MaintenanceStarted', 'system'],
      ['MaintenanceRequested', 'root@example.org'],
    ]);
    expect((await start(root, 'verify')).status).toBe(200);
    expect(await endOfMaintenance(root)).toMatch(/^verified .*: no difference from the log$/);
  });

  test('are verified: a difference from the log is found, and repaired by a rebuild', async () => {
    await world.backend.db.query(`update read.servers set alias = 'forged' where alias = 'two'`);
    await start(root, 'verify', 'servers');
    expect(await endOfMaintenance(root)).toMatch(/different from the log: servers$/);
    await start(root, 'rebuild', 'servers');
    expect(await endOfMaintenance(root)).toMatch(/^rebuilt servers from /);
    await start(root, 'verify', 'servers');
    expect(await endOfMaintenance(root)).toMatch(/no difference from the log$/);
  });

  test('with an unknown name are refused by field', async () => {
    const { status, body } = await start(root, 'rebuild', 'nonsense');
    expect([status, body.data]).toEqual([
      400,
      { readModel: expect.stringContaining('no read model nonsense') },
    ]);
  });

  test('refuse a second rebuild during the first, stay readable and writable, and it can be cancelled', async () => {
    const reader = await longReader();
    const { body } = await start(root, 'rebuild', 'servers');
    const seen = await until(
      () => readModelsOf(root),
      ({ progress }) => progress?.phase === 'catchingUp' && progress.share === 1,
    );
    expect(seen.current).toMatchObject({ kind: 'rebuild', readModel: 'servers', attempts: 1 });
    expect(seen.progress?.events).toBe(Number(seen.progress?.total));
    const refused = await start(root, 'rebuild');
    expect([refused.status, refused.body.msg]).toEqual([
      409,
      'a rebuild of servers is already under way; wait for it to end',
    ]);
    await insert(admin, 'meanwhile');
    expect(await aliases()).toContain('meanwhile');
    const cancel = (who: Operator) =>
      who.post('superadmin/projections/cancel', { maintenance: body.maintenance });
    expect((await cancel(root)).status).toBe(200);
    expect(await endOfMaintenance(root)).toBe('cancelled; the read models are unchanged');
    expect((await cancel(root)).status).toBe(404);
    await reader.end();
    expect(await aliases()).toContain('meanwhile');
    const tables = `select count(*)::int as left from pg_tables where schemaname = 'read_build' and tablename like 'servers_v%'`;
    expect((await world.backend.db.query(tables)).rows[0]).toEqual({ left: 1 });
  });

  test('match the log after a rebuild under four writers, and no reader has failed', async () => {
    let going = true;
    const answers: number[] = [];
    const writers = Array.from({ length: 4 }, async (_, writer) => {
      for (let n = 0; going; n += 1) await insert(admin, `w${writer}-${n}`);
    });
    const reader = async () => {
      while (going) answers.push((await admin.post('server/list')).status);
    };
    const all = Promise.all([...writers, reader()]);
    try {
      await start(root, 'rebuild');
      expect(await endOfMaintenance(root)).toMatch(/^rebuilt /);
      await start(root, 'verify');
      expect(await endOfMaintenance(root)).toMatch(/no difference from the log$/);
    } finally {
      going = false;
      await all;
    }
    expect(answers.length).toBeGreaterThan(3);
    expect(answers.filter((status) => status !== 200)).toEqual([]);
  });
});

describe('a parked stream', () => {
  test('is listed, fails its retry while the cause exists, and is released afterwards', async () => {
    const { db, resources } = world.backend;
    const id = await insert(admin, 'to-be-parked');
    const stream = `server-${id}`;
    const [first] = await resources.store.readStream(stream);
    if (!first) throw new Error('the server was not registered');
    // No call accepts such a name; the log does, and the read model's index cannot store it.
    const renamed = {
      type: 'ServerRenamed',
      data: { alias: randomBytes(8_000).toString('hex') },
      meta: { ...first.meta, id: randomUUID() },
    };
    await appendAtEnd(resources.store, stream, [renamed]);
    const { parked } = await until(
      () => readModelsOf(root),
      (found) => found.parked.some((one) => one.projection === 'servers'),
    );
    expect(parked).toContainEqual(
      expect.objectContaining({ projection: 'servers', stream, type: 'ServerRenamed', attempts: 1 }),
    );
    const retry = (readModel: string) =>
      root.post<{ ok: boolean }>('superadmin/projections/retry', { readModel, stream });
    expect((await retry('servers')).body).toMatchObject({ ok: false });
    const again = (await readModelsOf(root)).parked.find(({ projection }) => projection === 'servers');
    expect(again?.attempts).toBe(2);
    expect((await overviewOf(root)).events[0]).toMatchObject({
      type: 'ParkedStreamRetryRequested',
      by: 'root@example.org',
    });
    // As if a program that could not fold it had set it aside, and this one can.
    const healthy = `server-${await insert(admin, 'healthy')}`;
    await db.query(
      `insert into read.parked (projection, stream, position, type, error) values ('servers', $1, 1, 'ServerRenamed', 'TypeError')`,
      [healthy],
    );
    const cured = await root.post('superadmin/projections/retry', { readModel: 'servers', stream: healthy });
    expect(cured.body).toEqual({ ok: true, rows: 1 });
    expect((await readModelsOf(root)).parked.map((one) => one.stream)).not.toContain(healthy);
    expect((await root.post('superadmin/projections/retry', { readModel: 'x', stream })).status).toBe(400);
  });
});
