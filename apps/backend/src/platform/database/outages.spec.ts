import { createLogger } from '../logging';
import { Outage, sparing, type OutageLimits } from './outages';
import { until } from '../../../../../testing/patience';

const limits: OutageLimits = { lookMs: 5, quietMs: 30, sayMs: 60_000 };
const away = new Error('away');

const watched = (more: Partial<OutageLimits> = {}) => {
  const lines: { level: string; msg: string; faults?: Record<string, number> }[] = [];
  const plain = createLogger('info', { write: (line) => void lines.push(JSON.parse(line)) });
  const state = { works: true, looks: 0 };
  const outage = new Outage(
    plain,
    {
      is: (error) => error === away,
      works: async () => {
        state.looks += 1;
        if (!state.works) throw away;
      },
      begins: 'it is away',
      ends: 'it is back',
    },
    { ...limits, ...more },
  );
  const said = () => lines.map(({ msg }) => msg);
  return { lines, said, state, outage, logger: sparing(plain, [outage]) };
};

test('an outage is logged when it begins and when it ends, with what failed meanwhile', async () => {
  const { lines, said, state, outage, logger } = watched();
  state.works = false;
  for (let i = 0; i < 1000; i += 1) logger.warn({ err: away }, i % 2 ? 'a lease' : 'sessions');
  await until(() => outage.lasts);
  for (let i = 0; i < 1000; i += 1) logger.error({ err: away }, 'a call');
  state.works = true;
  await until(() => said().includes('it is back'));
  expect(said()).toEqual(['sessions', 'it is away', 'it is back']);
  expect(lines.at(-1)?.faults).toEqual({ sessions: 499, 'a lease': 500, 'a call': 1000 });
  expect(outage.lasts).toBe(false);
});

test('a long outage is logged again from time to time', async () => {
  const { lines, said, state, logger } = watched({ sayMs: 20 });
  state.works = false;
  logger.warn({ err: away }, 'sessions');
  logger.warn({ err: away }, 'sessions');
  await until(() => said().filter((msg) => msg === 'it is away').length > 1);
  expect(lines.filter(({ msg }) => msg === 'it is away')[1]).toMatchObject({ faults: { sessions: 1 } });
  state.works = true;
  await until(() => said().includes('it is back'));
});

test('a single fault is logged unchanged, and nothing more', async () => {
  const { said, state, logger } = watched({ quietMs: 0 });
  logger.warn({ err: away }, 'sessions');
  await until(() => state.looks > 0);
  await new Promise((done) => setImmediate(done));
  logger.warn({ err: away }, 'sessions');
  expect(said()).toEqual(['sessions', 'sessions']);
});

test('faults without a confirmed outage are logged once per operation', async () => {
  const { said, logger } = watched();
  for (const doing of ['sessions', 'a lease', 'a lease', 'a call', 'sessions'])
    logger.warn({ err: away }, doing);
  await until(() => said().length > 3);
  expect(said()).toEqual([
    'sessions',
    'a lease',
    'a call',
    'there were more such faults, which are not logged one by one',
  ]);
});

test('unrelated errors are logged as before', () => {
  const { said, logger } = watched();
  logger.warn({ err: away }, 'sessions');
  logger.warn({ err: new Error('a bug') }, 'sessions');
  logger.error({ err: undefined }, 'without an error');
  logger.warn('a text');
  logger.info({ err: away }, 'for information');
  expect(said()).toEqual(['sessions', 'sessions', 'without an error', 'a text', 'for information']);
});
