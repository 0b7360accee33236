/**
 * Memory of the built back end: at rest, with 200 browsers connected, and its growth while they receive every change
 * that some callers make. `npm run bench -- rebuild` measures it after all read models were rebuilt.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { connectSocket } from '../testing/socket';
import { spawnConsole } from './backend';
import { withDurablePostgres } from './durable-postgres';
import { finish, median, memoryOf, state, turnMsOf, type Line } from './harness';
import { loadOnFleet, newFleet, operatorOf } from './pipeline-load';

const SOCKETS = 200;
const CALLERS = 8;
/** After this time without work, the garbage of the start has been collected. */
const REST_MS = 5_000;
const LOAD_MS = turnMsOf(600_000, 1 / 60);
const PARTS = 12;
const GROWTH = 1.1;

const inWords = (megabytes: number): string => `${Math.round(megabytes)} MB`;

const lines: Line[] = [];
await withDurablePostgres(async (databaseUrl) => {
  const backend = await spawnConsole(databaseUrl);
  const fleet = await newFleet(await operatorOf(backend));
  const load = await loadOnFleet(backend.url, fleet);
  try {
    const now = () => memoryOf(backend.pid).now;
    await pause(REST_MS);
    const rest = now();
    lines.push(state('memory at rest', rest, { atMost: 200 }, `${inWords(rest)}, target <= 200 MB`));

    const sockets = await Promise.all(Array.from({ length: SOCKETS }, () => connectSocket(fleet.who)));
    await Promise.all(sockets.map((socket) => socket.resume('0')));
    await pause(REST_MS);
    const connected = now();
    lines.push(
      state(
        `memory with ${SOCKETS} sockets`,
        connected,
        { atMost: 300 },
        `${inWords(connected)}, target <= 300 MB`,
      ),
    );

    // The garbage collector lets memory rise and fall, so parts of the time are compared, and the first one warms up.
    const parts: number[] = [];
    let pushed = 0;
    for (let part = 0; part < PARTS; part += 1) {
      const { perSecond } = await load.run(CALLERS, LOAD_MS / PARTS);
      pushed += (perSecond * SOCKETS * LOAD_MS) / PARTS / 1000;
      // Frees the changes that the sockets collect for tests.
      for (const { changes } of sockets) changes.length = 0;
      parts.push(now());
    }
    const third = PARTS / 3;
    const [middle, end] = [median(parts.slice(third, 2 * third)), median(parts.slice(2 * third))];
    lines.push(
      state(
        'memory at the end of a load',
        end / middle,
        { atMost: GROWTH },
        `${(end / middle).toFixed(2)} x of the middle (${inWords(end)} after ${Math.round(LOAD_MS / 1000)} s and ${Math.round(pushed).toLocaleString('en')} pushes), target <= ${GROWTH} x`,
      ),
    );
    for (const socket of sockets) socket.close();
  } finally {
    load.close();
    await backend.stop();
  }
});
finish(lines);
process.exit(); // With the code that `finish` set: open sockets of the measuring side would keep it alive.
