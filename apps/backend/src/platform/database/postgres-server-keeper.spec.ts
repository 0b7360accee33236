import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { Client } from 'pg';
import { startPostgres, stopPostgres, type PostgresServer } from './postgres-server';
import type { PostgresFailed } from './postgres-server-failure';
import { PostgresKeeper, type KeeperLimits } from './postgres-server-keeper';
import { until } from '../../../../../testing/patience';

const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'quarterdeck-postgres-keeper-'));
const postmaster = () =>
  Number(fs.readFileSync(path.join(dir, 'postgres/postmaster.pid'), 'utf8').split('\n')[0]);
const pause = (ms: number) => new Promise((done) => setTimeout(done, ms));

const limits: KeeperLimits = {
  lookMs: 10,
  patienceMs: { full: 0, damaged: 0, refused: 0, passing: 0 },
  mostDeaths: 5,
  periodMs: 60_000,
};
let server: PostgresServer;
const open: PostgresKeeper[] = [];

interface Told {
  back: { adopted: boolean }[];
  lost: PostgresFailed[];
  looks: number;
}

const keep = (more: Partial<KeeperLimits> = {}): Told & { keeper: PostgresKeeper } => {
  const told: Told = { back: [], lost: [], looks: 0 };
  const kept = {
    revive: () => server.revive(),
    boundLog: () => server.boundLog(),
    isRunning: () => {
      told.looks += 1;
      return server.isRunning();
    },
  };
  const events = {
    onBack: (how: { adopted: boolean }) => told.back.push(how),
    onFailing: () => undefined,
    onLost: (failure: PostgresFailed) => told.lost.push(failure),
  };
  const keeper = new PostgresKeeper(kept, events, { ...limits, ...more });
  open.push(keeper);
  return Object.assign(told, { keeper });
};

const connected = async (): Promise<Client> => {
  const client = new Client({ connectionString: server.url });
  client.on('error', () => undefined);
  await client.connect();
  return client;
};
const kept = async (): Promise<unknown> => {
  const client = await connected();
  try {
    return (await client.query('select n from kept')).rows;
  } finally {
    await client.end();
  }
};

beforeAll(async () => {
  fs.chmodSync(dir, 0o755);
  server = await startPostgres({ dir, skipSync: true });
  const client = await connected();
  await client.query('create table kept (n int); insert into kept values (7)');
  await client.end();
});
afterEach(async () => {
  for (const keeper of open.splice(0)) await keeper.stop();
  if (!server.isRunning()) await server.revive();
});
afterAll(async () => {
  await stopPostgres(dir, 'immediate');
  fs.rmSync(dir, { recursive: true, force: true });
});

test('restarts a killed server at its address, even while a child of it is still calculating', async () => {
  const { back } = keep();
  const busy = await connected();
  const calculating = busy.query('select count(*) from generate_series(1, 10000000000)').catch(() => 'ended');
  await pause(50);
  const killed = postmaster();
  process.kill(killed, 'SIGKILL');
  await until(() => back.length > 0);
  expect(back).toMatchObject([{ adopted: false }]);
  expect(postmaster()).not.toBe(killed);
  expect(await kept()).toEqual([{ n: 7 }]);
  expect(await calculating).toBe('ended');
});

test('does not mistake a stopped server for a dead one', async () => {
  const told = keep();
  const pid = postmaster();
  process.kill(pid, 'SIGSTOP');
  const before = told.looks;
  await until(() => told.looks > before + 5);
  process.kill(pid, 'SIGCONT');
  expect(await kept()).toEqual([{ n: 7 }]);
  expect([told.back, told.lost, postmaster()]).toEqual([[], [], pid]);
});

test('keeps the log of the server short while the server writes to it, and the older lines beside it', async () => {
  const log = path.join(dir, 'postgres/server.log');
  const older = `${log}.1`;
  fs.appendFileSync(log, 'an old line\n'.repeat(700_000));
  keep();
  await until(() => fs.statSync(log).size < 1_000);
  expect(fs.statSync(older)).toMatchObject({ size: expect.any(Number), uid: fs.statSync(log).uid });
  expect(fs.readFileSync(older, 'utf8')).toContain('an old line\n');
  const client = await connected();
  await expect(client.query('select 1 / 0')).rejects.toThrow('division by zero');
  await client.end();
  await until(() => fs.readFileSync(log, 'utf8').includes('division by zero'));
  // No hole where the old lines were.
  expect(fs.readFileSync(log, 'utf8')).not.toContain('\0');
});

test('starts a server once if two processes keep it; the other one finds it running', async () => {
  const both = [keep(), keep()];
  process.kill(postmaster(), 'SIGKILL');
  await until(() => both.every(({ back }) => back.length > 0));
  const adopted = both.map(({ back }) => back.map((how) => how.adopted));
  expect(adopted).toContainEqual([false]);
  expect(adopted).toContainEqual([true]);
  expect(await kept()).toEqual([{ n: 7 }]);
});

test('leaves nothing running if it is stopped during a restart', async () => {
  const { keeper, looks } = keep();
  const second = await startPostgres({ dir });
  await server.stop();
  process.kill(postmaster(), 'SIGKILL');
  await until(() => !server.isRunning() || looks > 3);
  await keeper.stop();
  await second.stop();
  expect(server.isRunning()).toBe(false);
  server = await startPostgres({ dir, port: Number(new URL(server.url).port) });
});

test('gives up on a damaged cluster, with a line that says what to do', async () => {
  const file = path.join(dir, 'postgres/global/pg_control');
  const whole = fs.readFileSync(file);
  const { lost } = keep();
  fs.writeFileSync(file, Buffer.alloc(whole.length, 1));
  process.kill(postmaster(), 'SIGKILL');
  await until(() => lost.length > 0);
  fs.writeFileSync(file, whole);
  expect(lost[0]).toMatchObject({ kind: 'damaged' });
  expect(lost[0]?.message).toMatch(
    /^Postgres did not start: the database in .*postgres is damaged: .*; restore that folder from a backup; .*server\.log says more$/,
  );
});

test('gives up if the port was taken meanwhile, and says so', async () => {
  const { lost } = keep();
  const port = Number(new URL(server.url).port);
  process.kill(postmaster(), 'SIGKILL');
  const thief = net.createServer();
  for (let bound = false; !bound; await pause(1))
    bound = await new Promise<boolean>((resolve) => {
      thief.once('error', () => resolve(false));
      thief.listen(port, '127.0.0.1', () => resolve(true));
    });
  await until(() => lost.length > 0);
  await new Promise((done) => thief.close(done));
  expect(lost[0]?.message).toContain(`port ${port} is taken by another program`);
});

test('gives up on a server that ends again and again', async () => {
  const { back, lost } = keep({ mostDeaths: 1 });
  process.kill(postmaster(), 'SIGKILL');
  await until(() => back.length > 0);
  process.kill(postmaster(), 'SIGKILL');
  await until(() => lost.length > 0);
  expect(lost[0]?.message).toContain('it ended 2 times within 1 minutes');
});
