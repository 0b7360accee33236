// covers: SRV-14
import { once } from 'node:events';
import {
  chmodSync,
  closeSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stopPostgres } from '../../../apps/backend/src/platform/database/postgres-server';
import { MASTER_KEY, signIn, spawnBackend, type BackendProcess } from '../../../testing/backend';
import { dataDirWithCluster } from '../../../testing/cluster-template';
import { operator, type Operator } from '../../../testing/operator';
import { processesNaming } from '../../../testing/processes';
import { needs, throwawayHostLacks } from '../../../testing/throwaway-needs';
import { pause } from '../../../testing/patience';
import { fault, moment, within } from '../fault';
import { expectOnce, expectProven, insertBlindly, underWay, write } from '../writing';

let dataDir: string;
let backend: BackendProcess;
let who: Operator;

beforeAll(async () => {
  dataDir = await dataDirWithCluster('quarterdeck-database-');
  chmodSync(dataDir, 0o755);
  backend = await spawnBackend({ dataDir });
  who = await signIn(backend.url, backend.signInLink);
});
afterAll(async () => {
  await backend?.stop();
  await stopPostgres(dataDir, 'immediate');
  rmSync(dataDir, { recursive: true, force: true });
});

const postmaster = (): number =>
  Number(readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n')[0]);

const isReady = async (url: string): Promise<boolean> =>
  (await operator(url).get('health/ready')).status === 200;

interface Line {
  level: string;
  msg: string;
}
const linesFrom = (offset: number, { stderr }: Pick<BackendProcess, 'stderr'> = backend): Line[] =>
  stderr()
    .slice(offset)
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Line);

fault({
  fault: 'kill -9 of the embedded Postgres under load',
  must: 'it runs again within 5 s by itself, nothing is lost or doubled, and the log says so in few lines',
  trial: async (turn) => {
    const said = backend.stderr().length;
    const killed = postmaster();
    const writing = write(who);
    let back: number;
    try {
      await underWay(writing);
      await pause(moment(turn, 700));
      process.kill(killed, 'SIGKILL');
      const mark = writing.acknowledged.length;
      back = await within(5_000, 'writing again', () => writing.acknowledged.length > mark + 8);
      await within(5_000, 'readiness', () => isReady(backend.url));
    } finally {
      await writing.stop();
    }
    expect(postmaster()).not.toBe(killed);
    expect(writing.refused.filter((status) => status !== 503)).toEqual([]);
    await within(5_000, 'catching up', () => expectOnce(who, writing.acknowledged));
    await within(10_000, 'the line about its end', () =>
      linesFrom(said).some(({ msg }) => msg.startsWith('the database is back')),
    );
    const lines = linesFrom(said).filter(({ level }) => level !== 'info');
    expect(lines.filter(({ msg }) => msg.includes('the embedded Postgres'))).toHaveLength(1);
    // At most: two faults before the outage is confirmed, the outage, the restart and the return.
    expect(lines.length).toBeLessThanOrEqual(6);
    await expectProven({ dataDir });
    return `written again after ${String(back).padStart(4)} ms`;
  },
});

fault({
  fault: 'the embedded Postgres dead, and its files damaged',
  must: 'the console ends with one line that says what to do, and starts with all it had once they are put back',
  share: 0.2,
  trial: async () => {
    const writing = write(who);
    await underWay(writing);
    await writing.stop();
    const said = backend.stderr().length;
    const file = join(dataDir, 'postgres/global/pg_control');
    const whole = readFileSync(file);
    writeFileSync(file, Buffer.alloc(whole.length, 1));
    process.kill(postmaster(), 'SIGKILL');
    const began = Date.now();
    const [code] = (await once(backend.child, 'exit')) as [number | null];
    const endedIn = Date.now() - began;
    expect(code).toBe(69);
    expect(backend.stderr().slice(said).trim().split('\n').at(-1)).toMatch(
      /^the embedded Postgres has ended and cannot be started again: the database in \S+\/postgres is damaged: .*; restore that folder from a backup; .*, then start the console again$/,
    );
    writeFileSync(file, whole);
    backend = await spawnBackend({ dataDir, port: Number(new URL(backend.url).port) });
    expect(await expectOnce(who, writing.acknowledged)).toBe(true);
    return `ended after ${String(endedIn).padStart(4)} ms`;
  },
});

