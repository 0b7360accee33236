/**
 * A workspace at an instant in the past, among a million events made by the deciders: the list of servers with their
 * newest runs, and the history, at the first look and at later looks. Floor: the same queries about the present.
 */
import { Pool } from 'pg';
import { projections } from '@quarterdeck/projections';
import { AsOfTables, ProjectionRunner } from '@quarterdeck/projections/runner';
import { listHistory } from '../apps/backend/src/history/history.queries';
import { migrate } from '../apps/backend/src/platform/database/migrations';
import { tables } from '../apps/backend/src/tables';
import { askedInstant, presentOrAsOf } from '../apps/backend/src/platform/as-of/as-of';
import { listServers } from '../apps/backend/src/servers/servers.queries';
import { openLog } from '../testing/log';
import { busyLog, write } from '../testing/busy-log';
import { withDurablePostgres } from './durable-postgres';
import { amountOf, finish, median, percentile, state } from './harness';

const EVENTS = amountOf(1_000_000, 1 / 40);
const DAYS = 700;
/** Part of the log that is before the instant. */
const PARTS = [0.99, 0.9, 0.5, 0.1];
/** Number of nearby instants viewed one after the other. */
const INSTANTS = 5;
const LOOKS = 20;
/** Limits for the first view of an instant, and for later ones, when the operator moves around in it. */
const MAX_MS = { first: 1_500, again: 300 };

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const began = performance.now();
  await work();
  return performance.now() - began;
};

const inWords = (figures: readonly number[]): string =>
  `p50 ${median(figures).toFixed(0)} ms, p99 ${percentile(figures, 99).toFixed(0)} ms`;

await withDurablePostgres(async (url) => {
  const pool = new Pool({ connectionString: url, max: 4 });
  pool.on('error', () => undefined);
  await migrate(pool, tables.steps);
  const store = await openLog(url);
  const log = busyLog({ events: EVENTS, days: DAYS });
  const written = await write(store, log.appends);
  const runner = new ProjectionRunner({
    db: pool,
    connectionString: url,
    store,
    projections: [...projections],
  });
  await runner.start();
  await runner.ready(3_600_000);
  while (!(await runner.waitFor(await store.head(), 60_000)));
  await runner.stop();
  console.log(`for information: ${written.toLocaleString('en')} events, ${log.servers.length} servers`);

  const past = new AsOfTables({
    connectionString: url,
    store,
    projections: [...projections],
    timed: tables.timed,
  });
  const db = presentOrAsOf(pool, past);
  const { workspace } = log;
  const reader = { workspace, role: 'admin' as const };
  const screens = async (): Promise<void> => {
    await listServers(db, workspace);
    await listHistory(db, reader, { limit: 50 });
  };
  await screens();
  const now: number[] = [];
  for (let look = 0; look < LOOKS; look += 1) now.push(await timed(screens));
  console.log(`for information: the lists as of now ${inWords(now)}`);

  const lines = [];
  for (const part of PARTS) {
    const [first, again]: [number[], number[]] = [[], []];
    for (let nth = 0; nth < INSTANTS; nth += 1) {
      const position = String(Math.floor(EVENTS * part) - nth * 100);
      const { rows } = await pool.query<{ at: Date }>('select at from read.history where position = $1', [
        position,
      ]);
      const instant = { workspace, position, at: (rows[0]?.at ?? new Date()).toISOString() };
      await askedInstant.run(instant, async () => {
        first.push(await timed(screens));
        for (let look = 0; look < LOOKS; look += 1) again.push(await timed(screens));
      });
    }
    const what = `${part * 100} % of the log lies before`;
    const ratio = (median(again) / median(now)).toFixed(1);
    lines.push(
      state(
        `${what}, at first`,
        percentile(first, 99),
        { atMost: MAX_MS.first },
        `${inWords(first)}, target p99 <= ${MAX_MS.first} ms`,
      ),
      state(
        `${what}, again`,
        percentile(again, 99),
        { atMost: MAX_MS.again },
        `${ratio} x, ${inWords(again)}, target p99 <= ${MAX_MS.again} ms`,
      ),
    );
  }
  await past.stop();
  await store.close();
  await pool.end();
  finish(lines);
});
