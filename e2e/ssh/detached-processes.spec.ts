/**
 * Number of new processes that work needs on a server, which dominates a script on a hundred servers. The server has
 * its own process tree, in which the kernel numbers processes consecutively, so other work does not affect the count.
 * Decision 0023 has the numbers.
 */
import type { SshPool, SshTarget } from '../../apps/backend/src/platform/ssh';
import { startSshd, type Sshd, type SshdOptions } from '../../testing/sshd';
import { detachedOver, follow, newName } from './detached-servers';
import { poolThatSees, run, targetOf } from './targets';

let sshd: Sshd | undefined;
let pool: SshPool;
beforeEach(() => {
  ({ pool } = poolThatSees());
});
afterEach(async () => {
  await pool.close();
  await sshd?.stop();
});

/** Process id of a process started now, over an existing connection. */
const newest = async (target: SshTarget): Promise<number> => Number((await run(pool, target, 'echo $$')).out);

const startedBy = async (target: SshTarget, act: () => Promise<unknown>): Promise<number> => {
  const before = await newest(target);
  await act();
  return (await newest(target)) - before - 1;
};

/** Most processes for the start of a short script, and for its removal, in ten rounds. */
const mostOn = async (options: SshdOptions): Promise<{ run: number; removal: number }> => {
  sshd = await startSshd({ boot: ':', ...options });
  const target = await targetOf(sshd);
  // The sweep for leftovers continues after the end; one start in 16 includes it.
  const detached = detachedOver(pool, { sweepsOneIn: Infinity });
  // The very first work also creates the common folder.
  await follow(detached, target, {});
  const most = { run: 0, removal: 0 };
  for (let round = 0; round < 10; round += 1) {
    const work = { name: newName(), script: 'echo quick', privileged: false };
    most.run = Math.max(most.run, await startedBy(target, () => follow(detached, target, work)));
    most.removal = Math.max(most.removal, await startedBy(target, () => detached.clean(target, work)));
  }
  return most;
};

it('counts exactly the processes that a script starts', async () => {
  sshd = await startSshd({ boot: ':' });
  const target = await targetOf(sshd);
  await newest(target);
  expect(await startedBy(target, async () => undefined)).toBe(0);
  // The shell, and three processes that it starts.
  expect(await startedBy(target, () => run(pool, target, 'sleep 0; sleep 0; sleep 0; exit'))).toBe(4);
});

// 11, or 13 if the script ends before the first look at its output.
it('a short script and its removal take at most 13 and 2 processes', async () => {
  const { run: ran, removal } = await mostOn({});
  expect(ran).toBeLessThanOrEqual(13);
  expect(removal).toBeLessThanOrEqual(2);
});

it('a short script and its removal take at most 16 and 2 processes if sh is bash', async () => {
  const { run: ran, removal } = await mostOn({ mounts: { '/bin/sh': '/bin/bash' } });
  expect(ran).toBeLessThanOrEqual(16);
  expect(removal).toBeLessThanOrEqual(2);
});
