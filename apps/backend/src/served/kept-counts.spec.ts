import { Pool } from 'pg';
import { startTestPostgres, type TestPostgres } from '../../../../testing/postgres';
import { migrate } from '../platform/database';
import { KeptCounts } from './kept-counts';
import { servedTables } from './served.tables';

const INSTANCE = 'b2c5f0de-0000-4000-8000-000000000001';
const OTHER = 'b2c5f0de-0000-4000-8000-000000000002';
const counts = (requests: number, buckets: number[]) => ({ requests, refused: 1, failed: 0, buckets });

let postgres: TestPostgres;
let db: Pool;
const warnings: string[] = [];
const kept = () =>
  new KeptCounts(db, { warn: (_: unknown, message: string) => warnings.push(message) } as never);
const seen = async (of: KeptCounts, instance = INSTANCE) =>
  Object.fromEntries((await of.of(instance)).endpoints);

beforeAll(async () => {
  postgres = await startTestPostgres();
  db = new Pool({ connectionString: postgres.url, max: 4 });
  await migrate(db, servedTables.steps);
});
beforeEach(() => db.query('truncate app.api_counts'));
afterAll(async () => {
  await db.end();
  await postgres.stop();
});

it('adds up what two processes have counted, each duration where it belongs', async () => {
  const [one, other] = [kept(), kept()];
  one.add(INSTANCE, { a: counts(2, [0, 1, 1]), b: counts(1, [1]) });
  one.add(INSTANCE, { a: counts(1, [1]) });
  other.add(INSTANCE, { a: counts(4, [0, 0, 0, 4]), '': counts(1, [1]) });
  other.add(OTHER, { a: counts(9, [9]) });
  await Promise.all([one.flush(), other.flush()]);
  one.add(INSTANCE, { a: counts(1, [1]) });
  await one.flush();
  expect(await seen(other)).toEqual({
    a: { requests: 8, refused: 4, failed: 0, buckets: [2, 1, 1, 4] },
    b: counts(1, [1]),
    '': counts(1, [1]),
  });
  expect(await seen(one, OTHER)).toEqual({ a: counts(9, [9]) });
});

it('shows seven days, says since when, and deletes what is older', async () => {
  const one = kept();
  one.add(INSTANCE, { a: counts(1, [1]) });
  await one.flush();
  const age = (days: number) =>
    db.query(`update app.api_counts set day = day - $1::int, since = since - make_interval(days => $1)`, [
      days,
    ]);
  await age(6);
  one.add(INSTANCE, { a: counts(1, [0, 1]) });
  await one.flush();
  expect(await seen(one)).toEqual({ a: { requests: 2, refused: 2, failed: 0, buckets: [1, 1] } });
  const { since } = await one.of(INSTANCE);
  expect(Date.now() - Number(since)).toBeGreaterThan(5.9 * 86_400_000);
  await age(1);
  expect(await seen(one)).toEqual({ a: counts(1, [0, 1]) });
  // Another process, because each deletes once an hour.
  const other = kept();
  other.add(OTHER, { a: counts(1, [1]) });
  await other.flush();
  expect((await db.query('select 1 from app.api_counts where instance = $1', [INSTANCE])).rowCount).toBe(1);
});

it('writes what could not be written with the next batch', async () => {
  const one = kept();
  one.add(INSTANCE, { a: counts(1, [1]) });
  await db.query('alter table app.api_counts rename to away');
  await one.flush();
  expect(warnings).toEqual(['counts of served APIs could not be written']);
  await db.query('alter table app.away rename to api_counts');
  one.add(INSTANCE, { a: counts(2, [0, 2]) });
  await one.flush();
  expect(await seen(one)).toEqual({ a: { requests: 3, refused: 2, failed: 0, buckets: [1, 2] } });
});

it('has no times for an instance that nobody has asked', async () => {
  expect(await kept().of(INSTANCE)).toEqual({ since: undefined, endpoints: new Map() });
});
