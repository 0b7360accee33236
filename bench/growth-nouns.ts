/** What one change costs with the read models of today, and with those of twenty more nouns. */
import { Pool } from 'pg';
import { streamName, type NewEvent } from '@quarterdeck/events';
import { projections, rowPerStream, scripts, type AnyProjection } from '@quarterdeck/projections';
import { ProjectionRunner } from '@quarterdeck/projections/runner';
import { busyLog, write } from '../testing/busy-log';
import { appendAtEnd, renamed } from '../testing/log-events';
import { openLog } from '../testing/log';
import { Costs } from './costs';
import { newDatabase, withDurablePostgres } from './durable-postgres';
import { amountOf, compare, percentile, state, turnsOf, type Line } from './harness';

const MORE = 20;
const EVENTS = Math.round(amountOf(3_000_000) / 300);
const SINGLES = 300;
const MAX_GROWTH = 1.1;

/** That of a plain noun which nobody has made anything of yet. */
const another = (nth: number): AnyProjection => ({
  ...(scripts as AnyProjection),
  name: `more_${nth}`,
  ...rowPerStream(`more${nth}`),
});

const sideOf = async (url: string, which: readonly AnyProjection[]) => {
  const pool = new Pool({ connectionString: url, max: 4 });
  pool.on('error', () => undefined);
  const store = await openLog(url);
  const { workspace, servers, appends } = busyLog({ events: EVENTS, servers: 50 });
  await write(store, appends);
  const runner = new ProjectionRunner({ db: pool, connectionString: url, store, projections: [...which] });
  await runner.start();
  await runner.ready(600_000);
  while (!(await runner.waitFor(await store.head(), 60_000)));
  let done = 0;
  const change = (): NewEvent => {
    const { meta, ...event } = renamed(`web-${(done += 1)}`);
    return { ...event, meta: { ...meta, workspace } };
  };
  /** From the answer of an append to the end of the wait for it. */
  const turn = async (): Promise<number> => {
    const times: number[] = [];
    for (let n = 0; n < SINGLES; n += 1) {
      const stream = streamName('server', servers[n % servers.length] ?? '');
      const { position } = await appendAtEnd(store, stream, [change()]);
      const began = performance.now();
      await runner.waitFor(position, 5_000);
      times.push(performance.now() - began);
    }
    return percentile(times, 50);
  };
  const costs = await Costs.of(url);
  const stop = async (): Promise<void> => {
    await costs.end();
    await runner.stop();
    await store.close();
    await pool.end();
  };
  return { costs, variant: costs.metered({ name: `${which.length} read models`, turn }, () => done), stop };
};

export const ofNouns = async (): Promise<Line[]> => {
  const lines: Line[] = [];
  await withDurablePostgres(async (url) => {
    const today = await sideOf(await newDatabase(url, 'today'), projections);
    const more = Array.from({ length: MORE }, (_, nth) => another(nth));
    const then = await sideOf(await newDatabase(url, 'later'), [...projections, ...more]);
    lines.push(
      await compare({
        what: `one event into its row, ${MORE} more nouns`,
        unit: 'ms',
        target: { atMost: MAX_GROWTH },
        turns: turnsOf(5),
        floor: today.variant,
        ours: then.variant,
      }),
    );
    for (const key of ['log', 'database', 'process'] as const) {
      const [before, after] = [today.costs.each[key], then.costs.each[key]];
      const unit = key === 'log' ? 'bytes of write-ahead log' : `ms of the ${key}`;
      lines.push(
        state(
          `a change, ${MORE} more nouns, ${key}`,
          after / before,
          { atMost: MAX_GROWTH },
          `${(after / before).toFixed(2)} x, target <= ${MAX_GROWTH} x; ${before.toFixed(2)} and ${after.toFixed(2)} ${unit}`,
        ),
      );
    }
    await today.stop();
    await then.stop();
  });
  return lines;
};
