import { Pool } from 'pg';
import { v7 as uuidv7 } from 'uuid';
import { startTestPostgres, type TestPostgres } from '../../../../../e2e/peers/postgres';
import { migrate } from '../database/migrations';
import { RunLeases } from './run-leases';
import { tables } from '../../tables';

let postgres: TestPostgres;
let pool: Pool;
const open: RunLeases[] = [];
const faults: unknown[] = [];

const begin = async (): Promise<RunLeases> => {
  const leases = new RunLeases(pool, postgres.url, (error) => faults.push(error));
  open.push(leases);
  await leases.start();
  return leases;
};
const until = async (holds: () => Promise<boolean>): Promise<void> => {
  while (!(await holds())) await new Promise((done) => setTimeout(done, 50));
};
const holderOf = async (name: string) =>
  (await pool.query<{ holder: string; session: number }>('select * from app.leases where name = $1', [name]))
    .rows[0];

beforeAll(async () => {
  postgres = await startTestPostgres();
  pool = new Pool({ connectionString: postgres.url });
  await migrate(pool, tables.steps);
  // Pretends that Postgres was not restarted recently: right after a restart it cannot tell who is alive.
  await until(
    async () =>
      (await pool.query(`select where pg_postmaster_start_time() < clock_timestamp() - interval '8 seconds'`))
        .rowCount === 1,
  );
}, 60_000);
afterAll(async () => {
  for (const leases of open) await leases.stop();
  await pool?.end();
  await postgres?.stop();
});

test('the lease of a dead process is taken over long before it expires, and by only one of many', async () => {
  const [first, ...others] = [await begin(), await begin(), await begin()];
  const name = `run-${uuidv7()}`;
  await first!.acquire(name);
  expect(await others[0]!.expired(name)).toEqual([]);
  // Its connection ends with it. Nothing else shows that it died.
  await first!.stop();
  const died = performance.now();
  const found = await Promise.all(
    others.map(async (leases) => {
      let lease;
      await until(async () => ([lease] = await leases.expired(name)) && lease !== undefined);
      return lease!;
    }),
  );
  const taken = await Promise.all(others.map((leases, at) => leases.takeOver(found[at]!)));
  expect(performance.now() - died).toBeLessThan(5000);
  expect(taken.filter(Boolean)).toHaveLength(1);
  expect(await others[0]!.isHeld(name)).toBe(true);
});

test('a process that only lost its connection keeps its leases', async () => {
  const [first, other] = [await begin(), await begin()];
  const name = `run-${uuidv7()}`;
  await first.acquire(name);
  const before = await holderOf(name);
  const lost: string[] = [];
  first.onLost((of) => lost.push(of));
  await pool.query(
    `select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and objid = $1::oid`,
    [before?.session],
  );
  const renewed = async (): Promise<boolean> => {
    const session = (await holderOf(name))?.session ?? null;
    return session !== null && session !== before?.session;
  };
  // Without a connection it finds nothing, even at the second look.
  await until(async () => {
    for (const lease of await other.expired(name)) await other.takeOver(lease);
    return renewed();
  });
  expect(lost).toEqual([]);
  expect((await holderOf(name))?.holder).toBe(first.holder);
  expect(faults).toHaveLength(1);
});

test('a lease that an earlier look found dead is not taken over if it was renewed meanwhile', async () => {
  const [first, other] = [await begin(), await begin()];
  const name = `run-${uuidv7()}`;
  await first.acquire(name);
  const { session = 0 } = (await holderOf(name)) ?? {};
  await pool.query('update app.leases set session = session + 1 where name = $1', [name]);
  expect(await other.takeOver({ name, token: '1', session })).toBe(false);
  expect(await other.takeOver({ name, token: '1' })).toBe(false);
});
