import { LastingConnection } from '@quarterdeck/log/store';
import { Pool } from 'pg';
import { v7 as uuidv7 } from 'uuid';
import { startTestPostgres, type TestPostgres } from '../../../../../testing/postgres';
import { migrate } from '../database/migrations';
import { HELD, Leases } from './leases';
import { ProcessLease } from './process-lease';
import { tables } from '../../tables';
import { until } from '../../../../../testing/patience';

let postgres: TestPostgres;
let pool: Pool;
const open: Leases[] = [];
const faults: unknown[] = [];

const onFault = (error: unknown): void => void faults.push(error);
const ending = new WeakMap<Leases, () => Promise<void>>();
const begin = async (): Promise<Leases> => {
  const connection = new LastingConnection({ connectionString: postgres.url }, onFault);
  const leases = new Leases(pool, connection, onFault);
  leases.start();
  await connection.start();
  ending.set(leases, () => {
    leases.stop();
    return connection.close();
  });
  open.push(leases);
  return leases;
};
const end = (leases: Leases): Promise<void> | undefined => ending.get(leases)?.();
/** Moves the expiry into the future, so only the death of the lease's holder can free it. */
const keepFromExpiring = (name: string) =>
  pool.query(`update app.leases set until = clock_timestamp() + interval '1 hour' where name = $1`, [name]);
const holderOf = async (name: string) =>
  (await pool.query<{ holder: string; session: number }>('select * from app.leases where name = $1', [name]))
    .rows[0];

beforeAll(async () => {
  postgres = await startTestPostgres();
  pool = new Pool({ connectionString: postgres.url });
  await migrate(pool, tables.steps);
});
afterAll(async () => {
  for (const leases of open) await end(leases);
  await pool?.end();
  await postgres?.stop();
});