/** Fills the file until not even one more page fits. */
const fill = (file: string): void => {
  const handle = openSync(file, 'w');
  for (const size of [1 << 20, 1 << 12])
    try {
      for (;;) writeSync(handle, Buffer.alloc(size));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    }
  closeSync(handle);
};

const lacking = throwawayHostLacks();
needs('a folder that can be full needs a machine that mounts one', lacking);

if (lacking.length === 0)
  fault({
    fault: 'the disk of the database full, the embedded one and one of DATABASE_URL',
    must: 'calls and readiness say so and where, reads go on, and it is written again by itself when there is room',
    share: 0.3,
    trial: async () => {
      const folder = mkdtempSync(join(tmpdir(), 'quarterdeck-full-'));
      const open: BackendProcess[] = [];
      try {
        const own = await spawnBackend({ dataDir: folder, room: '200m', env: { MASTER_KEY } });
        open.push(own);
        const seen = `/proc/${own.pid}/root${folder}`;
        const read = (name: string): string => readFileSync(join(seen, name), 'utf8').trim();
        const address = `127.0.0.1:${read('postgres.port')}`;
        const databaseUrl = `postgres://postgres:${read('postgres.password')}@${address}/postgres`;
        const other = await spawnBackend({ databaseUrl });
        open.push(other);
        const here = await signIn(own.url, own.signInLink);
        const there = operator(other.url, here.cookie);
        const places = new Map([
          [here, join(folder, 'postgres')],
          [there, `the database server ${address}`],
        ]);
        expect((await insertBlindly(here)).status).toBe(200);

        fill(join(seen, 'filler'));
        for (const [one, place] of places) {
          let refusal: { status: number; body: unknown } | undefined;
          await within(20_000, 'a refusal', async () => {
            const answers = await Promise.all(Array.from({ length: 8 }, () => insertBlindly(one)));
            refusal = answers.find(({ status }) => status !== 200);
            return refusal !== undefined;
          });
          const msg = `disk full: nothing can be saved until there is space at ${place}`;
          expect(refusal).toMatchObject({ status: 503, body: { msg } });
          await within(5_000, 'readiness with the reason', async () => {
            const { status, body } = await operator(one.url).get<{ checks: { room: object } }>(
              'health/ready',
            );
            const { room } = body.checks;
            return (
              status === 503 &&
              JSON.stringify(room) === JSON.stringify({ ok: false, problem: 'disk full', at: [place] })
            );
          });
          expect((await one.post('server/list')).status).toBe(200);
        }

        rmSync(join(seen, 'filler'));
        let longest = 0;
        for (const one of places.keys()) {
          const ready = await within(5_000, 'readiness', () => isReady(one.url));
          longest = Math.max(longest, ready);
          expect((await insertBlindly(one)).status).toBe(200);
        }
        for (const one of open) {
          const lines = linesFrom(0, one).filter(({ level }) => level !== 'info');
          expect(lines.filter(({ msg }) => msg.startsWith('disk full'))).toHaveLength(1);
          expect(lines.filter(({ msg }) => msg.startsWith('there is space again'))).toHaveLength(1);
          expect(lines.length).toBeLessThan(10);
        }
        return `ready again after ${String(longest).padStart(4)} ms`;
      } finally {
        for (const one of open.reverse()) await one.stop();
        for (const { pid } of processesNaming(folder)) process.kill(pid, 'SIGKILL');
        rmSync(folder, { recursive: true, force: true });
      }
    },
  });
