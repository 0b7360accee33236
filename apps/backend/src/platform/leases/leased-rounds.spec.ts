import { Pool } from 'pg';
import { pino } from 'pino';
import { LastingConnection } from '@quarterdeck/log/store';
import { startTestPostgres, type TestPostgres } from '../../../../../testing/postgres';
import { LeasedRounds } from './leased-rounds';
import { Leases } from './leases';
import type { Logger } from '../tokens';
import { migrate } from '../database/migrations';
import { tables } from '../../tables';
import { until } from '../../../../../testing/patience';

class Sweeps extends LeasedRounds {
  constructor(
    leases: Leases,
    logger: Logger,
    everyMs: number,
    protected readonly round: (signal: AbortSignal) => Promise<unknown>,
  ) {
    super(leases, logger, { lease: 'sweeps', what: 'the sweeps', everyMs });
  }
}

describe('periodic work in one of all processes', () => {
  let postgres: TestPostgres;
  let pool: Pool;
  const open: LeasedRounds[] = [];
  const fault = (error: unknown): never => {
    throw error;
  };
  const newLeases = () =>
    new Leases(pool, new LastingConnection({ connectionString: postgres.url }, fault), fault);

  beforeAll(async () => {
    postgres = await startTestPostgres();
    pool = new Pool({ connectionString: postgres.url, max: 20 });
    await migrate(pool, tables.steps);
  });
  afterEach(() => Promise.all(open.splice(0).map((rounds) => rounds.onModuleDestroy())));
  afterAll(async () => {
    await pool.end();
    await postgres.stop();
  });

  const process = (
    everyMs: number,
    round: (signal: AbortSignal) => Promise<unknown>,
    log: (line: string) => void = () => undefined,
  ) => {
    const logger = pino({ level: 'warn' }, { write: log });
    const rounds = new Sweeps(newLeases(), logger, everyMs, round);
    open.push(rounds);
    rounds.onApplicationBootstrap();
    return rounds;
  };

  it('continues after a failed round, which is reported', async () => {
    let rounds = 0;
    let said = '';
    const failing = () => {
      rounds += 1;
      return rounds === 1 ? Promise.reject(new Error('no disk')) : Promise.resolve();
    };
    process(10, failing, (line) => void (said += line));
    await until(() => rounds > 2);
    expect(said).toMatch(/no disk.*the sweeps/);
  });

  it('never runs twice at once, and is handed over after the running round', async () => {
    const at: string[] = [];
    let release = (): void => {};
    const first = process(5, async (signal) => {
      at.push('first begins');
      await new Promise<void>((go) => (release = go));
      at.push(signal.aborted ? 'first ends early' : 'first ends');
    });
    await until(() => at.length === 1);
    process(5, () => Promise.resolve(at.push('second')));
    const stopped = first.onModuleDestroy();
    expect(at).toEqual(['first begins']);
    release();
    await stopped;
    await until(() => at.length > 2);
    expect(at.slice(0, 3)).toEqual(['first begins', 'first ends early', 'second']);
  });

  it('leaves nothing behind if it was never started', async () => {
    const unasked = () => Promise.reject(new Error('nobody asked for it'));
    await pool.query('delete from app.leases');
    await new Sweeps(newLeases(), pino({ level: 'silent' }), 1, unasked).onModuleDestroy();
    expect((await pool.query('select from app.leases')).rowCount).toBe(0);
  });
});
