/**
 * Statements of many requests that are asked together: each gets its own answer, what one does wrong is its own, and no
 * insert happens twice. covers: API-02
 */
import { Client } from 'pg';
import { Connections, type DatabaseAccess } from '../../apps/backend/src/served/child/connections';
import { SharedQuestions } from '../../apps/backend/src/served/child/shared-questions';
import { startTestPostgres } from '../../testing/postgres';
import { until } from '../../testing/patience';

const INSERT = 'insert into thing (name) values ($1) returning id';
const READ = 'select name from thing where id = $1';
/** Fails for zero. */
const DIVIDE = 'select 12 / $1::int as n';

let postgres: Awaited<ReturnType<typeof startTestPostgres>>;
let client: Client;
let connections: Connections;
let reads: SharedQuestions;
let inserts: SharedQuestions;

const accessOf = (url: string): DatabaseAccess => {
  const { hostname: host, port, username: user, password, pathname } = new URL(url);
  return {
    dialect: 'postgresql',
    host,
    port: Number(port),
    user,
    password: decodeURIComponent(password),
    database: pathname.slice(1),
  };
};
const many = <T>(count: number, one: (at: number) => Promise<T>) =>
  Promise.allSettled(Array.from({ length: count }, (_, at) => one(at)));
const codesOf = (results: PromiseSettledResult<unknown>[]): (string | undefined)[] =>
  results.map((one) =>
    one.status === 'rejected' ? String((one.reason as { code?: unknown }).code) : undefined,
  );
const names = async (): Promise<string[]> =>
  (await client.query<{ name: string }>('select name from thing order by id')).rows.map(({ name }) => name);
/** How many transactions had more than one of the rows. */
const together = async (): Promise<number> =>
  (await client.query('select xmin from thing group by xmin having count(*) > 1')).rows.length;

beforeAll(async () => {
  postgres = await startTestPostgres();
  client = new Client({ connectionString: postgres.url });
  await client.connect();
});
afterAll(async () => {
  await client?.end();
  await postgres?.stop();
});
beforeEach(async () => {
  await client.query('drop table if exists thing');
  await client.query(
    'create table thing (id serial primary key, name text not null unique deferrable initially deferred)',
  );
  connections = new Connections(accessOf(postgres.url));
  reads = new SharedQuestions(connections, true);
  inserts = new SharedQuestions(connections, false);
  // They are quick, as far as one knows.
  await reads.ask(READ, [0]);
  await reads.ask(DIVIDE, [1]);
  await inserts.ask(INSERT, ['first']);
});
afterEach(() => connections.close());

test('each gets its own answer', async () => {
  const added = await many(100, (at) => inserts.ask(INSERT, [`thing ${at}`]));
  expect(codesOf(added).filter(Boolean)).toEqual([]);
  expect(await together()).toBeGreaterThan(1);
  const found = await many(100, async (at) => {
    const one = added[at];
    const row = one?.status === 'fulfilled' ? one.value.rows[0] : undefined;
    return (await reads.ask(READ, [row?.['id']])).rows;
  });
  expect(found).toEqual(
    Array.from({ length: 100 }, (_, at) => ({ status: 'fulfilled', value: [{ name: `thing ${at}` }] })),
  );
  expect(await names()).toHaveLength(101);
});

test('one that fails does not fail the others, and nothing happens twice', async () => {
  const divided = await many(60, (at) => reads.ask(DIVIDE, [at % 7]));
  expect(codesOf(divided)).toEqual(Array.from({ length: 60 }, (_, at) => (at % 7 ? undefined : '22012')));
  // Refused at the end of the transaction, and at once.
  const added = await many(60, (at) =>
    inserts.ask(INSERT, [at % 7 ? (at % 5 ? `thing ${at}` : 'first') : null]),
  );
  expect(codesOf(added)).toEqual(
    Array.from({ length: 60 }, (_, at) => (at % 7 ? (at % 5 ? undefined : '23505') : '23502')),
  );
  const expected = Array.from({ length: 60 }, (_, at) => `thing ${at}`).filter((_, at) => at % 7 && at % 5);
  expect((await names()).toSorted()).toEqual(['first', ...expected].toSorted());
});

test('a statement that has become slow is asked alone', async () => {
  const SLOW = 'select pg_sleep($1::float8)::text as slept, pg_advisory_xact_lock_shared(7)::text as locked';
  await reads.ask(SLOW, [0]);
  await reads.ask(SLOW, [0.5]);
  await client.query('select pg_advisory_lock(7)');
  const asking = many(6, () => reads.ask(SLOW, [0]));
  // Others of this server have databases of their own.
  const held = `select count(distinct pid)::int as n from pg_locks l join pg_database d on d.oid = l.database
    where l.locktype = 'advisory' and not l.granted and d.datname = current_database()`;
  await until(async () => (await client.query<{ n: number }>(held)).rows[0]?.n === 6);
  await client.query('select pg_advisory_unlock(7)');
  expect(codesOf(await asking)).toEqual(Array(6).fill(undefined));
});

test('connections that end under load: reads are answered, and an insert is there or its caller was told', async () => {
  let isOver = false;
  const answered: string[] = [];
  const told: unknown[] = [];
  let next = 0;
  const caller = async (): Promise<void> => {
    while (!isOver) {
      const name = `thing ${(next += 1)}`;
      await inserts.ask(INSERT, [name]).then(
        () => answered.push(name),
        (error: unknown) => told.push((error as { status?: unknown }).status),
      );
      await reads.ask(READ, [1]).catch((error: unknown) => told.push((error as { status?: unknown }).status));
    }
  };
  const callers = Array.from({ length: 40 }, caller);
  for (let turn = 0; turn < 20; turn += 1) {
    const before = answered.length;
    await client.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and datname = current_database()',
    );
    await until(() => answered.length > before + 20);
  }
  isOver = true;
  await Promise.all(callers);
  expect(new Set(told)).toEqual(new Set(told.length > 0 ? [503] : []));
  const there = await names();
  expect(new Set(there).size).toBe(there.length);
  expect(answered.filter((name) => !there.includes(name))).toEqual([]);
});
