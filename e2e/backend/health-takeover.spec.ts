/** Of several back ends one probes; when it dies another goes on, and nothing is told twice. covers: SRV-16 */
import { Pool } from 'pg';
import { signIn, spawnBackend, type BackendProcess, type Operator } from '../peers/backend';
import { startTestPostgres, type TestPostgres } from '../peers/postgres';
import { startSshd, type Sshd } from '../peers/sshd';
import { watchHealth, type HealthWatch } from './health-watch';
import { registerAt } from './world';

let postgres: TestPostgres;
let sshd: Sshd;
let db: Pool;
let watch: HealthWatch;
let server: string;
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

beforeAll(async () => {
  [postgres, sshd] = await Promise.all([startTestPostgres(), startSshd()]);
  db = new Pool({ connectionString: postgres.url });
  const first = await start();
  const operator = await asked(first);
  watch = watchHealth(operator, db);
  await operator.post('workspace/health-checks', { everySeconds: 5, failures: 1, outOf: 1 });
  server = await registerAt(operator, sshd);
  await operator.post('server/contact', { id: server });
  await watch.untilState(server, 'reachable');
});
afterAll(async () => {
  for (const backend of open) await backend.stop();
  await db?.end();
  await sshd?.stop();
  await postgres?.stop();
});

test('one probes, the other takes over when it is killed, and says nothing that is known', async () => {
  const [first] = open as [BackendProcess];
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
  // It goes by what the log says: what changes from now on is told, once.
  sshd.kill('SIGKILL');
  await watch.untilState(server, 'unreachable');
  await watch.more(server, 2);
  expect(await watch.changes(server)).toHaveLength(2);
});

test('one that is stopped hands over, and the next says nothing that is known', async () => {
  const [, second] = open as [BackendProcess, BackendProcess];
  expect(await second.stop()).toBe(0);
  expect(await holder()).toBeUndefined();
  const third = await start();
  watch = watchHealth(await asked(third), db);
  await watch.more(server, 2);
  expect(await watch.changes(server)).toHaveLength(2);
});

test('one that is frozen loses its place, and gives it up when it wakes', async () => {
  const third = open[2] as BackendProcess;
  const fourth = await start();
  third.child.kill('SIGSTOP');
  await watch.until(async () => began(fourth));
  third.child.kill('SIGCONT');
  await watch.until(async () => third.stderr().includes('this process no longer probes'));
  watch = watchHealth(await asked(fourth), db);
  await watch.more(server, 2);
  expect(await watch.changes(server)).toHaveLength(2);
});
