// covers: LOG-04
import { startEventStoreDb, type EventStoreDbServer } from '../../testing/eventstoredb/server';
import { runHere } from '../../testing/backend';
import { freePort } from '../../testing/free-port';
import { startTestPostgres, type TestPostgres } from '../../testing/postgres';

let postgres: TestPostgres;
let guarded: EventStoreDbServer;
let closed: number;

beforeAll(async () => {
  [postgres, guarded, closed] = await Promise.all([
    startTestPostgres(),
    startEventStoreDb({ credentials: { username: 'admin', password: 'changeit' } }),
    freePort('127.0.0.1'),
  ]);
});
afterAll(async () => {
  await guarded?.stop();
  await postgres?.stop();
});

const command = (...args: string[]) => runHere(['log', ...args], { databaseUrl: postgres.url });

it.each<[string, () => string, number, RegExp]>([
  ['no address', () => 'somewhere', 78, /^--to does not begin with esdb:\/\/.*postgres:\/\/; give it as \S+/],
  [
    'nobody there',
    () => `esdb://u:canary@127.0.0.1:${closed}?tls=false`,
    69,
    /^--to=esdb:\/\/127\.0\.0\.1:\d+\?tls=false cannot be reached: the connection is refused; start the event log, or correct its address\n$/,
  ],
  [
    'a database that is not there',
    () => postgres.url.replace(/\/\w+$/, '/canary_none'),
    78,
    /^--to=postgres:\/\/\S+ is refused: database "canary_none" does not exist; create the database, or correct its name\n$/,
  ],
  [
    'no credentials',
    () => guarded.url,
    78,
    /^--to=esdb:\/\/\S+ is refused: the server asks for user and password; give them as user:password@ before the host\n$/,
  ],
])('a log cannot be copied to %s, and one line says why', async (_what, to, code, line) => {
  const ended = await command('copy', '--to', to());
  expect(ended).toMatchObject({ code, stdout: '' });
  expect(ended.stderr).toMatch(line);
  expect(ended.stderr).not.toContain('canary@');
});

it('refuses unknown arguments, and a target that already is the log', async () => {
  expect(await command('copy')).toMatchObject({ code: 2 });
  expect(await command('copy', '--to', 'database')).toMatchObject({
    code: 1,
    stdout: 'EVENT_STORE_URL is not set: the log is already in the database\n',
  });
});
