/**
 * A console in one of seven states is backed up while it is written to, killed, and restored elsewhere. `npm test`
 * tries one state; `npm run faults -- --n 7 elsewhere` tries all of them, at their whole size.
 */
// covers: BAK-01, BAK-02
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Pool } from 'pg';
import { v7 as uuid } from 'uuid';
import type { BackupsView, RunView } from '@quarterdeck/projections';
import { archivesIn } from '../../../apps/backend/src/backups/folder';
import { busyLog, write } from '../../../testing/busy-log';
import { registerAt } from '../../backend/world';
import { runHere, signIn, spawnBackend, type BackendProcess, type Operator } from '../../../testing/backend';
import { openLog } from '../../../testing/log';
import { startTestPostgres, type TestPostgres } from '../../../testing/postgres';
import { startSshd, type Sshd } from '../../../testing/sshd';
import { pause } from '../../../testing/patience';
import { fault } from '../fault';

const isWhole = process.env.FAULTS_REPORT !== undefined;
const EVENTS = isWhole ? 100_000 : 300;
const OUTPUT_MB = isWhole ? 200 : 1;
const WRITERS = 32;

const root = fs.mkdtempSync(path.join(os.tmpdir(), 'quarterdeck-restores-'));
let postgres: TestPostgres;
let sshd: Sshd;
const open = new Set<BackendProcess>();
let count = 0;

beforeAll(async () => {
  [postgres, sshd] = await Promise.all([startTestPostgres(), startSshd()]);
});
afterEach(async () => {
  for (const one of open) await one.kill('SIGKILL');
  open.clear();
});
afterAll(async () => {
  await sshd?.stop();
  await postgres?.stop();
  fs.rmSync(root, { recursive: true, force: true });
});

interface Console {
  databaseUrl: string;
  pool: Pool;
  process: BackendProcess;
  who: Operator;
}

const started = async (databaseUrl: string, email: string): Promise<Console> => {
  const dataDir = path.join(root, `${++count}`);
  const process = await spawnBackend({ databaseUrl, dataDir, env: { BACKUPS: 'on' } });
  open.add(process);
  const args = ['sign-in-link', '--workspace', 'main', '--role', 'superadmin', '--email', email];
  const { stdout } = await runHere(args, { databaseUrl });
  const who = await signIn(process.url, stdout.trim());
  return { databaseUrl, process, who, pool: new Pool({ connectionString: databaseUrl, max: 1 }) };
};

const killed = async ({ process, pool }: Console): Promise<void> => {
  await process.kill('SIGKILL');
  open.delete(process);
  await pool.end();
};

const answered = async <T>(who: Operator, call: string, body: object = {}): Promise<T> => {
  const answer = await who.post<T>(call, body);
  expect([call, answer.status, answer.body]).toEqual([call, 200, answer.body]);
  return answer.body;
};
type Id = { id: string };

const caughtUp = async ({ who }: Console): Promise<void> => {
  const lag = async () => (await answered<{ lag: { ms: number } }>(who, 'superadmin/projections')).lag.ms;
  while ((await lag()) > 0) await pause(50);
};

/** Takes a backup of the console. @returns the archive's file, in a folder with the archives that it continues */
const takenBy = async ({ who }: Console, folder: string): Promise<string> => {
  const { work } = await answered<{ work: string }>(who, 'backup/take');
  for (;;) {
    const { archives, current, failed } = await answered<BackupsView>(who, 'backup/overview');
    expect(failed).toBeUndefined();
    const taken = archives.find(({ id }) => id === work);
    if (taken && current === undefined) return path.join(folder, taken.name);
    await pause(20);
  }
};

const planned = async ({ who }: Console): Promise<string> => {
  const target = { kind: 'folder', path: path.join(root, `archives-${++count}`) };
  const keep = { days: 7, weeks: 4, months: 12 };
  await answered(who, 'backup/configure', { target, keep, schedule: null, recipients: [] });
  return target.path;
};

