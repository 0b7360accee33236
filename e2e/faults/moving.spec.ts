// covers: LOG-04
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { LOG_STREAM } from '@quarterdeck/events/catalogue';
import { comparePositions, type NewEvent } from '@quarterdeck/events';
import type { AuthenticStore } from '@quarterdeck/log/store';
import { Pool } from 'pg';
import { v7 as uuid } from 'uuid';
import { fieldsOf, idleKey, nowhere, openWorld, type World } from '../backend/world';
import { startEventStoreDb, type EventStoreDbServer } from '../../testing/eventstoredb/server';
import { buildBackend, MASTER_KEY, runHere, type Operator } from '../../testing/backend';
import { openLog } from '../../testing/log';
import { newEvent, registered, renamed } from '../projections/happenings';
import { appendAtEnd } from '../../testing/log-events';
import { pause } from '../../testing/patience';
import { fault } from './fault';

/** `npm run faults` moves 100,000 events. */
const EVENTS = process.env.FAULTS_REPORT ? 100_000 : 1_000;
const SERVERS = 20;
/** Moments of the log's life, as instants and as positions. */
const MOMENTS = process.env.FAULTS_REPORT ? 8 : 4;

let eventStoreDb: EventStoreDbServer;
let world: World;
let database: Pool;

beforeAll(async () => {
  eventStoreDb = await startEventStoreDb();
  world = await openWorld();
  database = new Pool({ connectionString: world.postgres.url, max: 1 });
});
afterAll(async () => {
  await database?.end();
  await world?.end();
  await eventStoreDb?.stop();
});

const there = (): Record<string, string> => ({ EVENT_STORE_URL: eventStoreDb.url });
const command = (args: string[], env: Record<string, string> = {}) =>
  runHere(args, { databaseUrl: world.postgres.url, env });

const insert = (who: Operator, alias: string) =>
  who.post('server/insert', { ...fieldsOf(alias, nowhere), privateKey: idleKey() });

const fill = async (store: AuthenticStore, workspace: string, count: number): Promise<void> => {
  const each = Math.ceil(count / SERVERS);
  const write = async (server: number): Promise<void> => {
    const stream = `server-${uuid()}`;
    for (let written = 0; written < each; written += 10) {
      const events: NewEvent[] = Array.from({ length: Math.min(10, each - written) }, (_, nth) =>
        newEvent(
          written + nth === 0
            ? registered(`s${server}-${uuid()}`)
            : renamed(`s${server} ${written + nth} Zürich`),
          workspace,
        ),
      );
      await appendAtEnd(store, stream, events);
    }
  };
  await Promise.all(Array.from({ length: SERVERS }, (_, server) => write(server)));
};

/** Everything except positions, which differ from place to place. */
const withoutPositions = (body: unknown): unknown =>
  JSON.parse(
    JSON.stringify(body, (key, value: unknown) => (/position|next|before/i.test(key) ? undefined : value)),
  );

const past = async (who: Operator, at: string) => {
  const headers = { 'x-at': at };
  const [servers, history] = await Promise.all([
    who.post('server/list', {}, headers),
    who.post('history/list', { limit: 50 }, headers),
  ]);
  expect([servers.status, history.status]).toEqual([200, 200]);
  return [servers.body, history.body];
};
const byInstant = (who: Operator, instants: string[]) =>
  Promise.all(instants.map(async (at) => withoutPositions(await past(who, at))));
const byPosition = (who: Operator, positions: string[]) => Promise.all(positions.map((at) => past(who, at)));

const places = async (store: AuthenticStore) =>
  (await store.log.readAll('0', 1_000_000)).map(({ position: _position, ...event }) => event);

/** Runs the command in a separate process, and kills it as soon as `when` holds. */
const killed = async (
  args: string[],
  env: Record<string, string>,
  when: () => Promise<boolean>,
): Promise<void> => {
  await buildBackend();
  const child = spawn(process.execPath, ['dist/backend/cli.js', ...args], {
    stdio: 'ignore',
    env: { PATH: process.env.PATH, DATABASE_URL: world.postgres.url, MASTER_KEY, ...env },
  });
  const ended = once(child, 'exit');
  while (child.exitCode === null && !(await when())) await pause(1);
  child.kill('SIGKILL');
  expect(await ended).toEqual([null, 'SIGKILL']);
};

/** Called every millisecond in the server's process, so it must not scan the whole log. */
const cameThere = (): number => eventStoreDb.log.events.length;
const movedLately = (): boolean =>
  eventStoreDb.log.events.slice(-100).some(({ type }) => type === 'LogMoved');
