/** Logs of four sizes, told by the project's own deciders: what an operator waits for, and what the machine needs. */
import { Client } from 'pg';
import type { ReadModelsView } from '@quarterdeck/projections';
import type { BackendProcess } from '../testing/backend-process';
import type { BusyLog } from '../testing/busy-log';
import type { Operator } from '../testing/operator';
import { spawnConsole } from './backend';
import { busySignIn, writeBusyLog } from './busy-workspace';
import { Costs, cpuOf } from './costs';
import { withDurablePostgres } from './durable-postgres';
import { amountOf, median, memoryOf, state, type Line } from './harness';
import { DAYS, queriesOf } from './history-queries';
import { loadOnFleet, newFleet } from './pipeline-load';

const LARGEST = amountOf(3_000_000);
/** Parts of the largest size. The first says how small costs are, the second is what the largest is compared with. */
const SIZES = [1 / 300, 1 / 30, 1 / 3, 1].map((part) => Math.round(LARGEST * part));
const TIMES = 20;
const STARTS = 5;
const EDIT_MS = 3000;
const EDIT_TURNS = 5;
/** An edit, a list, a filter and a start may cost this much more with thirty times the events. */
const MAX_GROWTH = 2;
const FIRST_LOOK = 'first look';
const PAGE = 50;
const MEGABYTE = 1_000_000;

interface Figure {
  /** Median. */
  ms: number;
  /** Of the same machine in the same seconds. */
  floor: number;
  /** The slowest query, if there are several. */
  slowest?: string;
}

interface Measured {
  events: number;
  /** What may only double. */
  figures: Map<string, Figure>;
  /** Of one edit, in milliseconds of processor time and kilobytes. */
  edit: { database: number; process: number; log: number };
  /** What grows in proportion, for the page of limits. */
  room: { memory: number; building: number; log: number; readModels: number };
  builtPerSecond: number;
}

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const began = performance.now();
  await work();
  return performance.now() - began;
};

const rest = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));

const untilCaughtUp = async (who: Operator): Promise<void> => {
  const isBehind = async (): Promise<boolean> => {
    const { lag, projections } = (await who.post<ReadModelsView>('superadmin/projections')).body;
    return lag.ms > 0 || projections.some(({ state: is }) => is !== 'live');
  };
  while (await isBehind()) await rest(100);
};

const LOOK_MS = 2000;

/** Triggers of workflows hear every event, so at first they read what was written here, which takes a core for 9 s a million. */
const untilQuiet = async (pid: number): Promise<number> => {
  const began = performance.now();
  for (let before = cpuOf([pid]); ;) {
    await rest(LOOK_MS);
    const now = cpuOf([pid]);
    if (now - before < LOOK_MS / 10) return performance.now() - began;
    before = now;
  }
};

/** The calls whose cost must not grow, by what an operator would call them. */
const readsOf = (log: BusyLog, events: number): Map<string, [path: string, bodies: object[]]> =>
  new Map([
    ['first page of the servers', ['server/page', [{}]]],
    ['search among the servers', ['server/page', [{ search: 'web-17' }, { search: 'nobody' }]]],
    ['first page of the runs', ['run/list', [{ limit: PAGE }]]],
    ['first page of the domains', ['domain/page', [{}]]],
    ...Object.entries(queriesOf(events, log)).map(([what, queries]): [string, [string, object[]]] => [
      `history: ${what}`,
      ['history/list', queries.map((query) => ({ limit: PAGE, ...query }))],
    ]),
  ]);

const asked = async (who: Operator, path: string, body: object, headers = {}): Promise<void> => {
  const answer = await who.post(path, body, headers);
  if (answer.status !== 200)
    throw new Error(`${path} answered ${answer.status} ${JSON.stringify(answer.body)}`);
};

/** A page of the log by its key, with the bare driver. */
const floorOf = (db: Client, events: number) => (): Promise<number> =>
  timed(() =>
    db.query({
      name: 'floor',
      text: `select position, type, data, meta from log.events where position < $1 order by position desc limit ${PAGE}`,
      values: [Math.floor(Math.random() * events)],
    }),
  );

