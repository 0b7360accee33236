/**
 * From a command to another browser: HTTP call, durable append, read model, socket. Floor: the leanest pipeline for the
 * same job (`pipeline-floor.ts`), in a separate process like ours, on the same Postgres with every commit on disk. Ours
 * is the built back end as `npm start` runs it: session, access, schema, decider, hash chain, three read models, rooms.
 * Its answer also waits for the read model, which the floor's does not.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { spawnConsole } from './backend';
import { Costs } from './costs';
import { newDatabase, withDurablePostgres } from './durable-postgres';
import { compare, finish, turnMsOf, turnsOf, type Line, type Target, type Variant } from './harness';
import { serveFloor } from './pipeline-floor';
import {
  fields,
  Load,
  loadOnFleet,
  loadOnProducts,
  MAX_CALLERS,
  newFleet,
  newProducts,
  operatorOf,
  type Sample,
} from './pipeline-load';

const TURN_MS = turnMsOf(3000);
const TURNS = turnsOf(5, 2);

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
    noun: 'server',
    ids: Array.from({ length: MAX_CALLERS }, (_, i) => String(i)),
    body: (id, count) => ({ id, data: fields(`floor-${id}`, count) }),
    subscribe: async () => undefined,
  });

/** Replays the figures of finished turns: one run gives the median, the tail and the throughput. */
const replay = (name: string, values: readonly number[]): Variant => {
  let turn = 0;
  return { name, turn: async () => values[turn++] ?? NaN };
};

interface Sides {
  floor: Load;
  ours: Load;
  costs: Costs;
}

const measure = async ({ floor, ours, costs }: Sides, callers: number) => {
  const samples = { floor: [] as Sample[], ours: [] as Sample[] };
  const turn = async () => void samples.ours.push(await ours.run(callers, TURN_MS));
  const metered = costs.metered({ name: 'ours', turn: () => turn().then(() => 0) }, () => ours.done);
  // One extra turn, because `compare` ignores the first.
  for (let at = 0; at <= TURNS; at++)
    for (const which of at % 2 ? (['floor', 'ours'] as const) : (['ours', 'floor'] as const))
      if (which === 'floor') samples.floor.push(await floor.run(callers, TURN_MS));
      else await metered.turn();
  return samples;
};

const CASES = [
  { callers: 1, targets: { p50: { atMost: 1.5 }, p99: { atMost: 2 } }, database: 0.35 },
  { callers: MAX_CALLERS, targets: { perSecond: { atLeast: 1.8 }, p99: { atMost: 1 } }, database: 0.35 },
] as const;

const compared = async (what: string, floor: Load, ours: Load, costsOf: () => Promise<Costs>) => {
  const lines: Line[] = [];
  for (const { callers, targets, database } of CASES) {
    const costs = await costsOf();
    const samples = await measure({ floor, ours, costs }, callers);
    const whose = `${what}, ${callers} caller${callers === 1 ? '' : 's'}`;
    for (const [figure, target] of Object.entries(targets) as [keyof Sample, Target][]) {
      const of = (side: 'floor' | 'ours') => samples[side].map((sample) => sample[figure]);
      lines.push(
        await compare({
          what: `${whose}, ${figure === 'perSecond' ? 'throughput' : figure}`,
          unit: figure === 'perSecond' ? '/s' : 'ms',
          target,
          floor: replay('leanest pipeline', of('floor')),
          ours: replay('Quarterdeck', of('ours')),
          turns: TURNS,
        }),
      );
    }
    await costs.say();
    lines.push(...costs.lines(whose, { log: 6, database }));
  }
  return lines;
};

const main = async (): Promise<void> => {
  const lines: Line[] = [];
  await withDurablePostgres(async (url) => {
    const floorProcess = await startFloor(await newDatabase(url, 'floor'));
    const oursUrl = await newDatabase(url, 'ours');
    const backend = await spawnConsole(oursUrl);
    const who = await operatorOf(backend);
    const floor = await loadOnFloor(floorProcess.url);
    const loads = {
      'a server': await loadOnFleet(backend.url, await newFleet(who)),
      'a plain noun': await loadOnProducts(backend.url, await newProducts(who)),
    };
    try {
      for (const [what, ours] of Object.entries(loads))
        lines.push(
          ...(await compared(`${what} to another browser`, floor, ours, () =>
            Costs.of(oursUrl, [backend.pid]),
          )),
        );
    } finally {
      floor.close();
      for (const load of Object.values(loads)) load.close();
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
