import type { EventStore } from '@quarterdeck/log/store';
import { Pool, type ClientBase } from 'pg';
import { openLog } from '../../../../../testing/log';
import { startTestPostgres, type TestPostgres } from '../../../../../testing/postgres';
import { newStream, several } from '../../../../../testing/log-events';
import { Claims } from '../decisions/claims';
import { migrate } from '../database/migrations';
import { remake } from './remaking';
import { tables } from '../../tables';

describe('what is remade beside an empty database', () => {
  let postgres: TestPostgres;
  let pool: Pool;
  let store: EventStore;
  let claims: Claims;
  let waited: number;
  const caughtUp = (): Promise<void> => {
    waited += 1;
    return Promise.resolve();
  };
  const held = [
    { scope: 'alias', key: 'web-1', holder: 'elder' },
    { scope: 'alias', key: 'web-1', holder: 'younger' },
    { scope: 'alias', key: 'web-2', holder: 'another' },
  ];
  const names = (made: () => void = () => undefined) => ({
    name: 'alias',
    remake: async (client: ClientBase) => {
      await claims.assign(held, client);
      made();
    },
  });

  beforeAll(async () => {
    postgres = await startTestPostgres();
  });
  beforeEach(async () => {
    const url = await postgres.newDatabase();
    pool = new Pool({ connectionString: url, max: 20 });
    await migrate(pool, tables.steps);
    store = await openLog(url);
    claims = new Claims(pool);
    waited = 0;
  });
  afterEach(async () => {
    await store.close();
    await pool.end();
  });
  afterAll(() => postgres.stop());

  it('is complete or absent when a process dies in the middle, and is then made by the next one', async () => {
    await store.append(newStream(), several(1), 'no_stream');
    const dies = names(() => {
      throw new Error('killed');
    });
    await expect(remake([dies], { pool, store, caughtUp })).rejects.toThrow('killed');
    expect(await claims.holderOf('alias', 'web-2')).toBeUndefined();
    // Before the next attempt, a holder that does not have the name claims this key.
    await claims.obtain('alias', 'web-2', 'nobody');
    await remake([names()], { pool, store, caughtUp });
    expect(await claims.holderOf('alias', 'web-1')).toBe('elder');
    expect(await claims.holderOf('alias', 'web-2')).toBe('another');
  });

  it('is made once by 10 processes that start at once, and never again', async () => {
    await store.append(newStream(), several(1), 'no_stream');
    let made = 0;
    const owners = [names(() => (made += 1))];
    await Promise.all(Array.from({ length: 10 }, () => remake(owners, { pool, store, caughtUp })));
    await claims.release('alias', 'web-1', 'elder');
    await remake(owners, { pool, store, caughtUp });
    expect([made, await claims.holderOf('alias', 'web-1')]).toEqual([1, undefined]);
  });

  it('waits for the read models if the log has events, and only then', async () => {
    await remake([names()], { pool, store, caughtUp });
    expect([waited, await claims.holderOf('alias', 'web-1')]).toEqual([0, undefined]);
    await store.append(newStream(), several(1), 'no_stream');
    await remake([{ ...names(), name: 'other' }], { pool, store, caughtUp });
    expect(waited).toBe(1);
  });
});
