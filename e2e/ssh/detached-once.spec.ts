/**
 * Work of one name is started once, however often and by whomever it is requested, and wherever the connection breaks.
 * covers: SRV-14
 */
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { baseOf, detachedOver, follow, newName, serverBehindProxy } from './detached-servers';
import { poolThatSees, rejection, targetOf } from './targets';
import { pause, until } from '../../testing/patience';

// The home of one account has almost no space.
const server = serverBehindProxy({
  users: [{ name: 'tiny', uid: 20_001 }],
  boot: 'mount -t tmpfs -o size=64k,mode=777,uid=20001 tmpfs ~tiny',
});

/** A script that adds a line to a file each time it is run. */
const counting = 'echo run >>"$1"; echo begun; sleep 0.1; echo ended';
const countOf = (file: string): number =>
  existsSync(file) ? readFileSync(file, 'utf8').split('\n').length - 1 : 0;

it('20 concurrent starts over 20 connections all follow one run', async () => {
  const file = join(server.sshd.folder, 'twenty');
  const name = newName();
  const runs = await Promise.all(
    Array.from({ length: 20 }, async (_, index) => {
      const target = await targetOf(server.sshd, 'ed25519', { id: `console-${index}` });
      return follow(server.detached, target, { name, script: counting, args: [file] });
    }),
  );
  expect(countOf(file)).toBe(1);
  for (const { text, end } of runs) {
    expect(text).toBe('begun\nended\n');
    expect(end).toEqual({ is: 'exited', exitCode: 0, report: {} });
  }
});

it('connections that break at any moment of the start lead to one run, followed to its end', async () => {
  // 200 kB, so that the script itself can be cut in two.
  const script = `${counting}\n${`# ${'x'.repeat(97)}\n`.repeat(2000)}`;
  await server.follow({ script: 'true' });
  let cuts = 0;
  for (let round = 0; round < 12; round += 1) {
    const file = join(server.sshd.folder, `cut-${round}`);
    const before = server.proxy.sent;
    let over = false;
    const work = server
      .follow(
        { name: newName(), script, args: [file] },
        { resumed: true, onConnection: (lost) => void (lost && (cuts += 1)) },
      )
      .finally(() => (over = true));
    const bytes = Math.random() * script.length;
    await until(() => over || server.proxy.sent - before > bytes, 1);
    server.proxy.cut();
    const { text, end } = await work;
    expect(countOf(file)).toBe(1);
    expect([text, end.is]).toEqual(['begun\nended\n', 'exited']);
  }
  // The other connections broke before anything was sent, which the pool handles by itself.
  expect(cuts).toBeGreaterThan(0);
});

it('a delayed start that arrives after the work was removed does nothing', async () => {
  const file = join(server.sshd.folder, 'late');
  const name = newName();
  const work = { name, script: counting, args: [file] };
  await server.follow({ script: 'true' });
  // The connection goes silent at the moment of the start, and delivers it much later.
  const late = rejection(
    server.follow(work).then(({ end }) => {
      throw Object.assign(new Error('ended'), { end });
    }),
  );
  const sentBefore = server.proxy.sent;
  await until(() => server.proxy.sent > sentBefore + 200);
  server.proxy.blackhole();
  const { pool: otherPool } = poolThatSees();
  const other = detachedOver(otherPool);
  const target = await targetOf(server.sshd);
  const { end } = await follow(other, target, work);
  expect(end).toMatchObject({ is: 'exited' });
  expect(await other.clean(target, { name, privileged: false })).toBe(true);
  await pause(900);
  server.proxy.pass();
  const outcome = (await late) as { end?: { is: string } };
  await pause(300);
  expect(countOf(file)).toBe(1);
  if (outcome.end) expect(['exited', 'lost']).toContain(outcome.end.is);
  // No other follower runs it again, either.
  expect((await follow(other, target, work)).end).toMatchObject({ is: 'lost', why: 'vanished' });
  expect((await follow(other, target, work, { resumed: true })).end).toMatchObject({
    is: 'lost',
    why: 'vanished',
  });
  expect(countOf(file)).toBe(1);
  await otherPool.close();
});

it('claimed work that never began is cancelled for good', async () => {
  const name = newName();
  const file = join(server.sshd.folder, 'claimed');
  await server.follow({ script: 'true' });
  // As left by a start that was killed between its first and its second step.
  mkdirSync(join(baseOf(server.sshd), name), { mode: 0o700 });
  const cancel = new AbortController();
  setTimeout(() => cancel.abort(), 300);
  const { end } = await server.follow({ name, script: counting, args: [file] }, { cancel: cancel.signal });
  expect(end).toEqual({ is: 'cancelled', mayStillRun: false, report: {} });
  const again = await server.follow({ name, script: counting, args: [file] });
  expect(again.end).toMatchObject({
    is: 'lost',
    why: 'neverStarted',
    reason: expect.stringContaining('was not run'),
  });
  expect(countOf(file)).toBe(0);
});

it('a cancel that is faster than the start keeps it from ever running', async () => {
  const file = join(server.sshd.folder, 'cancelled');
  const cancel = new AbortController();
  cancel.abort();
  const name = newName();
  const work = { name, script: counting, args: [file] };
  const { end } = await server.follow(work, { cancel: cancel.signal });
  expect(end).toEqual({ is: 'cancelled', mayStillRun: false, report: {} });
  expect((await server.follow(work)).end).toMatchObject({
    is: 'lost',
    why: 'neverStarted',
  });
  expect(countOf(file)).toBe(0);
});

it('a script that does not fit on the server is not run, with a reason', async () => {
  const name = newName();
  const target = await targetOf(server.sshd, 'ed25519', { id: 'tiny', username: 'tiny' });
  const { end } = await follow(server.detached, target, { name, script: `echo no\n${'#'.repeat(100_000)}` });
  expect(end).toMatchObject({
    is: 'lost',
    why: 'neverStarted',
    reason: expect.stringMatching(/not all of it could be written to .*, where \d+ kB are free/),
  });
});

it('reports the failed connection if nothing can have been started', async () => {
  const refused = { ...(await server.throughProxy()), id: 'nobody', port: 1 };
  expect(await rejection(follow(server.detached, refused, {}))).toMatchObject({ code: 'refused' });
  const stranger = await targetOf(server.sshd, 'stranger', { id: 'stranger' });
  expect(await rejection(follow(server.detached, stranger, {}))).toMatchObject({ code: 'authentication' });
});
