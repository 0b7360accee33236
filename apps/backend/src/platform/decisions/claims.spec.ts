import { Pool } from 'pg';
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
    expect(await claims.holderOf('alias', 'web-1')).toBe(holders[got.indexOf(true)]);
  });

  it('can be claimed again by their holder, are free after its release, and cannot be released by others', async () => {
    const claims = new Claims(pool);
    expect(await claims.claim('alias', 'web-1', 'a', yes)).toBe(true);
    expect(await claims.claim('alias', 'web-1', 'a', yes)).toBe(true);
    await claims.release('alias', 'web-1', 'b');
    expect(await claims.claim('alias', 'web-1', 'b', yes)).toBe(false);
    await claims.release('alias', 'web-1', 'a');
    expect(await claims.claim('alias', 'web-1', 'b', yes)).toBe(true);
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
    expect(await claims.claim('alias', 'web-1', 'other', no)).toBe(false);
  });

  it('are obtained by one candidate, whom all callers then get', async () => {
    const claims = new Claims(pool);
    const holders = await Promise.all(
      Array.from({ length: 30 }, (_, i) => claims.obtain('workspace', 'main', `workspace-${i}`)),
    );
    expect(new Set(holders).size).toBe(1);
  });
});
