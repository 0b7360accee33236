/** One of several back ends probes. When it dies, another continues, and nothing is recorded twice. covers: SRV-16 */
import { Pool } from 'pg';
import {
  signIn,
  spawnBackend,
  startBackend,
  type BackendProcess,
  type Operator,
} from '../../testing/backend';
import { startTestPostgres, type TestPostgres } from '../../testing/postgres';
import { startSshd, type Sshd } from '../../testing/sshd';
import { probeEverySecond, watchHealth, type HealthWatch } from './health-watch';
import { registerAt } from './world';

let postgres: TestPostgres;
let sshd: Sshd;
let db: Pool;
let watch: HealthWatch;
let server: string;
/** The process that probes; each test leaves one running. */
let first: BackendProcess;
const open: BackendProcess[] = [];

const start = async (): Promise<BackendProcess> => {
  const backend = await spawnBackend({
    databaseUrl: postgres.url,
    env: { HEALTH_CHECKS: 'on', LOG_LEVEL: 'info' },
  });
  open.push(backend);
  return backend;
};
const began = ({ stderr }: BackendProcess): boolean =>
  stderr().includes('health checks: this process probes');
const holder = async (): Promise<unknown> =>
  (await db.query(`select holder, token from app.leases where name = 'health-probes'`)).rows[0];
const asked = async (backend: BackendProcess): Promise<Operator> => signIn(backend.url, backend.signInLink);

/** One process that probes a server, whose state it has recorded once. */
beforeAll(async () => {
  [postgres, sshd] = await Promise.all([startTestPostgres(), startSshd()]);
  db = new Pool({ connectionString: postgres.url });
  const here = await startBackend({ databaseUrl: postgres.url });
  await probeEverySecond(here, { failures: 1, outOf: 1 });
  await here.close();
  first = await start();
  const operator = await asked(first);
  watch = watchHealth(operator, db);
  server = await registerAt(operator, sshd);
  await operator.post('server/contact', { id: server });
  await watch.untilState(server, 'reachable');
});
afterAll(async () => {
  for (const backend of open) {
    // A frozen process does not receive the signal to end.
    backend.child.kill('SIGCONT');
    await backend.stop();
  }
  await db?.end();
  await sshd?.stop();
  await postgres?.stop();
});

test('a stopped process hands over, and the next one records nothing that is already known', async () => {
  expect(await first.stop()).toBe(0);
  expect(await holder()).toBeUndefined();
  first = await start();
  watch = watchHealth(await asked(first), db);
  await watch.more(server, 2);
  expect(await watch.changes(server)).toHaveLength(1);
});

test('a frozen process loses its lease, and stops probing when it wakes up', async () => {
  const second = await start();
  first.child.kill('SIGSTOP');
  await watch.until(async () => began(second));
  first.child.kill('SIGCONT');
  await watch.until(async () => first.stderr().includes('this process no longer probes'));
  watch = watchHealth(await asked(second), db);
  await watch.more(server, 2);
  expect(await watch.changes(server)).toHaveLength(1);
  await first.stop();
  first = second;
});

test('after a kill another process takes over, and records nothing that is already known', async () => {
  const second = await start();
  const before = await holder();
  await watch.more(server, 2);
  expect([began(first), began(second)]).toEqual([true, false]);
  expect(await holder()).toEqual(before);
  expect(await watch.changes(server)).toHaveLength(1);

  await first.kill('SIGKILL');
  watch = watchHealth(await asked(second), db);
  await watch.more(server, 3);
  expect(began(second)).toBe(true);
  expect(await holder()).not.toEqual(before);
  expect(await watch.changes(server)).toHaveLength(1);
  // It starts from the state in the log: later changes are recorded once.
  sshd.kill('SIGKILL');
  await watch.untilState(server, 'unreachable');
  await watch.more(server, 2);
  expect(await watch.changes(server)).toHaveLength(2);
});
