/** What an edit costs, and what the process needs, with ten and with a thousand browsers that are told of it. */
import { setTimeout as pause } from 'node:timers/promises';
import { connectSocket, type Listener } from '../testing/socket';
import { spawnConsole } from './backend';
import { Costs } from './costs';
import { withDurablePostgres } from './durable-postgres';
import { median, memoryOf, state, type Line } from './harness';
import { loadOnFleet, newFleet, operatorOf } from './pipeline-load';

const COUNTS = [10, 1000];
const TURNS = 5;
const TURN_MS = 3000;
const REST_MS = 5000;
/** Kilobytes of memory for one more browser, and milliseconds of the process to tell one more. */
const MAX = { memory: 200, tell: 0.2 };

interface Measured {
  p50: number;
  process: number;
  memory: number;
}

export const ofSockets = async (): Promise<Line[]> => {
  const measured: Measured[] = [];
  await withDurablePostgres(async (databaseUrl) => {
    const backend = await spawnConsole(databaseUrl);
    const fleet = await newFleet(await operatorOf(backend));
    const load = await loadOnFleet(backend.url, fleet);
    const sockets: Listener[] = [];
    for (const count of COUNTS) {
      while (sockets.length < count) {
        const wave = Math.min(50, count - sockets.length);
        sockets.push(...(await Promise.all(Array.from({ length: wave }, () => connectSocket(fleet.who)))));
      }
      await Promise.all(sockets.map((socket) => socket.resume('0')));
      await load.run(1, TURN_MS);
      await pause(REST_MS);
      const memory = memoryOf(backend.pid).now;
      const costs = await Costs.of(databaseUrl, [backend.pid]);
      const p50s: number[] = [];
      const turn = async (): Promise<number> => {
        p50s.push((await load.run(1, TURN_MS)).p50);
        for (const { changes } of sockets) changes.length = 0;
        return 0;
      };
      const metered = costs.metered({ name: 'edits', turn }, () => load.done);
      for (let at = 0; at <= TURNS; at += 1) await metered.turn();
      measured.push({ p50: median(p50s.slice(1)), process: costs.each.process, memory });
      await costs.end();
    }
    for (const socket of sockets) socket.close();
    load.close();
    await backend.stop();
  });
  const [few, many] = measured;
  const [least = 0, most = 0] = COUNTS;
  if (!few || !many) return [];
  const room = ((many.memory - few.memory) * 1024) / (most - least);
  const tell = (many.process - few.process) / (most - least);
  return [
    state(
      'memory for one more browser',
      room,
      { atMost: MAX.memory },
      `${room.toFixed(0)} kB, target <= ${MAX.memory}; ${few.memory.toFixed(0)} MB with ${least}, ${many.memory.toFixed(0)} MB with ${most}`,
    ),
    state(
      'time of the process to tell one more browser',
      tell,
      { atMost: MAX.tell },
      `${(tell * 1000).toFixed(1)} us, target <= ${MAX.tell * 1000}; an edit takes ${few.process.toFixed(2)} and ${many.process.toFixed(2)} ms of the process, ` +
        `and another browser has it after ${few.p50.toFixed(1)} and ${many.p50.toFixed(1)} ms (p50, with all browsers on the same machine)`,
    ),
  ];
};