const atHead = async (condition: string): Promise<boolean> =>
  (await database.query(`select from log.head where ${condition}`)).rows.length > 0;

fault({
  fault: `a log of ${EVENTS.toLocaleString('en')} events moved to EventStoreDB and back, five times killed`,
  must: 'nothing is lost, doubled or altered; the past answers as before; the old log refuses and says where the new one is',
  share: 0,
  trialMs: 20 * 60_000,
  trial: async () => {
    const who = await world.backend.signIn();
    const { uuid: workspace } = (await who.get<{ instance: { uuid: string } }>('session')).body.instance;
    const { store } = world.backend.resources;
    const writer = await openLog(world.postgres.url);
    await fill(writer, workspace, EVENTS);
    await world.backend.caughtUp();
    const before = await places(store);
    const own = await store.readStream(LOG_STREAM);
    expect(own.map(({ type }) => type)).toEqual(['LogFounded']);
    const head = Number(await store.head());
    const positions = Array.from({ length: MOMENTS }, (_, nth) =>
      String(head - Math.floor((nth * head) / MOMENTS / 1.2)),
    );
    const instants = positions.map((position) => before[Number(position) - 1]?.recordedAt ?? '');
    const [thenByInstant, thenByPosition] = [
      await byInstant(who, instants),
      await byPosition(who, positions),
    ];

    const to = ['log', 'copy', '--to', eventStoreDb.url];
    const half = () => Promise.resolve(cameThere() > EVENTS / 4);
    await killed(to, {}, half);
    await killed(to, {}, () => Promise.resolve(cameThere() > (EVENTS * 3) / 4));
    await killed(to, {}, () => atHead(`moved <> ''`));
    const began = Date.now();
    const moved = await command(to);
    const tookMs = Date.now() - began;
    expect(moved).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`set EVENT_STORE_URL to ${eventStoreDb.url}`) as string,
    });
    // Repeating it changes nothing.
    expect(await command(to)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('already') as string,
    });

    // Refused by the running process, by another one beside it, and by a new one.
    const refusal = `the event log has moved to ${eventStoreDb.url}; set EVENT_STORE_URL to that address`;
    expect(await insert(who, 'late')).toMatchObject({
      status: 503,
      body: { msg: expect.stringContaining(refusal) as string },
    });
    await expect(
      appendAtEnd(writer, `server-${uuid()}`, [newEvent(renamed('late'), workspace)]),
    ).rejects.toThrow(refusal);
    await expect(world.another()).rejects.toThrow(refusal);
    expect(await command(['projections', 'status'])).toMatchObject({
      code: 78,
      stderr: `EVENT_STORE_URL is not set, and the log in the database has moved to ${eventStoreDb.url}; set EVENT_STORE_URL to that address\n`,
    });
    expect(await command(['audit', 'verify'], there())).toMatchObject({ code: 0 });
    await world.backend.close();

    const backend = await world.another({ env: there() });
    await backend.caughtUp();
    const again = await backend.signIn();
    expect(await byInstant(again, instants)).toEqual(thenByInstant);
    const esdb = backend.resources.store;
    expect((await places(esdb)).slice(0, before.length)).toEqual(before);
    await fill(esdb as AuthenticStore, workspace, 200);
    await backend.caughtUp();
    for (const result of await backend.resources.projections.verify())
      expect(result).toMatchObject({ ok: true });
    await backend.close();

    const back = ['log', 'copy', '--to', 'database'];
    await killed(back, there(), () => atHead(`moved = ''`));
    await killed(back, there(), () => Promise.resolve(movedLately()));
    expect(await command(back, there())).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('remove EVENT_STORE_URL') as string,
    });
    await expect(world.another({ env: there() })).rejects.toThrow(
      'the event log has moved into the database of the read models',
    );
    expect(await command(['audit', 'verify'])).toMatchObject({ code: 0 });
    const home = await world.another();
    await home.caughtUp();
    const last = await home.signIn();
    expect(await byInstant(last, instants)).toEqual(thenByInstant);
    expect(await byPosition(last, positions)).toEqual(thenByPosition);
    const after = await places(home.resources.store);
    expect(after.slice(0, before.length)).toEqual(before);
    expect(new Set(after.map(({ id }) => id)).size).toBe(after.length);
    expect((await insert(last, 'home')).status).toBe(200);
    await writer.close();
    expect(comparePositions(await home.resources.store.head(), String(head))).toBeGreaterThan(0);
    return `${Math.round((before.length * 1000) / tookMs)} events/s there, after the kills`;
  },
});