const measureReads = async (who: Operator, db: Client, log: BusyLog, events: number) => {
  const figures = new Map<string, Figure>();
  const floor = floorOf(db, events);
  for (const [what, [path, bodies]] of readsOf(log, events)) {
    for (const body of bodies) await asked(who, path, body);
    // The slowest of the queries counts.
    let slowest: Figure = { ms: 0, floor: 1 };
    for (const body of bodies) {
      const [ours, floors]: [number[], number[]] = [[], []];
      for (let turn = 0; turn < TIMES; turn += 1) {
        floors.push(await floor());
        ours.push(await timed(() => asked(who, path, body)));
      }
      const one = { ms: median(ours), floor: median(floors), slowest: JSON.stringify(body) };
      if (one.ms > slowest.ms) slowest = one;
    }
    figures.set(what, slowest);
  }
  return figures;
};

/** Never the same instant twice, so each is a first look. */
const measurePast = async (who: Operator, db: Client, events: number): Promise<Map<string, Figure>> => {
  const figures = new Map<string, Figure>();
  const floor = floorOf(db, events);
  for (const part of [0.99, 0.5]) {
    const [ours, floors]: [number[], number[]] = [[], []];
    for (let turn = 0; turn < TIMES / 2; turn += 1) {
      const at = { 'x-at': String(Math.floor(events * (part - turn / 1000))) };
      floors.push(await floor());
      ours.push(await timed(() => asked(who, 'server/page', {}, at)));
    }
    figures.set(`${FIRST_LOOK} at the servers, ${part * 100} % lies before`, {
      ms: median(ours),
      floor: median(floors),
    });
  }
  return figures;
};

/** From the call to the message at another browser's socket. Floor: one row that is on disk. */
const measureEdits = async (who: Operator, db: Client, databaseUrl: string, { url, pid }: BackendProcess) => {
  await db.query('create table if not exists public.floor_rows (id bigint primary key, view jsonb not null)');
  const load = await loadOnFleet(url, await newFleet(who));
  const costs = await Costs.of(databaseUrl, [pid]);
  const [ours, floors]: [number[], number[]] = [[], []];
  const turn = async (): Promise<number> => {
    ours.push((await load.run(1, EDIT_MS)).p50);
    return 0;
  };
  const metered = costs.metered({ name: 'edits', turn }, () => load.done);
  let row = 0;
  const view = JSON.stringify({ alias: 'x'.repeat(300) });
  for (let at = 0; at <= EDIT_TURNS; at += 1) {
    await metered.turn();
    const times: number[] = [];
    for (let n = 0; n < 200; n += 1)
      times.push(
        await timed(() =>
          db.query({
            name: 'insert',
            text: 'insert into public.floor_rows values ($1, $2)',
            values: [(row += 1), view],
          }),
        ),
      );
    floors.push(median(times));
  }
  const { database, process, log } = costs.each;
  await costs.end();
  load.close();
  await db.query('drop table public.floor_rows');
  // The first turn warms up.
  const figure = { ms: median(ours.slice(1)), floor: median(floors.slice(1)) };
  return { figure, edit: { database, process, log: log / 1000 } };
};

const roomOf = async (db: Client, pid: number): Promise<Omit<Measured['room'], 'building'>> => {
  const { rows } = await db.query<{ log: string; read: string }>(`
    select sum(pg_total_relation_size(c.oid)) filter (where n.nspname = 'log') as log,
      sum(pg_total_relation_size(c.oid)) filter (where n.nspname like 'read%') as read
    from pg_class c join pg_namespace n on n.oid = c.relnamespace where c.relkind = 'r'`);
  return {
    memory: memoryOf(pid).now,
    log: Number(rows[0]?.log) / MEGABYTE,
    readModels: Number(rows[0]?.read) / MEGABYTE,
  };
};

/** The indexes of the history, which every event pays for: how often each was used, and its room. */
const sayIndexes = async (db: Client): Promise<void> => {
  const { rows } = await db.query<{ scans: string; megabytes: string; definition: string }>(`
    select s.idx_scan as scans, pg_relation_size(s.indexrelid) / 1000000 as megabytes,
      regexp_replace(pg_get_indexdef(s.indexrelid), '^.* USING ', '') as definition
    from pg_stat_user_indexes s where s.schemaname = 'read_build' and s.relname like 'history%' order by 1`);
  for (const { scans, megabytes, definition } of rows)
    console.log(
      `  index of the history: ${scans.padStart(6)} scans, ${megabytes.padStart(5)} MB, ${definition}`,
    );
};

