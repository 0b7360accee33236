import { Pool } from 'pg';
import { until } from '../../../../../testing/patience';
import { startTestPostgres, type TestPostgres } from '../../../../../testing/postgres';
import { Claims } from './claims';
import { migrate } from '../database/migrations';
import { claimsTables } from './claims.tables';

describe('claims', () => {
  let postgres: TestPostgres;
  let pool: Pool;
  const yes = () => Promise.resolve(true);
  const no = () => Promise.resolve(false);

  beforeAll(async () => {
    postgres = await startTestPostgres();
    pool = new Pool({ connectionString: postgres.url, max: 20 });
    await migrate(pool, claimsTables.steps);
  });
  beforeEach(() => pool.query('delete from app.claims'));
  afterAll(async () => {
    await pool.end();
    await postgres.stop();
  });

  it('go to exactly one of 50 concurrent callers', async () => {
    const claims = new Claims(pool);
    const holders = Array.from({ length: 50 }, (_, i) => `server-${i}`);
    const got = await Promise.all(holders.map((holder) => claims.claim('alias', 'web-1', holder, yes)));
    expect(got.filter(Boolean)).toHaveLength(1);
    expect(await claims.holderOf('alias', 'web-1')).toBe(holders[got.findIndex(Boolean)]);
  });

  it('can be claimed again by their holder, are free after its release, and cannot be released by others', async () => {
    const claims = new Claims(pool);
    expect(await claims.claim('alias', 'web-1', 'a', yes)).toBeDefined();
    expect(await claims.claim('alias', 'web-1', 'a', yes)).toBeDefined();
    await claims.release('alias', 'web-1', 'b');
    expect(await claims.claim('alias', 'web-1', 'b', yes)).toBeUndefined();
    await claims.release('alias', 'web-1', 'a');
    expect(await claims.claim('alias', 'web-1', 'b', yes)).toBeDefined();
  });

  it('left behind by a crash are taken over by exactly one of 50', async () => {
    const claims = new Claims(pool, 0);
    await claims.claim('alias', 'web-1', 'crashed', yes);
    // Later callers find a holder that really has the name.
    const holds = (holder: string) => Promise.resolve(holder !== 'crashed');
    const got = await Promise.all(
      Array.from({ length: 50 }, (_, i) => claims.claim('alias', 'web-1', `server-${i}`, holds)),
    );
    expect(got.filter(Boolean)).toHaveLength(1);
  });

  it('are not taken from somebody between claim and append', async () => {
    const claims = new Claims(pool);
    await claims.claim('alias', 'web-1', 'busy', yes);
    expect(await claims.claim('alias', 'web-1', 'other', no)).toBeUndefined();
  });

  describe('of many keys at once', () => {
    const wanted = (...pairs: [key: string, holder: string][]) =>
      pairs.map(([key, holder]) => ({ key, holder }));

    it('go to the first of two holders of one key', async () => {
      const claims = new Claims(pool);
      const got = await claims.claimFree('alias', wanted(['web-1', 'b'], ['web-2', 'c'], ['web-1', 'a']));
      expect(got).toEqual(new Set(['b', 'c']));
      expect(await claims.holderOf('alias', 'web-1')).toBe('b');
    });

    it('leave a key to whoever has it, also if the claim is old', async () => {
      const claims = new Claims(pool, 0);
      await claims.claim('alias', 'web-1', 'present', yes);
      const got = await claims.claimFree('alias', wanted(['web-1', 'other'], ['web-2', 'another']));
      expect(got).toEqual(new Set(['another']));
      expect(await claims.holderOf('alias', 'web-1')).toBe('present');
    });

    it('renew a claim of their own, so that nobody takes it over', async () => {
      const claims = new Claims(pool);
      await claims.claim('alias', 'web-1', 'a', yes);
      await pool.query(`update app.claims set claimed_at = claimed_at - interval '1 hour'`);
      expect(await claims.claimFree('alias', wanted(['web-1', 'a']))).toEqual(new Set(['a']));
      expect(await claims.claim('alias', 'web-1', 'other', no)).toBeUndefined();
    });

    it('do not wait for each other in a circle when their keys are in opposite order', async () => {
      const claims = new Claims(pool);
      const keys = ['a', 'm', 'z'];
      const between = await pool.connect();
      try {
        // Each call gets to the key in the middle while it has the one that comes first.
        await between.query('begin');
        await between.query(`insert into app.claims (scope, key, holder) values ('alias', 'm', 'between')`);
        const both = [keys, keys.toReversed()].map((order, at) =>
          claims.claimFree('alias', wanted(...order.map((key): [string, string] => [key, `${key}-${at}`]))),
        );
        const waiting = `select count(*)::int as count from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`;
        await until(async () => (await pool.query<{ count: number }>(waiting)).rows[0]?.count === 2);
        await between.query('rollback');
        const all = (await Promise.all(both)).flatMap((got) => [...got]);
        expect(all.map((holder) => holder.slice(0, 1)).toSorted()).toEqual(keys);
      } finally {
        await between.query('rollback');
        between.release();
      }
    });
  });

  it('are obtained by one candidate, whom all callers then get', async () => {
    const claims = new Claims(pool);
    const holders = await Promise.all(
      Array.from({ length: 30 }, (_, i) => claims.obtain('workspace', 'main', `workspace-${i}`)),
    );
    expect(new Set(holders).size).toBe(1);
  });
});
