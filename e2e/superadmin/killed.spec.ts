/** Processes of the real build, killed during a rebuild. covers: AUD-05 */
import { randomUUID } from 'node:crypto';
import { operator, type Operator } from '../../testing/operator';
import { runCommand, spawnBackend, type BackendProcess } from '../../testing/backend-process';
import { startTestPostgres, type TestPostgres } from '../../testing/postgres';
import { newEvent, registered, renamed } from '../projections/happenings';
import { endOfMaintenance, overviewOf, readModelsOf, start, until } from './installation';
import { openLog } from '../../testing/log';

const STREAMS = 60;
const EVENTS_A_STREAM = 200;

let postgres: TestPostgres;
/** Leads first, and is killed. */
let first: BackendProcess;
let second: BackendProcess;
let who: Operator;

beforeAll(async () => {
  postgres = await startTestPostgres();
  first = await spawnBackend({ databaseUrl: postgres.url });
  second = await spawnBackend({ databaseUrl: postgres.url });
  await fill();
  const link = await runCommand(['sign-in-link', '--workspace', 'main', '--role', 'superadmin'], {
    databaseUrl: postgres.url,
  });
  who = await operator(second.url).signIn(new URL(link.stdout.trim()).searchParams.get('code') ?? '');
});
afterAll(async () => {
  await first?.stop();
  await second?.stop();
  await postgres?.stop();
});

/** Enough events that a rebuild takes a while. */
const fill = async (): Promise<void> => {
  const store = await openLog(postgres.url);
  await Promise.all(
    Array.from({ length: STREAMS }, (_, n) =>
      store.append(
        `server-${randomUUID()}`,
        [
          registered(`s${n}`),
          ...Array.from({ length: EVENTS_A_STREAM }, (_v, at) => renamed(`s${n}-${at}`)),
        ].map((event) => newEvent(event)),
        'no_stream',
      ),
    ),
  );
  await store.close();
};

test('kill -9 of the rebuilding process: another starts over and finishes, and the result matches the log', async () => {
  await until(
    () => readModelsOf(who),
    ({ lag }) => lag.events === 0,
  );
  const { processes } = await overviewOf(who);
  expect(processes.find(({ leadingSince }) => leadingSince)?.pid).toBe(first.pid);
  await start(who, 'rebuild');
  await until(
    () => readModelsOf(who),
    ({ progress }) => progress !== undefined,
  );
  await first.kill('SIGKILL');
  // The dead process's work is not shown as running.
  await until(
    () => readModelsOf(who),
    ({ current, progress }) => current === undefined || progress === undefined || current.attempts === 2,
  );
  expect(await endOfMaintenance(who)).toMatch(/^rebuilt .* from 1\d{4} events/);
  const said = (await overviewOf(who)).events.map(({ says }) => says).reverse();
  expect(said.slice(0, 4)).toEqual([
    'created the event log',
    'requested to rebuild all read models',
    expect.stringMatching(new RegExp(`^started in .*:${first.pid}$`)),
    expect.stringMatching(new RegExp(`^started in .*:${second.pid}, attempt 2$`)),
  ]);
  const verified = await runCommand(['projections', 'verify'], { databaseUrl: postgres.url });
  expect([verified.code, verified.stdout]).toEqual([0, expect.stringContaining('match the log')]);
});

test('the command line rebuilds beside them, reports its progress, and is recorded', async () => {
  const { code, stdout, stderr } = await runCommand(['projections', 'rebuild'], {
    databaseUrl: postgres.url,
  });
  expect([code, stderr]).toEqual([0, expect.stringMatching(/of 1\d,\d{3} events, \d+ %, [\d,]+\/s/)]);
  expect(JSON.parse(stdout)).toMatchObject({ projections: expect.arrayContaining(['servers', 'history']) });
  const { events } = await overviewOf(who);
  expect(events.slice(0, 3).map(({ type, by }) => [type, by])).toEqual([
    ['RebuildFinished', 'system'],
    ['MaintenanceStarted', 'system'],
    ['MaintenanceRequested', 'cli'],
  ]);
});