const measureOne = async (databaseUrl: string, events: number): Promise<Measured> => {
  const log = await writeBusyLog(databaseUrl, { events, days: DAYS });
  const began = performance.now();
  const behind = await spawnConsole(databaseUrl);
  await untilCaughtUp(await busySignIn(behind.url, databaseUrl));
  const builtPerSecond = events / ((performance.now() - began) / 1000);
  const building = memoryOf(behind.pid).peak;
  await behind.stop();
  const db = new Client({ connectionString: databaseUrl });
  db.on('error', () => undefined);
  await db.connect();
  // As autovacuum would: otherwise it would begin within a measurement.
  await db.query('vacuum analyze');
  await db.query('checkpoint');
  const starts: Figure[] = [];
  const floor = floorOf(db, events);
  for (let at = 0; at < STARTS; at += 1) {
    const started = await spawnConsole(databaseUrl);
    starts.push({ ms: started.startedInMs, floor: await floor() });
    await started.stop();
  }
  const backend = await spawnConsole(databaseUrl);
  try {
    const who = await busySignIn(backend.url, databaseUrl);
    const busyMs = await untilQuiet(backend.pid);
    console.log(`  busy for ${Math.round(busyMs / 1000)} s after the start`);
    const figures = await measureReads(who, db, log, events);
    for (const [what, figure] of await measurePast(who, db, events)) figures.set(what, figure);
    await sayIndexes(db);
    const { figure, edit } = await measureEdits(who, db, databaseUrl, backend);
    figures.set('an edit to another browser', figure);
    // Nothing of a start depends on the speed of single pages: its floor is itself.
    figures.set('start', { ms: median(starts.map(({ ms }) => ms)), floor: 1 });
    return {
      events,
      figures,
      edit,
      room: { building, ...(await roomOf(db, backend.pid)) },
      builtPerSecond,
    };
  } finally {
    await backend.stop();
    await db.end();
  }
};

const count = (events: number): string => events.toLocaleString('en');

export const ofSizes = async (): Promise<Line[]> => {
  const all: Measured[] = [];
  for (const events of SIZES) {
    await withDurablePostgres(async (url) => void all.push(await measureOne(url, events)));
    const { edit, room, builtPerSecond } = all.at(-1) as Measured;
    console.log(
      `${count(events)} events: an edit takes ${edit.database.toFixed(2)} ms of the database, ${edit.process.toFixed(2)} ms of the process, ` +
        `${edit.log.toFixed(1)} kB of write-ahead log; memory ${Math.round(room.memory)} MB, ${Math.round(room.building)} MB while read models are built; on disk log ${Math.round(room.log)} MB, ` +
        `read models ${Math.round(room.readModels)} MB; built from all of it: ${Math.round(builtPerSecond).toLocaleString('en')} events/s`,
    );
  }
  const small = all.at(1);
  const large = all.at(-1);
  if (!small || !large) return [];
  console.log(
    `figures are those at ${all.map(({ events }) => count(events)).join(' / ')} events, ratios those of the last to the second`,
  );
  const lines = [...large.figures].map(([what, { ms, floor, slowest }]) => {
    const before = small.figures.get(what) ?? { ms: NaN, floor: NaN };
    const growth = ms / floor / (before.ms / before.floor);
    const each = all.map(({ figures }) => figures.get(what)?.ms.toFixed(1)).join(' / ');
    const most = what.startsWith(FIRST_LOOK) ? large.events / small.events : MAX_GROWTH;
    return state(
      what,
      growth,
      { atMost: most },
      `${growth.toFixed(2)} x, target <= ${most} x, p50 ${each} ms${slowest ? `, slowest ${slowest}` : ''}`,
    );
  });
  for (const key of ['database', 'process', 'log'] as const) {
    const growth = large.edit[key] / small.edit[key];
    lines.push(
      state(
        `an edit, ${key === 'log' ? 'write-ahead log' : `time of the ${key}`}`,
        growth,
        { atMost: MAX_GROWTH },
        `${growth.toFixed(2)} x, target <= ${MAX_GROWTH} x; ${all.map(({ edit }) => edit[key].toFixed(2)).join(' / ')} ${key === 'log' ? 'kB' : 'ms'}`,
      ),
    );
  }
  for (const key of ['log', 'readModels'] as const) {
    const growth = large.room[key] / small.room[key] / (large.events / small.events);
    lines.push(
      state(
        `disk of the ${key === 'log' ? 'log' : 'read models'}, for each event`,
        growth,
        { atMost: 1.2 },
        `${growth.toFixed(2)} x, target <= 1.2 x; ${all.map(({ room, events }) => Math.round((room[key] * MEGABYTE) / events)).join(' / ')} bytes`,
      ),
    );
  }
  return lines;
};
