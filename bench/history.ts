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
import { DAYS, queriesOf, type Query } from './history-queries';

const EVENTS = amountOf(1_000_000);
const TIMES = turnsOf(30);
const MAX_MS = 300;
const PAGE = 50;

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
  for (const [what, queries] of Object.entries(queriesOf(EVENTS, log))) {
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
