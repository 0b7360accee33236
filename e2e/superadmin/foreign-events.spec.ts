// covers: LOG-01, LOG-02, AUD-04
import { EventStoreDBClient } from '@eventstore/db-client';
import { streamName } from '@quarterdeck/events';
import { v7 as uuid } from 'uuid';
import type { LogEngine } from '../../libs/log/src/store/engine';
import { EventStoreDbStore } from '../../libs/log/src/store/eventstoredb/eventstoredb-store';
import { PostgresStore } from '../../libs/log/src/store/postgres/postgres-store';
import { fieldsOf, idleKey, nowhere, openWorld, type World } from '../backend/world';
import { startEventStoreDb, type EventStoreDbServer } from '../../testing/eventstoredb/server';
import { runHere, type Operator } from '../../testing/backend';
import { operator } from '../../testing/operator';
import { startTestPostgres } from '../../testing/postgres';
import { overviewOf, until } from './installation';

interface Person {
  id: string;
  email?: string;
  role: string;
}

describe.each(['postgres', 'eventstoredb'] as const)('foreign events in %s', (engine) => {
  let server: EventStoreDbServer | undefined;
  let world: World;
  let owner: LogEngine;
  let root: Operator;
  let member: Operator;
  let mia: string;
  let env: Record<string, string>;

  beforeAll(async () => {
    server = engine === 'eventstoredb' ? await startEventStoreDb() : undefined;
    env = server ? { EVENT_STORE_URL: server.url } : {};
    world = await openWorld({ env });
    owner = server
      ? new EventStoreDbStore({ url: server.url, prefix: 'quarterdeck.' })
      : await PostgresStore.open({ url: world.postgres.url });
    root = await world.backend.signIn({ role: 'superadmin', email: 'root@example.test' });
    member = await world.backend.signIn({ role: 'member', email: 'mia@example.test' });
    await world.backend.caughtUp();
    const people = (await root.post<Person[]>('person/list')).body;
    mia = people.find(({ email }) => email === 'mia@example.test')?.id ?? '';
  });
  afterAll(async () => {
    await owner?.close();
    await world?.end();
    await server?.stop();
  });

  const roleOfMia = async (): Promise<string | undefined> =>
    (await root.post<Person[]>('person/list')).body.find(({ id }) => id === mia)?.role;
  const ready = async () =>
    (await (await fetch(`${world.backend.url}/api/health/ready`)).json()) as { status: string };

  test('make nobody superadmin, are shown and reported, and block nothing', async () => {
    expect(await ready()).toMatchObject({ status: 'ok' });
    const stream = streamName('person', mia);
    const genuine = await owner.readStream(stream, { from: 0 });
    const last = genuine.at(-1)!;
    const id = uuid();
    const forged = {
      id,
      type: 'PersonRoleChanged',
      data: '{"role":"superadmin"}',
      meta: last.meta.replace(/"id":"[^"]*"/, `"id":"${id}"`),
    };
    const { position } = await owner.append(stream, [forged], last.revision);
    await until(
      () => overviewOf(root),
      ({ eventLog }) => eventLog.foreign.count === 1,
    );
    await world.backend.caughtUp();

    expect((await member.post('superadmin/overview')).status).toBe(403);
    expect(await roleOfMia()).toBe('member');
    expect((await overviewOf(root)).eventLog.foreign.newest).toMatchObject([
      { position, stream, type: 'PersonRoleChanged', reason: 'its tag is not of this event at this place' },
    ]);
    expect(await ready()).toMatchObject({ status: 'degraded', checks: { readModels: { foreignEvents: 1 } } });
    expect(JSON.stringify((await root.post('history/list')).body)).not.toContain('PersonRoleChanged');
    const alerts = async () =>
      (await root.post<{ about: string; says: string; state: string }[]>('alert/list')).body;
    expect(await until(alerts, ({ length }) => length > 0)).toMatchObject([
      {
        about: 'foreignEvents',
        says: 'The event log holds an event that this console did not write. It has no effect.',
      },
    ]);
    const audit = await runHere(['audit', 'verify'], { databaseUrl: world.postgres.url, env });
    expect([audit.code, audit.stdout]).toEqual([
      1,
      expect.stringContaining(`event ${position} was not written by this console`),
    ]);
    const verified = await world.backend.resources.projections.verify();
    expect(verified.filter(({ ok }) => !ok)).toEqual([]);

    // A superadmin acknowledges it: the forged event stays listed, but is not reported any more.
    const acknowledge = (upTo: string, who = root) =>
      who.post('superadmin/foreign/acknowledge', { upTo, reason: 'a test of ours' });
    expect((await acknowledge(position, member)).status).toBe(403);
    const beyond = await acknowledge(String(BigInt(position) + 1n));
    expect(beyond).toMatchObject({ status: 400, body: { data: { upTo: expect.any(String) as string } } });
    expect((await acknowledge(position)).status).toBe(200);
    expect(await ready()).toMatchObject({ status: 'ok', checks: { readModels: { foreignEvents: 0 } } });
    expect(await overviewOf(root)).toMatchObject({
      eventLog: {
        foreign: {
          count: 1,
          open: 0,
          newest: [{ position, acknowledged: { by: 'root@example.test', reason: 'a test of ours' } }],
        },
      },
    });
    await until(alerts, ([alert]) => alert?.state === 'resolved');
    const known = await runHere(['audit', 'verify'], { databaseUrl: world.postgres.url, env });
    expect([known.code, known.stdout]).toEqual([
      1,
      expect.stringContaining(`event ${position} was not written by this console`),
    ]);
    const revision = (await owner.readStream(stream, { from: 0 })).at(-1)!.revision;
    const another = { ...forged, id: uuid() };
    await owner.append(stream, [another], revision);
    expect(await until(ready, ({ status }) => status === 'degraded')).toMatchObject({
      checks: { readModels: { foreignEvents: 1 } },
    });
    await until(alerts, (all) => all.filter(({ state }) => state === 'open').length === 1);

    // The person's stream continues after it.
    const { status } = await root.post('person/role', { id: mia, role: 'admin' });
    expect(status).toBe(200);
    expect(await roleOfMia()).toBe('admin');
    expect(
      (await member.post('server/insert', { ...fieldsOf('web', nowhere), privateKey: idleKey() })).status,
    ).toBe(200);
  });

  test('in the database, such as a role in a read model or a session, give nobody more rights either', async () => {
    const { db } = world.backend;
    const source = (
      await db.query<{ source: string }>(`select source from read.checkpoints where projection = 'people'`)
    ).rows[0]?.source;
    const { rowCount } = await db.query(
      `update read_build.${source} set role = 'superadmin', view = jsonb_set(view, '{role}', '"superadmin"') where id = $1`,
      [mia],
    );
    expect(rowCount).toBe(1);
    await db.query(`update app.sessions set role = 'superadmin' where person = $1`, [mia]);
    // Another process has no cached session.
    const second = await world.another();
    const there = await fetch(`${second.url}/api/superadmin/overview`, {
      method: 'POST',
      headers: { cookie: member.cookie, 'x-requested-with': 'test', 'content-type': 'application/json' },
      body: '{}',
    });
    expect(there.status).toBe(403);
    await second.close();
  });

  if (engine === 'eventstoredb')
    test('stay excluded when the console starts again with an empty database', async () => {
      const empty = await startTestPostgres();
      const again = await openWorld({ databaseUrl: empty.url, env });
      try {
        await again.backend.caughtUp();
        const operator = await again.backend.signIn({ role: 'superadmin', email: 'root@example.test' });
        expect(await overviewOf(operator)).toMatchObject({ eventLog: { foreign: { count: 2, open: 1 } } });
        const { rows } = await again.backend.db.query<{ alias: string }>('select alias from read.servers');
        expect(rows).toEqual([{ alias: 'web' }]);
      } finally {
        await again.end();
        await empty.stop();
      }
    });

  if (engine === 'eventstoredb')
    test('streams that somebody has cut are found and told, and their things are not changed', async () => {
      const product = { name: 'Shop', description: '' };
      const { id } = (await root.post<{ id: string }>('product/insert', { data: product })).body;
      const stream = streamName('product', id);
      const stranger = EventStoreDBClient.connectionString(server!.url);
      await stranger.setStreamMetadata(`quarterdeck.${stream}`, { truncateBefore: 5 });
      expect((await overviewOf(root)).eventLog.truncated).toEqual([{ stream, limits: '$tb 5' }]);
      const change = { id, data: { ...product, name: 'Other' } };
      expect(await root.post('product/update', change)).toMatchObject({
        status: 409,
        body: {
          msg: expect.stringContaining(`${stream} was cut or deleted in the event log ($tb 5)`) as string,
        },
      });

      // It looks at its start, and every 30 seconds.
      const alertOf = async (state: string) => {
        const there = await world.another();
        try {
          await world.backend.close();
          const who = operator(there.url, root.cookie);
          const alerts = async () =>
            (await who.post<{ about: string; state: string; says: string }[]>('alert/list')).body;
          const found = await until(alerts, (all) =>
            all.some((one) => one.about === 'logCut' && one.state === state),
          );
          return found.find(({ about }) => about === 'logCut');
        } finally {
          await there.close();
        }
      };
      expect((await alertOf('open'))?.says).toBe(
        `Somebody has deleted or cut streams of the event log: ${stream} ($tb 5). Their things cannot be changed.`,
      );
      await stranger.setStreamMetadata(`quarterdeck.${stream}`, {});
      await stranger.dispose();
      expect(await alertOf('resolved')).toBeDefined();
    });
});
