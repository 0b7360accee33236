/**
 * Fifty and five thousand servers that are checked as often as by default. All of them are one process that speaks SSH
 * and answers a probe as a small server does, so the two cores are mostly ours. What counts is how many probes a process
 * makes in a second, what one of them costs, and that an operator does not notice.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { defaultHealthChecks } from '@quarterdeck/projections';
import { idleKey } from '../testing/idle-server';
import { spawnConsole } from './backend';
import { Costs } from './costs';
import { withDurablePostgres } from './durable-postgres';
import { amountOf, memoryOf, state, type Line } from './harness';
import { fields, loadOnFleet, operatorOf } from './pipeline-load';

const COUNTS = [50, Math.round(amountOf(3_000_000) / 600)];
const CALLERS = 8;
const MEASURED_MS = 60_000;
const EDIT_MS = 5_000;
const { everySeconds } = defaultHealthChecks;

const addressOf = (nth: number): string => `127.1.${Math.floor(nth / 250)}.${(nth % 250) + 1}`;

/** Starts this program again, as the servers. */
const startHosts = async () => {
  const child = spawn(process.execPath, [process.argv[1] ?? '', 'hosts'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  return { port: Number(line.toString().trim()), stop: () => child.kill() };
};

interface Measured {
  servers: number;
  perSecond: number;
  failed: number;
  /** Milliseconds of processor time for one probe. */
  process: number;
  database: number;
  edit: number;
  memory: number;
}

const measureOne = async (databaseUrl: string, servers: number, port: number): Promise<Measured> => {
  const first = await spawnConsole(databaseUrl);
  const who = await operatorOf(first);
  const privateKey = idleKey();
  const ids: string[] = [];
  let nth = 0;
  const insert = async (): Promise<void> => {
    while (nth < servers) {
      const at = (nth += 1);
      const data = { ...fields(`server-${at}`, 0), host: addressOf(at), port };
      const { status, body } = await who.post('server/insert', { ...data, privateKey });
      if (status !== 200) throw new Error(`insert answered ${status}: ${JSON.stringify(body)}`);
      ids.push(String(body.id));
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, insert));
  await first.stop();
  const backend = await spawnConsole(databaseUrl, { HEALTH_CHECKS: 'on' });
  const db = new Client({ connectionString: databaseUrl });
  db.on('error', () => undefined);
  await db.connect();
  const costs = await Costs.of(databaseUrl, [backend.pid]);
  let [probes, failed, seconds] = [0, 0, 0];
  const turn = async (): Promise<number> => {
    const began = performance.now();
    const before = probes;
    await pause(MEASURED_MS);
    const { rows } = await db.query<{ probes: number; failed: number }>(
      'select count(*)::int as probes, count(*) filter (where not ok)::int as failed from app.health_samples',
    );
    ({ probes, failed } = rows[0] ?? { probes, failed });
    seconds = (performance.now() - began) / 1000;
    return (probes - before) / seconds;
  };
  const metered = costs.metered({ name: 'probes', turn }, () => probes);
  try {
    // In the first turn each server is met for the first time, which is recorded.
    await metered.turn();
    const perSecond = await metered.turn();
    const load = await loadOnFleet(backend.url, { who: { ...who, url: backend.url }, ids: ids.slice(0, 1) });
    const { p50 } = await load.run(1, EDIT_MS);
    load.close();
    const { process, database } = costs.each;
    return { servers, perSecond, failed, process, database, edit: p50, memory: memoryOf(backend.pid).now };
  } finally {
    await costs.end();
    await db.end();
    await backend.stop();
  }
};

export const ofServers = async (): Promise<Line[]> => {
  const hosts = await startHosts();
  const measured: Measured[] = [];
  try {
    for (const count of COUNTS)
      await withDurablePostgres(async (url) => void measured.push(await measureOne(url, count, hosts.port)));
  } finally {
    hosts.stop();
  }
  return measured.flatMap(({ servers, perSecond, failed, process, database, edit, memory }) => {
    const due = servers / everySeconds;
    return [
      state(
        `${servers.toLocaleString('en')} servers, probes in a second`,
        perSecond / due,
        { atLeast: 0.95 },
        `${perSecond.toFixed(1)} of ${due.toFixed(1)} that are due every ${everySeconds} s, ${failed} failed; one takes ${process.toFixed(1)} ms of the process and ` +
          `${database.toFixed(2)} ms of the database; memory ${memory.toFixed(0)} MB; an edit to another browser ${edit.toFixed(1)} ms`,
      ),
    ];
  });
};
