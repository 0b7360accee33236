import { connect, type Socket } from 'node:net';
import { startSshd, type Sshd } from '../../testing/sshd';
import { startTcpProxy, type TcpProxy } from '../../testing/tcp-proxy';
import type { SshTarget } from '../../apps/backend/src/platform/ssh';
import { poolThatSees, rejection, run, targetOf } from './targets';
import { pause, until } from '../../testing/patience';

let sshd: Sshd;
let proxy: TcpProxy;
let target: SshTarget;
beforeAll(async () => {
  sshd = await startSshd();
});
afterAll(() => sshd.stop());
beforeEach(async () => {
  proxy = await startTcpProxy(sshd);
  target = await targetOf(sshd, 'ed25519', { host: proxy.host, port: proxy.port });
});
afterEach(() => proxy.stop());

it('makes one connection for many commands', async () => {
  const { pool } = poolThatSees();
  const outs = await Promise.all(
    Array.from({ length: 20 }, (_, index) => run(pool, target, 'echo $1', { args: [`${index}`] })),
  );
  expect(outs.map(({ out }) => out.trim())).toEqual(Array.from({ length: 20 }, (_, index) => `${index}`));
  expect(proxy.accepted).toBe(1);
  await pool.close();
  await until(() => proxy.connections === 0);
});

it('runs no more than the allowed number of commands at once', async () => {
  const { pool } = poolThatSees({ perHostChannels: 3 });
  let most = 0;
  let now = 0;
  const one = async (): Promise<void> => {
    await run(pool, target, 'echo in; sleep 0.1; echo out', {
      onOutput: (_stream, text) => {
        if (text.includes('in')) most = Math.max(most, (now += 1));
        if (text.includes('out')) now -= 1;
      },
    });
  };
  await Promise.all(Array.from({ length: 9 }, one));
  expect(most).toBe(3);
  await pool.close();
});

it('reports busy if too many commands wait for one host', async () => {
  const { pool } = poolThatSees({ perHostChannels: 1, perHostWaiting: 2 });
  const works = [1, 2, 3].map(() => run(pool, target, 'sleep 0.1'));
  expect(await rejection(run(pool, target, 'true'))).toMatchObject({
    code: 'busy',
    msg: '2 commands already wait for a free session on 127.0.0.1. Try again later.',
  });
  await Promise.all(works);
  await pool.close();
});

it('closes an unused connection', async () => {
  const { pool } = poolThatSees({ idleMs: 150 });
  await run(pool, target, 'sleep 0.3');
  expect(proxy.connections).toBe(1);
  await until(() => proxy.connections === 0);
  await run(pool, target, 'true');
  expect(proxy.accepted).toBe(2);
  await pool.close();
});

it('drops a connection whose only user gave up during the set-up', async () => {
  const { pool } = poolThatSees({ idleMs: 100 });
  proxy.pass(40);
  const stop = new AbortController();
  const work = rejection(run(pool, target, 'true', { signal: stop.signal }));
  await until(() => proxy.connections === 1);
  stop.abort(new Error('gave up'));
  expect(await work).toMatchObject({ message: 'gave up' });
  await until(() => proxy.connections === 0);
  await pool.close();
});

it('makes a new connection if key, address or account change, and lets running work finish', async () => {
  const { pool } = poolThatSees();
  const long = run(pool, target, 'sleep 0.4; echo finished');
  await until(() => proxy.connections === 1);
  await pause(100);
  await run(pool, { ...target, keyVersion: 'newer' }, 'true');
  expect(proxy.accepted).toBe(2);
  expect((await long).out).toBe('finished\n');
  await until(() => proxy.connections === 1);
  pool.forget(target.id);
  await until(() => proxy.connections === 0);
  await pool.close();
});

it('limits the number of connections by closing idle ones', async () => {
  const { pool } = poolThatSees({ maxConnections: 2 });
  for (const id of ['a', 'b', 'c', 'd']) await run(pool, { ...target, id }, 'true');
  await until(() => proxy.connections <= 2);
  const all = ['a', 'b', 'c', 'd', 'e', 'f'].map((id) =>
    run(pool, { ...target, id }, 'sleep 0.1; echo $1', { args: [id] }),
  );
  expect((await Promise.all(all)).map(({ out }) => out.trim()).join('')).toBe('abcdef');
  await until(() => proxy.connections <= 2);
  await pool.close();
});

