/**
 * The history of a busy workspace, with a million events made by the deciders: its first page, pages in the middle, and
 * every filter, including those with few or no results. Floor: a page of as many rows by the log's primary key with the
 * bare driver, from a random position, in alternation with ours. The slowest of a hundred counts.
 */
import { Pool } from 'pg';
import { history, people, subjects } from '@quarterdeck/projections';
import { ProjectionRunner } from '@quarterdeck/projections/runner';
import { listHistory } from '../apps/backend/src/history/history.queries';
import { migrate } from '../apps/backend/src/platform/database/migrations';
import { tables } from '../apps/backend/src/tables';
import { openLog } from '../testing/log';
import { busyLog, write } from '../testing/busy-log';
import { withDurablePostgres } from './durable-postgres';
import { amountOf, finish, median, percentile, state, turnsOf, type Line } from './harness';

const EVENTS = amountOf(1_000_000);
const TIMES = turnsOf(30);
const DAYS = 700;
const MAX_MS = 300;
const PAGE = 50;

type Query = Parameters<typeof listHistory>[2];

const ago = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString();

/** The queries, grouped by what makes them hard. */
const queriesOf = (someone: string, server: string): Record<string, Query[]> => ({
  'the first page': [{}],
  'a page in the middle': [{ before: String(EVENTS / 2) }, { before: String(EVENTS / 10) }],
  'one type, common': [{ types: ['RunSucceeded'] }, { types: ['ServerMoved'] }],
  'types of long ago, or never': [
    { types: ['PersonJoined', 'ServerRegistered'] },
    { types: ['DeployFailed'] },
  ],
  'one subject, one kind of subject': [
    { subject: { category: 'server', id: server } },
    { subject: { category: 'script' } },
    { subject: { category: 'deploy' } },
  ],
  'one actor, somebody else, nobody': [{ actor: someone }, { actor: 'system' }, { actor: 'cli' }],
  'two that seldom or never meet': [
    { actor: someone, types: ['PersonJoined'] },
    { actor: 'system', types: ['ServerMoved'] },
    { subject: { category: 'run' }, types: ['ServerMoved'] },
    { subject: { category: 'run' }, actor: 'system' },
  ],
  'a day of long ago, all before, nothing': [
    { from: ago(DAYS / 2), to: ago(DAYS / 2 - 1) },
    { to: ago(DAYS / 2) },
    { from: ago(-1) },
    { from: ago(DAYS - 100), to: ago(100), types: ['PersonJoined'] },
  ],
  'text that much says': [{ text: 'succeeded' }, { text: 'cannot be reached' }, { text: 'moved to' }],
  'text that little or nothing says': [
    { text: '10.17.1' },
    { text: 'registered web-1' },
    { text: 'lighthouse' },
    { text: 'zq' },
  ],
  'a name, of few and of many': [
    { text: 'shop-17' },
    { text: 'web-17' },
    { text: 'Memory usage' },
    { text: 'on web' },
  ],
  'text with something else': [
    { text: 'web-17', types: ['RunFailed'] },
    { text: 'Memory usage', actor: 'cli' },
    { text: 'Memory usage', subject: { category: 'domain' } },
    { text: 'succeeded', from: ago(DAYS / 2), to: ago(DAYS / 2 - 1) },
  ],
  'much with much, which never meet': [
    { text: 'succeeded', types: ['ServerMoved'] },
    { text: 'succeeded', types: ['RunStepStarted'] },
    { text: 'Memory usage', actor: 'system' },
    { text: 'on web', subject: { category: 'server' } },
    { text: 'we', subject: { category: 'script' } },
  ],
  'little with much, which sometimes meet': [
    { text: '10.17.1', types: ['ServerMoved'] },
    { text: 'shop-17', actor: 'system' },
    { text: 'web-17', types: ['RunStepStarted'] },
    { text: 'web-17', to: ago(DAYS / 2) },
  ],
});

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const began = performance.now();
  await work();
  return performance.now() - began;
};

await withDurablePostgres(async (url) => {
  const pool = new Pool({ connectionString: url, max: 4 });
  // The work in progress reports errors. Connections that end together with the server do not matter.
  pool.on('error', () => undefined);
  await migrate(pool, tables.steps);
  const store = await openLog(url);
  const log = busyLog({ events: EVENTS, days: DAYS });
  const began = performance.now();
  const written = await write(store, log.appends);
  // Mixed with a tenth as many events of another workspace.
  const others = await write(store, busyLog({ events: EVENTS / 10, days: DAYS, seed: 2 }).appends);
  const writing = (performance.now() - began) / 1000;
  const runner = new ProjectionRunner({
    db: pool,
    connectionString: url,
    store,
    projections: [people, subjects, history],
  });
  await runner.start();
  await runner.ready(3_600_000);
  while (!(await runner.waitFor(await store.head(), 60_000)));
  await runner.stop();
  console.log(
    `for information: ${(written + others).toLocaleString('en')} events, written in ${writing.toFixed(0)} s`,
  );

  const floor = () =>
    timed(() =>
      pool.query({
        name: 'floor',
        text: `select position, type, data, meta from log.events where position < $1 order by position desc limit ${PAGE + 1}`,
        values: [Math.floor(Math.random() * EVENTS)],
      }),
    );
  const reader = { workspace: log.workspace, role: 'admin' as const };
  const lines: Line[] = [];
  for (const [what, queries] of Object.entries(queriesOf(log.people[0] ?? '', log.servers[0] ?? ''))) {
    const floors: number[] = [];
    const figures: number[] = [];
    const ask = (query: Query) => timed(() => listHistory(pool, reader, { limit: PAGE, ...query }));
    for (const query of queries) await ask(query);
    for (let turn = 0; turn < TIMES; turn += 1)
      for (const query of queries) {
        floors.push(await floor());
        figures.push(await ask(query));
      }
    const [p50, p99, base] = [median(figures), percentile(figures, 99), median(floors)];
    const ratio = `${(p50 / base).toFixed(1)} x`.padStart(8);
    lines.push(
      state(
        what,
        p99,
        { atMost: MAX_MS },
        `${ratio}, p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, target p99 <= ${MAX_MS} ms, floor ${base.toFixed(2)} ms (bare driver, a page by the key)`,
      ),
    );
  }
  await store.close();
  await pool.end();
  finish(lines);
});
