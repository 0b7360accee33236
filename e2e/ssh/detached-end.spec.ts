/**
 * Ending work on a server: by cancel and by time-out, completely, with a message if that is uncertain. covers: SRV-14
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FollowOptions } from '../../apps/backend/src/platform/ssh';
import { processesNaming } from '../../testing/processes';
import { baseOf, detachedOver, follow, newName, serverBehindProxy } from './detached-servers';
import { poolThatSees } from './targets';
import { until } from '../../testing/patience';

const server = serverBehindProxy({ boot: ':', users: [{ name: 'deploy', uid: 20_001 }] });
let mark: string;
beforeEach(() => {
  mark = `${Math.floor(1e6 + Math.random() * 1e6)}`;
});
const alive = (): number => processesNaming(`sleep ${mark}`).length;
/** Children, grandchildren, a pipe, and an orphan: four that sleep. */
const family = () => `(sleep ${mark} & sleep ${mark} | cat) & (sleep ${mark} &); echo going; sleep ${mark}`;

/** Cancels as soon as all processes are running. */
const cancelled = async (
  script: string,
  members: number,
  options: Partial<FollowOptions> = {},
  changes: { username?: string; id?: string } = {},
) => {
  const cancel = new AbortController();
  const target = { ...(await server.throughProxy()), ...changes };
  const work = follow(server.detached, target, { script }, { ...options, cancel: cancel.signal });
  await until(() => alive() === members);
  cancel.abort();
  return work;
};

it.each(['root', 'deploy'])('a cancel ends everything that the script of %s started', async (username) => {
  const { end, text } = await cancelled(`report so far; ${family()}`, 4, {}, { username, id: username });
  expect(end).toEqual({ is: 'cancelled', mayStillRun: false, report: { so: 'far' } });
  expect(text).toBe('going\n');
  expect(alive()).toBe(0);
});

it('a cancel ends a script that ignores SIGTERM, and keeps its output', async () => {
  const script = `trap 'echo I stay' TERM; echo going; sleep ${mark}; sleep ${mark}; sleep ${mark}`;
  const { end, text } = await cancelled(script, 1);
  expect(end).toMatchObject({ is: 'cancelled', mayStillRun: false });
  expect(text).toMatch(/^going\n(Terminated\n)?I stay\n/);
  expect(alive()).toBe(0);
});

it('the time-out ends the work, too', async () => {
  const leave = new AbortController();
  const work = { name: newName(), script: family() };
  // Its time begins only when all are running, however long that takes.
  const { text } = await server.follow(work, { leave: leave.signal, onOutput: () => leave.abort() });
  await until(() => alive() === 4);
  const { end } = await server.follow(work, { from: text.length, deadline: Date.now() + 1000 });
  expect(end).toEqual({ is: 'timedOut', mayStillRun: false, report: {} });
  expect(text).toBe('going\n');
  expect(alive()).toBe(0);
});

it('work whose deadline passed while nobody watched is ended by the next follower', async () => {
  const name = newName();
  const leave = new AbortController();
  const script = family();
  const work = { name, script };
  await server.follow(work, { leave: leave.signal, onOutput: () => leave.abort() });
  await until(() => alive() === 4);
  const { end } = await server.follow(work, { from: 6, deadline: Date.now() - 1 });
  expect(end).toMatchObject({ is: 'timedOut', mayStillRun: false });
  expect(alive()).toBe(0);
});

it('a cancel while the server is unreachable says that the work may still run', async () => {
  const name = newName();
  const cancel = new AbortController();
  const script = `echo going; sleep ${mark}`;
  const { end: unsure } = await server.follow(
    { name, script },
    {
      cancel: cancel.signal,
      onOutput: () => server.proxy.blackhole(),
      onConnection: (lost) => void (lost && cancel.abort()),
    },
  );
  expect(unsure).toEqual({ is: 'cancelled', mayStillRun: true, report: {} });
  expect(alive()).toBe(1);
  // The cancel is repeated once the server is reachable, and ends it.
  server.proxy.pass();
  const { end } = await server.follow({ name }, { from: 6, cancel: cancel.signal });
  expect(end).toMatchObject({ is: 'cancelled', mayStillRun: false });
  expect(alive()).toBe(0);
});

it('a cancel reaches the server again after the connection was lost', async () => {
  const cancel = new AbortController();
  let outages = 0;
  const work = server.follow(
    { script: `echo going; sleep ${mark}` },
    {
      cancel: cancel.signal,
      onOutput: () => server.proxy.cut(),
      onConnection: (lost) => {
        if (lost) outages += 1;
        cancel.abort();
      },
    },
  );
  expect((await work).end).toMatchObject({ is: 'cancelled', mayStillRun: false });
  expect([outages, alive()]).toEqual([1, 0]);
});

it('a cancel works even if followed work uses every session', async () => {
  const narrow = poolThatSees({ perHostChannels: 2 });
  const cancel = new AbortController();
  const target = await server.throughProxy();
  const options = { cancel: cancel.signal };
  const all = [1, 2].map(() =>
    follow(detachedOver(narrow.pool), target, { script: `echo going; sleep ${mark}` }, options),
  );
  await until(() => alive() === 2);
  cancel.abort();
  for (const { end } of await Promise.all(all))
    expect(end).toMatchObject({ is: 'cancelled', mayStillRun: false });
  expect(alive()).toBe(0);
  await narrow.pool.close();
});

it('a cancel after the end changes nothing', async () => {
  const name = newName();
  await server.follow({ name, script: 'echo done; exit 5' });
  const cancel = new AbortController();
  cancel.abort();
  const { end, text } = await server.follow({ name }, { cancel: cancel.signal });
  expect([text, end]).toEqual(['done\n', { is: 'exited', exitCode: 5, report: {} }]);
});

it('ending work does not affect a process that got its number later', async () => {
  const name = newName();
  const leave = new AbortController();
  const bystander = join(server.sshd.folder, 'bystander');
  const script = `echo going; kill -KILL $PPID; setsid sh -c 'echo $$ >"$1"; exec sleep ${mark}' sh '${bystander}' &`;
  await server.follow({ name, script }, { leave: leave.signal }).catch(() => undefined);
  await until(() => existsSync(bystander) && alive() === 1);
  // As if the group's number had been given to the bystander.
  const group = join(baseOf(server.sshd), name, 'group');
  const since = readFileSync(group, 'utf8').split(' ')[1] ?? '';
  writeFileSync(group, `-${readFileSync(bystander, 'utf8').trim()} ${Number(since) - 1}\n`);
  const cancel = new AbortController();
  cancel.abort();
  const { end } = await server.follow({ name }, { from: 6, cancel: cancel.signal });
  expect(end).toMatchObject({ is: 'cancelled', mayStillRun: false });
  expect(alive()).toBe(1);
});