it('reconnects once, unnoticed, after the server was restarted between two commands', async () => {
  const { pool } = poolThatSees();
  expect((await run(pool, target, 'echo 1')).out).toBe('1\n');
  await sshd.restart();
  expect((await run(pool, target, 'echo 2')).out).toBe('2\n');
  await pool.close();
});

it('reconnects if the connection had died silently, since nothing had been sent', async () => {
  const { pool } = poolThatSees({ keepaliveMs: 150 });
  await run(pool, target, 'true');
  proxy.blackhole();
  const file = `${sshd.folder}/count`;
  const work = run(pool, target, 'echo once >> "$1"; cat "$1"', { args: [file] });
  await pause(250);
  // Only existing connections are dead; new ones pass.
  proxy.cut();
  proxy.pass();
  expect((await work).out).toBe('once\n');
  await pool.close();
});

it('never runs a command twice: a sent command is lost, not repeated', async () => {
  const { pool } = poolThatSees();
  const file = `${sshd.folder}/effects`;
  const work = rejection(
    run(pool, target, 'echo effect >> "$1"; echo done; sleep 1', {
      args: [file],
      onOutput: () => proxy.cut(),
    }),
  );
  expect(await work).toMatchObject({ code: 'connectionLost' });
  expect((await run(pool, target, 'cat "$1"', { args: [file] })).out).toBe('effect\n');
  await pool.close();
});

it('works with a server that allows few sessions, and still ends commands there', async () => {
  const narrow = await startSshd({ maxSessions: 1 });
  const { pool } = poolThatSees();
  const there = await targetOf(narrow, 'ed25519');
  const works = await Promise.all(
    [1, 2, 3, 4, 5].map((number) => run(pool, there, 'sleep 0.05; echo $1', { args: [`${number}`] })),
  );
  expect(works.map(({ out }) => out.trim())).toEqual(['1', '2', '3', '4', '5']);
  const ended = await run(pool, there, 'sleep 3000', { timeoutMs: 3000 });
  expect(ended).toMatchObject({ timedOut: true, mayStillRun: false, signal: 'SIGTERM' });
  await pool.close();
  await narrow.stop();
});

it('says that a server allows no sessions at all', async () => {
  const closed = await startSshd({ maxSessions: 0 });
  const { pool } = poolThatSees();
  expect(await rejection(run(pool, await targetOf(closed), 'true'))).toMatchObject({
    code: 'channelRefused',
    msg: expect.stringContaining('Check MaxSessions'),
  });
  await pool.close();
  await closed.stop();
});

it('retries if a server rejects new connections', async () => {
  // One pending connection at a time, all others are dropped.
  const crowded = await startSshd({ maxStartups: '1:100:1' });
  const { pool } = poolThatSees();
  const there = await targetOf(crowded);
  const outs = await Promise.all(
    ['a', 'b', 'c'].map((id) => run(pool, { ...there, id }, 'echo $1', { args: [id] })),
  );
  expect(outs.map(({ out }) => out.trim()).join('')).toBe('abc');
  await pool.close();
  await crowded.stop();
});

/** Takes the only place for pending connections and sends nothing. */
const squat = async (where: { host: string; port: number }): Promise<Socket> => {
  for (;;) {
    const socket = connect(where);
    const heard = await new Promise<Buffer>((resolve) => socket.once('data', resolve));
    if (heard.toString().startsWith('SSH-')) return socket;
    socket.destroy();
  }
};

it('says after a few attempts that a server rejects new connections', async () => {
  const crowded = await startSshd({ maxStartups: '1:100:1' });
  const squatter = await squat({ host: crowded.host, port: crowded.port });
  const { pool } = poolThatSees();
  expect(await rejection(run(pool, await targetOf(crowded), 'true'))).toMatchObject({
    code: 'busy',
    msg: expect.stringContaining('refuses new connections for now ("Exceeded MaxStartups")'),
  });
  squatter.destroy();
  await pool.close();
  await crowded.stop();
});
