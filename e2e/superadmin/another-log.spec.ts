// covers: LOG-03
import { fieldsOf, idleKey, nowhere, openWorld, type World } from '../backend/world';
import { startEventStoreDb, type EventStoreDbServer } from '../../testing/eventstoredb/server';
import { runHere } from '../../testing/backend';

let server: EventStoreDbServer;
let world: World;
let env: { EVENT_STORE_URL: string };

beforeAll(async () => {
  server = await startEventStoreDb();
  env = { EVENT_STORE_URL: server.url };
  world = await openWorld();
  const admin = await world.backend.signIn();
  await admin.post('server/insert', { ...fieldsOf('web', nowhere), privateKey: idleKey() });
  await world.backend.close();
});
afterAll(async () => {
  await world?.end();
  await server.stop();
});

const command = (args: string[], of: Record<string, string> = env) =>
  runHere(args, { databaseUrl: world.postgres.url, env: of });
const aliases = async (of: Record<string, string>): Promise<unknown[]> => {
  const backend = await world.another({ env: of });
  await backend.caughtUp();
  const { rows } = await backend.db.query<{ alias: string }>('select alias from read.servers');
  await backend.close();
  return rows.map(({ alias }) => alias);
};

test('a log other than the one of the read models is refused until they are rebuilt from it', async () => {
  const refused =
    /^EVENT_STORE_URL=esdb:\/\/\S+ names a log, but the read models were built from event log .*EVENT_STORE_URL back, or run `npm run projections -- rebuild`/;
  await expect(world.another({ env })).rejects.toThrow(refused);
  // The empty log was left unchanged.
  expect(server.log.events.filter(({ type }) => !type.startsWith('$'))).toEqual([]);
  expect(await command(['projections', 'verify'])).toMatchObject({ code: 1 });
  expect(await command(['projections', 'rebuild', 'servers'])).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('builds all of them from this one') as string,
  });
  // With the log that they were built from, nothing has changed.
  expect(await aliases({})).toEqual(['web']);
  await expect(world.another({ env })).rejects.toThrow(refused);

  expect(await command(['projections', 'rebuild'])).toMatchObject({ code: 0 });
  expect(await aliases(env)).toEqual([]);
  await expect(world.another({ env: {} })).rejects.toThrow(
    /^EVENT_STORE_URL is not set, so the log is the one in the database/,
  );
  expect(await command(['projections', 'rebuild'], {})).toMatchObject({ code: 0 });
  expect(await aliases({})).toEqual(['web']);
});
