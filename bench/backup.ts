/**
 * Backups of a million events and 500 MB of output while operators change servers: the duration of a full backup and of
 * an increment, their effect on the changes and on the memory of the process, and the duration of a restore. Floors of
 * the same run: the same rows through COPY and gzip in one thread, the same changes right before, and a rebuild of the
 * read models.
 */
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createGzip } from 'node:zlib';
import type { BackupsView } from '@quarterdeck/projections';
import { Client } from 'pg';
import { to } from 'pg-copy-streams';
import { MASTER_KEY, runCommand, spawnBackend } from '../testing/backend-process';
import { openLog } from '../testing/log';
import { operator, type Operator } from '../testing/operator';
import { busyLog, write } from '../testing/busy-log';
import { withDurablePostgres } from './durable-postgres';
import { amountOf, finish, median, memoryOf, state, turnMsOf, type Line } from './harness';
import { loadOnFleet, newFleet, operatorOf, type Load } from './pipeline-load';

const EVENTS = amountOf(1_000_000, 1 / 40);
/** Number of output chunks of about 8 kB each, as runs write them. */
const CHUNKS = Math.round(EVENTS / 16);
const CALLERS = 4;
const PIECE_MS = 3_000;
const BEFORE_MS = turnMsOf(15_000, 1 / 5);
const INCREMENT = 1_000;

const rest = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));
const secondsSince = (began: number): number => (performance.now() - began) / 1000;

const ask = async (databaseUrl: string, query: string): Promise<void> => {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query('set statement_timeout = 0');
    await client.query(query);
  } finally {
    await client.end();
  }
};

const writeOutput = (databaseUrl: string): Promise<void> =>
  ask(
    databaseUrl,
    `insert into app.run_output (run, seq, at, stream, text)
     select gen_random_uuid(), n, now(), 'out',
       (select string_agg(md5((n * 1000 + k)::text), ' GET /assets/app.js 200 ') from generate_series(1, 140) k)
     from generate_series(1, ${CHUNKS}) n`,
  );

/** @returns seconds for the same rows, compressed and thrown away */
const copied = async (databaseUrl: string): Promise<number> => {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  const began = performance.now();
  for (const table of ['log.events', 'app.run_output']) {
    const zip = createGzip({ level: 1 });
    client.query(to(`copy ${table} to stdout`)).pipe(zip);
    zip.resume();
    await once(zip, 'end');
  }
  await client.end();
  return secondsSince(began);
};

const signedIn = async (url: string, databaseUrl: string): Promise<Operator> => {
  const who = ['--workspace', 'busy', '--role', 'superadmin', '--email', 'bench@example.org'];
  const { stdout, stderr } = await runCommand(['sign-in-link', ...who], { databaseUrl });
  const code = /code=(\S+)/.exec(stdout)?.[1];
  if (code === undefined) throw new Error(`no link: ${stderr}`);
  return operator(url).signIn(code);
};

const overview = async (who: Operator): Promise<BackupsView> =>
  (await who.post<BackupsView>('backup/overview')).body;

interface Met {
  /** 99th percentiles of the changes in ms, one per piece of time. */
  p99s: number[];
  /** Memory of the process in MB, sampled. */
  memory: number[];
}

/** Runs the load in pieces and samples the memory until the work is over. */
const under = async (load: Load, pid: number, isOver: () => Promise<boolean>): Promise<Met> => {
  const met: Met = { p99s: [], memory: [] };
  const look = setInterval(() => met.memory.push(memoryOf(pid).now), 100);
  try {
    do met.p99s.push((await load.run(CALLERS, PIECE_MS)).p99);
    while (!(await isOver()));
  } finally {
    clearInterval(look);
  }
  return met;
};

const take = async (who: Operator): Promise<void> => {
  const { status, body } = await who.post('backup/take');
  if (status !== 200) throw new Error(`backup/take answered ${status}: ${JSON.stringify(body)}`);
};
const isOver = async (who: Operator): Promise<boolean> => {
  const { current, failed } = await overview(who);
  if (failed) throw new Error(failed.reason);
  return current === undefined;
};

