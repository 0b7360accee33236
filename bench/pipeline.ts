/**
 * From a command to another browser: HTTP call, durable append, read model, socket. Floor: the leanest pipeline for the
 * same job (`pipeline-floor.ts`), in a separate process like ours, on the same Postgres with every commit on disk. Ours
 * is the built back end as `npm start` runs it: session, access, schema, decider, hash chain, three read models, rooms.
 * Its answer also waits for the read model, which the floor's does not.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { Client } from 'pg';
import { spawnConsole } from './backend';
import { withDurablePostgres } from './durable-postgres';
import { compare, finish, turnMsOf, turnsOf, type Line, type Variant } from './harness';
import { serveFloor } from './pipeline-floor';
import { fields, Load, loadOnConsole, MAX_CALLERS, type Sample } from './pipeline-load';

const TURN_MS = turnMsOf(3000);
const TURNS = turnsOf(5);

const newDatabase = async (url: string, name: string): Promise<string> => {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(`create database ${name}`);
  await client.end();
  return url.replace(/\/[^/]*$/, `/${name}`);
};

/** Starts this program again, as the floor. */
const startFloor = async (databaseUrl: string) => {
  const child = spawn(process.execPath, [process.argv[1] ?? '', 'floor', databaseUrl], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout });
  const [line] = (await once(lines, 'line')) as [string];
  return { url: line.replace('ready ', ''), stop: () => child.kill() };
};

const loadOnFloor = (url: string): Promise<Load> =>
  Load.on({
    url,
    path: '/',
    headers: {},
    ids: Array.from({ length: MAX_CALLERS }, (_, i) => String(i)),
    body: (id, count) => ({ id, data: fields(`floor-${id}`, count) }),
    subscribe: async () => undefined,
  });

/** Replays the figures of finished turns: one run gives the median, the tail and the throughput. */
const replay = (name: string, values: readonly number[]): Variant => {
  let turn = 0;
  return { name, turn: async () => values[turn++] ?? NaN };
};

const measure = async (
  floor: Load,
  ours: Load,
  callers: number,
): Promise<{ floor: Sample[]; ours: Sample[] }> => {
  const samples = { floor: [] as Sample[], ours: [] as Sample[] };
  // One extra turn, because `compare` ignores the first.
  for (let turn = 0; turn <= TURNS; turn++)
    for (const which of turn % 2 ? (['floor', 'ours'] as const) : (['ours', 'floor'] as const))
      samples[which].push(await (which === 'floor' ? floor : ours).run(callers, TURN_MS));
  return samples;
};

const main = async (): Promise<void> => {
  const lines: Line[] = [];
  await withDurablePostgres(async (url) => {
    const floorProcess = await startFloor(await newDatabase(url, 'floor'));
    const backend = await spawnConsole(await newDatabase(url, 'ours'));
    const [floor, ours] = [await loadOnFloor(floorProcess.url), await loadOnConsole(backend)];
    try {
      for (const [callers, targets] of [
        [1, { p50: { atMost: 1.8 }, p99: { atMost: 2 } }],
        [MAX_CALLERS, { perSecond: { atLeast: 1.8 }, p99: { atMost: 1 } }],
      ] as const) {
        const samples = await measure(floor, ours, callers);
        for (const [figure, target] of Object.entries(targets) as [
          keyof Sample,
          { atMost: number } | { atLeast: number },
        ][])
          lines.push(
            await compare({
              what: `command to another browser, ${callers} caller${callers === 1 ? '' : 's'}, ${figure === 'perSecond' ? 'throughput' : figure}`,
              unit: figure === 'perSecond' ? '/s' : 'ms',
              target,
              floor: replay(
                'leanest pipeline',
                samples.floor.map((sample) => sample[figure]),
              ),
              ours: replay(
                'Quarterdeck',
                samples.ours.map((sample) => sample[figure]),
              ),
              turns: TURNS,
            }),
          );
      }
    } finally {
      floor.close();
      ours.close();
      floorProcess.stop();
      await backend.stop();
    }
  });
  finish(lines);
};

if (process.argv[2] === 'floor') await serveFloor(process.argv[3] ?? '');
else {
  await main();
  // Sockets and pools of both sides would keep the process alive.
  process.exit();
}
