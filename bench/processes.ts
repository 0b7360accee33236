/**
 * Two back ends on one database against one, with 50 callers that change something and wait for it in another browser.
 * With two, each back end gets half of the callers, and one of the two builds the read models for both. Both share the
 * processors with Postgres, so on two cores the gain is at most what one back end leaves unused.
 */
import { spawnConsole } from './backend';
import { withDurablePostgres } from './durable-postgres';
import { compare, finish, turnMsOf, turnsOf } from './harness';
import { loadOnFleet, MAX_CALLERS, newFleet, operatorOf } from './pipeline-load';

const HALF = MAX_CALLERS / 2;
const TURN_MS = turnMsOf(3000);

await withDurablePostgres(async (databaseUrl) => {
  const first = await spawnConsole(databaseUrl);
  const fleet = await newFleet(await operatorOf(first));
  const alone = await loadOnFleet(first.url, fleet);
  const second = await spawnConsole(databaseUrl);
  const half = (url: string, from: number) =>
    loadOnFleet(url, { ...fleet, ids: fleet.ids.slice(from, from + HALF) });
  const [one, other] = [await half(first.url, 0), await half(second.url, HALF)];
  try {
    finish([
      await compare({
        what: 'throughput of two back ends, 50 callers',
        unit: '/s',
        target: { atLeast: 1.6 },
        floor: { name: 'one back end', turn: async () => (await alone.run(MAX_CALLERS, TURN_MS)).perSecond },
        ours: {
          name: 'two',
          turn: async () => {
            const both = await Promise.all([one, other].map((load) => load.run(HALF, TURN_MS)));
            return both.reduce((sum, { perSecond }) => sum + perSecond, 0);
          },
        },
        turns: turnsOf(5, 2),
      }),
    ]);
  } finally {
    for (const load of [alone, one, other]) load.close();
    await second.stop();
    await first.stop();
  }
});
process.exit(); // With the code that `finish` set: open sockets of the measuring side would keep it alive.
