// covers: SRV-14
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stopPostgres } from '../../apps/backend/src/platform/postgres-server';
import { operator, type Operator } from '../peers/operator';
import { signIn, spawnBackend, type BackendProcess } from '../peers/backend';
import { fault, moment, pause, within } from './fault';
import { expectOnce, expectProven, underWay, write } from './writing';

let dataDir: string;
let backend: BackendProcess;
let who: Operator;

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'quarterdeck-database-'));
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
const linesFrom = (offset: number): Line[] =>
  backend
    .stderr()
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
    // Up to two faults before it is known, that it is away, that it was started again, that it is back.
    expect(lines.length).toBeLessThanOrEqual(6);
    await expectProven({ dataDir });
    return `written again after ${String(back).padStart(4)} ms`;
  },
});