test('the lease of a dead process is taken over long before it expires, and by only one of many', async () => {
  const [first, ...others] = [await begin(), await begin(), await begin()];
  const name = `run-${uuidv7()}`;
  await first!.acquire(name);
  expect(await others[0]!.expired(name)).toEqual([]);
  // The process ends together with its connection. Nothing else shows that it died.
  await end(first!);
  await keepFromExpiring(name);
  const found = await Promise.all(
    others.map(async (leases) => {
      let lease;
      await until(async () => ([lease] = await leases.expired(name)) && lease !== undefined);
      return lease!;
    }),
  );
  const taken = await Promise.all(others.map((leases, at) => leases.takeOver(found[at]!)));
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

test('a lease that an earlier look found over is not taken over if it was renewed meanwhile', async () => {
  const [first, other] = [await begin(), await begin()];
  const name = `run-${uuidv7()}`;
  await first.acquire(name);
  await first.handOver(name);
  const [found] = await other.expired(name);
  await pool.query('update app.leases set until = clock_timestamp() where name = $1', [name]);
  expect(await other.takeOver(found!)).toBe(false);
});

test('the lease of a frozen process is taken over even if the clock was set back by an hour, or forward before', async () => {
  const other = await begin();
  for (const step of ['-1 hour', '1 hour']) {
    const frozen = await begin();
    const name = `run-${uuidv7()}`;
    await frozen.acquire(name);
    // It keeps its connection, but renews no more. What it wrote is an hour away from the new time.
    frozen.stop();
    await pool.query('update app.leases set until = until - $2::interval where name = $1', [name, step]);
    expect(await other.expired(name)).toEqual([]);
    expect(await other.isHeld(name)).toBe(true);
    let lease;
    await until(async () => ([lease] = await other.expired(name)) && lease !== undefined);
    expect(await other.isHeld(name)).toBe(false);
    expect(await other.takeOver(lease!)).toBe(true);
  }
});

test('a process that renews keeps its lease while the clock is set forward', async () => {
  const [first, other] = [await begin(), await begin()];
  const name = `run-${uuidv7()}`;
  await first.acquire(name);
  const before = await holderOf(name);
  for (let looks = 0; looks < 3; looks++) {
    await pool.query(`update app.leases set until = until - interval '1 day' where name = $1`, [name]);
    expect(await other.expired(name)).toEqual([]);
  }
  expect(await holderOf(name)).toMatchObject({ holder: before?.holder });
});

test('the work of a dead process is done by another one before its lease expires, and by nobody while it is held back', async () => {
  const [first, other] = [await begin(), await begin()];
  const heard: string[] = [];
  const workOf = (leases: Leases, who: string): ProcessLease => {
    const hears = (what: string) => (): void => void heard.push(`${who} ${what}`);
    const lease = new ProcessLease(leases, 'harbour', {
      onTaken: hears('takes it'),
      onLost: hears('loses it'),
      onFault: (error) => void faults.push(error),
    });
    lease.start();
    return lease;
  };
  await pool.query(`insert into app.installation (key, value) values ($1, 'true')`, [HELD]);
  expect(await first.take('harbour')).toBe(false);
  await pool.query('delete from app.installation where key = $1', [HELD]);
  workOf(first, 'first');
  await until(() => Promise.resolve(heard.length === 1));
  const waiting = workOf(other, 'other');
  await end(first);
  await keepFromExpiring('harbour');
  await until(() => Promise.resolve(heard.length === 2));
  expect(heard).toEqual(['first takes it', 'other takes it']);
  await waiting.stop();
  expect(heard).toEqual(['first takes it', 'other takes it', 'other loses it']);
  expect(await holderOf('harbour')).toBeUndefined();
});

test('those who ask at the same time share one connection, and each name has one holder', async () => {
  const narrow = new Pool({ connectionString: postgres.url });
  const connection = new LastingConnection({ connectionString: postgres.url }, onFault);
  const [one, other] = [new Leases(narrow, connection, onFault), await begin()];
  const names = Array.from({ length: 24 }, (_, at) => `lighthouse-${at}`);
  const taken = await Promise.all([...names, 'lighthouse-1'].map((name) => one.take(name)));
  expect(taken).toEqual([...names.map(() => true), false]);
  expect(narrow.totalCount).toBe(1);
  expect(await Promise.all(names.map((name) => other.take(name)))).toEqual(names.map(() => false));
  // One name is the prefix of others, which must not expire with it.
  await one.handOver('lighthouse-2');
  expect(await Promise.all(names.map((name) => other.take(name)))).toEqual(
    names.map((name) => name === 'lighthouse-2'),
  );
  await narrow.end();
});

test('a process that cannot renew stops its work before another one may begin', async () => {
  jest.useFakeTimers({
    doNotFake: ['setTimeout', 'clearTimeout', 'setImmediate', 'nextTick', 'queueMicrotask'],
  });
  try {
    let hangs = false;
    const query = (...asked: Parameters<Pool['query']>): unknown =>
      hangs ? new Promise(() => undefined) : pool.query(...asked);
    const connection = new LastingConnection({ connectionString: postgres.url }, onFault);
    const leases = new Leases({ query } as unknown as Pool, connection, onFault);
    leases.start();
    const heard: string[] = [];
    const lease = new ProcessLease(leases, 'quay', {
      onTaken: () => heard.push('takes it'),
      onLost: () => heard.push('loses it'),
      onFault: (error) => void faults.push(error),
    });
    lease.start();
    await until(() => Promise.resolve(heard.length === 1));
    hangs = true;
    jest.advanceTimersByTime(2800);
    expect(heard).toEqual(['takes it']);
    jest.advanceTimersByTime(700);
    expect(heard).toEqual(['takes it', 'loses it']);
    const { rows } = await pool.query<{ free: boolean }>(
      `select until < clock_timestamp() as free from app.leases where name = 'quay'`,
    );
    expect(rows).toEqual([{ free: false }]);
    leases.stop();
  } finally {
    jest.useRealTimers();
  }
});