const restored = async (file: string): Promise<string> => {
  const databaseUrl = await postgres.newDatabase();
  expect(await runHere(['restore', file], { databaseUrl })).toMatchObject({ code: 0 });
  return databaseUrl;
};

/** Brings a console that has a server into the state. @returns another console to continue with, if any */
type Make = (console: Console, server: string) => Promise<Console | void>;

const states: readonly [name: string, make: Make][] = [
  [
    'with a run under way on a server',
    async ({ who }, server) => {
      const begun = path.join(sshd.folder, `begun-${++count}`);
      const body = `touch ${begun}\nsleep 600\n`;
      const fields = { name: `Long ${count}`, body, changes: true, timeoutSeconds: 900 };
      const { id: script } = await answered<Id>(who, 'script/insert', fields);
      await answered(who, 'fleet/start', { servers: [server], script, runId: uuid() });
      while (!fs.existsSync(begun)) await pause(20);
    },
  ],
  ['that is new', () => Promise.resolve()],
  [
    'with a long log',
    async ({ who, databaseUrl }) => {
      const { body } = await who.get<{ instance: { uuid: string } }>('session');
      const store = await openLog(databaseUrl);
      // All of the story is over, so none of it reacts to the present.
      const story = { events: EVENTS, workspace: body.instance.uuid, servers: 100, ends: Date.now() };
      await write(store, busyLog(story).appends);
      await store.close();
    },
  ],
  [
    'with much output',
    async ({ pool }) => {
      await pool.query(
        `insert into app.run_output (run, seq, at, stream, text)
         select gen_random_uuid(), n, now(), 'out',
           (select string_agg(md5((n * 1000 + k)::text), ' ok ') from generate_series(1, 230) k)
         from generate_series(1, ${OUTPUT_MB * 120}) n`,
      );
    },
  ],
  [
    'whose things were renamed, removed and restored',
    async ({ who }, server) => {
      const { id } = await answered<Id>(who, 'product/insert', { data: { name: 'Gone' } });
      await answered(who, 'product/delete', { id, name: 'Gone' });
      await answered(who, 'product/restore', { id });
      const other = await registerAt(who, sshd, 'other');
      await answered(who, 'server/delete', { id: other });
      await answered(who, 'server/execCmd', { id: server, cmdType: 5, runId: uuid() });
    },
  ],
  [
    'with a full archive and an increment before',
    async (console) => {
      const folder = path.dirname(await takenBy(console, await planned(console)));
      await answered(console.who, 'product/insert', { data: { name: 'In between' } });
      await takenBy(console, folder);
    },
  ],
  [
    'that was restored before',
    async (console) => {
      const file = await takenBy(console, await planned(console));
      await killed(console);
      const databaseUrl = await restored(file);
      // Unless released, a restored console takes no backup.
      expect(await runHere(['restore', '--release'], { databaseUrl })).toMatchObject({ code: 0 });
      return started(databaseUrl, 'ada@example.org');
    },
  ],
];

const PAST = ['server/list', 'run/list', 'history/list', 'people/list', 'product/list'];
const pastOf = async ({ who }: Console, at: string): Promise<unknown> => {
  const answers = await Promise.all(PAST.map((call) => who.post(call, {}, { 'x-at': at })));
  return answers.map(({ status, body }) => [status, body]);
};

/** Writes until the console is gone. */
const writing = ({ who }: Console) => {
  /** Ids of acknowledged writes. */
  const acknowledged: string[] = [];
  const refused: unknown[] = [];
  const writer = async (): Promise<void> => {
    for (;;) {
      const data = { name: `Product ${++count}` };
      const answer = await who.post<Id>('product/insert', { data }).catch(() => undefined);
      if (!answer) return;
      if (answer.status === 200) acknowledged.push(answer.body.id);
      else refused.push(answer);
    }
  };
  return { acknowledged, refused, ended: Promise.all(Array.from({ length: WRITERS }, writer)) };
};