const commanded = async (
  args: string[],
  databaseUrl: string,
  env: Record<string, string>,
): Promise<number> => {
  const began = performance.now();
  const { code, stdout, stderr } = await runCommand(args, { databaseUrl, env });
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${stdout}${stderr}`);
  return secondsSince(began);
};

const measure = async (databaseUrl: string, folder: string): Promise<Line[]> => {
  const lines: Line[] = [];
  const env = { LOG_LEVEL: 'warn', CHECK_ANSWERS: 'off', BACKUPS: 'on', MASTER_KEY };
  const backend = await spawnBackend({ databaseUrl, dataDir: folder, env });
  const fleet = await newFleet(await operatorOf(backend));
  const who = await signedIn(backend.url, databaseUrl);
  const workspace = (await who.get<{ instance: { uuid: string } }>('session')).body.instance.uuid;
  const target = { kind: 'folder', path: path.join(folder, 'archives') };
  const keep = { days: 7, weeks: 4, months: 12 };
  await who.post('backup/configure', { target, keep, schedule: null, recipients: [] });
  const written = async (events: number, seed: number): Promise<void> => {
    const store = await openLog(databaseUrl);
    await write(store, busyLog({ events, seed, workspace }).appends);
    await store.close();
  };
  await written(EVENTS, 1);
  await writeOutput(databaseUrl);
  await ask(databaseUrl, 'analyze');
  while ((await who.post<{ lag: { ms: number } }>('superadmin/projections')).body.lag.ms > 0) await rest(200);
  const load = await loadOnFleet(backend.url, fleet);
  try {
    const floor = await copied(databaseUrl);
    const end = performance.now() + BEFORE_MS;
    const before = await under(load, backend.pid, async () => performance.now() > end);
    await take(who);
    const during = await under(load, backend.pid, () => isOver(who));
    const [full] = (await overview(who)).archives;
    const took = full!.durationMs / 1000;
    lines.push(
      state(
        'full backup',
        took,
        { atMost: 60 },
        `${took.toFixed(1)} s for ${full!.events.toLocaleString('en')} events and ${Math.round(CHUNKS * 0.008)} MB of output, ${(took / floor).toFixed(2)} x of COPY and gzip alone; target <= 60 s`,
      ),
    );
    const [calm, busy] = [median(before.p99s), median(during.p99s)];
    lines.push(
      state(
        'changes during a full backup',
        busy / calm,
        { atMost: 2 },
        `p99 ${busy.toFixed(0)} ms, ${(busy / calm).toFixed(2)} x of ${calm.toFixed(0)} ms before; target <= 2 x`,
      ),
    );
    const grown = Math.max(...during.memory) - median(before.memory);
    lines.push(
      state(
        'memory during a full backup',
        grown,
        { atMost: 200 },
        `${Math.round(grown)} MB above the same load before, target <= 200 MB`,
      ),
    );
    const increments: number[] = [];
    for (let turn = 0; turn < 3; turn++) {
      await written(INCREMENT, turn + 2);
      await take(who);
      while (!(await isOver(who))) await rest(100);
      increments.push((await overview(who)).archives[0]!.durationMs);
    }
    const increment = median(increments);
    lines.push(
      state(
        'increment of 1,000 events',
        increment,
        { atMost: 2_000 },
        `${Math.round(increment)} ms, target <= 2,000 ms`,
      ),
    );
  } finally {
    load.close();
    await backend.stop();
  }
  const newest = fs.readdirSync(target.path).sort().at(-1)!;
  const empty = databaseUrl.replace(/\/[^/]*$/, '/restored');
  await ask(databaseUrl, 'create database restored');
  const restored = await commanded(['restore', path.join(target.path, newest)], empty, { MASTER_KEY });
  const rebuilt = await commanded(['projections', 'rebuild'], empty, { MASTER_KEY });
  const beyond = restored - rebuilt;
  lines.push(
    state(
      'restore',
      beyond,
      { atMost: 60 },
      `${restored.toFixed(1)} s, a rebuild of its read models alone ${rebuilt.toFixed(1)} s; target <= 60 s more`,
    ),
  );
  return lines;
};

await withDurablePostgres(async (databaseUrl) => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'quarterdeck-bench-backup-'));
  try {
    finish(await measure(databaseUrl, folder));
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
});
process.exit(); // With the code that `finish` set: open sockets of the measuring side would keep it alive.