const OUTPUT = `select count(*) as rows, md5(string_agg(md5(text), '' order by run, seq)) as text from app.run_output`;
const rowsOf = async <T extends object>(
  databaseUrl: string,
  query: string,
  values: unknown[] = [],
): Promise<T[]> => {
  const pool = new Pool({ connectionString: databaseUrl, max: 1 });
  const { rows } = await pool.query<T>(query, values);
  await pool.end();
  return rows;
};

fault({
  fault: 'kill -9 of a console under 32 writers after a backup, and a restore elsewhere',
  must: 'what was acknowledged before the snapshot is there once and nothing later, all of it holds, the past answers as before, and a server is reached',
  trialMs: 900_000,
  trial: async (turn) => {
    const [name, make] = states[turn % states.length]!;
    const first = await started(await postgres.newDatabase(), 'ada@example.org');
    const server = await registerAt(first.who, sshd, 'web');
    await answered(first.who, 'server/execCmd', { id: server, cmdType: 5, runId: uuid() });
    const old = (await make(first, server)) ?? first;
    await caughtUp(old);
    const store = await openLog(old.databaseUrl);
    const then = { position: await store.head(), instant: new Date().toISOString() };
    await store.close();
    await answered(old.who, 'product/insert', { data: { name: 'Later' } });
    const past = [await pastOf(old, then.position), await pastOf(old, then.instant)];

    const folder = await planned(old);
    const { acknowledged, refused, ended } = writing(old);
    while (acknowledged.length < 2 * WRITERS) await pause(5);
    const file = await takenBy(old, folder);
    const during = acknowledged.length;
    while (acknowledged.length < during + WRITERS) await pause(5);
    await killed(old);
    await ended;
    expect(refused).toEqual([]);

    const url = await restored(file);
    const { archives } = await archivesIn(folder);
    const { position, hash } = archives.find((one) => one.file === file)!.head.log.end;
    // Equal hashes at the end mean equal events before it.
    for (const each of [old.databaseUrl, url])
      expect(
        await rowsOf(each, `select encode(hash, 'hex') as hash from log.events where position = $1`, [
          position,
        ]),
      ).toEqual([{ hash }]);
    const born = `select substr(stream, 9) as id, position from log.events where stream like 'product-%' and revision = 0`;
    const was = new Map(
      (await rowsOf<{ id: string; position: string }>(old.databaseUrl, born)).map((one) => [
        one.id,
        one.position,
      ]),
    );
    const is = (await rowsOf<Id>(url, born)).map(({ id }) => id);
    expect(new Set(is).size).toBe(is.length);
    const [before, after] = [true, false].map((early) =>
      acknowledged.filter((id) => BigInt(was.get(id)!) <= BigInt(position) === early),
    );
    expect(before!.filter((id) => !is.includes(id))).toEqual([]);
    expect(after!.filter((id) => is.includes(id))).toEqual([]);
    expect([before!.length >= WRITERS, after!.length > 0]).toEqual([true, true]);
    expect(await rowsOf(url, OUTPUT)).toEqual(await rowsOf(old.databaseUrl, OUTPUT));
    for (const args of [
      ['audit', 'verify'],
      ['projections', 'verify'],
    ])
      expect([args, (await runHere(args, { databaseUrl: url })).code]).toEqual([args, 0]);

    const again = await started(url, 'bob@example.org');
    expect([await pastOf(again, then.position), await pastOf(again, then.instant)]).toEqual(past);
    const { runs } = await answered<{ runs: RunView[] }>(again.who, 'run/list');
    expect(runs.filter(({ state }) => state === 'running' || state === 'requested')).toEqual([]);
    expect(runs.some(({ state }) => state === 'interrupted')).toBe(name.includes('under way'));
    const answer = await answered<{ out: string }>(again.who, 'server/execCmd', {
      id: server,
      cmdType: 5,
      runId: uuid(),
    });
    expect(answer.out).toMatch(/\S/);
    await killed(again);
    return `${before!.length} changes before the snapshot and ${after!.length} after it, ${name}`;
  },
});
