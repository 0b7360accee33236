/**
 * What work on a server costs it in new processes, which is what a script on a hundred servers costs. The server has a
 * process tree of its own, in which the kernel numbers processes one after the other: nobody else's work, however much
 * of it there is, changes what is counted. The decision 0023 has the numbers.
 */
import type { SshPool, SshTarget } from '../../apps/backend/src/platform/ssh';
import { startSshd, type Sshd, type SshdOptions } from '../peers/sshd';
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

/** The number of a process that is started now, over a connection that is there already. */
const newest = async (target: SshTarget): Promise<number> => Number((await run(pool, target, 'echo $$')).out);

const startedBy = async (target: SshTarget, act: () => Promise<unknown>): Promise<number> => {
  const before = await newest(target);
  await act();
  return (await newest(target)) - before - 1;
};

/** The most that the start of a short script and its removal took, of ten. */
const mostOn = async (options: SshdOptions): Promise<{ run: number; removal: number }> => {
  sshd = await startSshd({ boot: ':', ...options });
  const target = await targetOf(sshd);
  // The sweep for what was left behind goes on after the end; one start in 16 has it.
  const detached = detachedOver(pool, { sweepsOneIn: Infinity });
  // The first work of all also makes the folder for all.
  await follow(detached, target, {});
  const most = { run: 0, removal: 0 };
  for (let round = 0; round < 10; round += 1) {
    const work = { name: newName(), script: 'echo quick', privileged: false };
    most.run = Math.max(most.run, await startedBy(target, () => follow(detached, target, work)));
    most.removal = Math.max(most.removal, await startedBy(target, () => detached.clean(target, work)));
  }
  return most;
};

it('counts what a script starts, to the process', async () => {
  sshd = await startSshd({ boot: ':' });
  const target = await targetOf(sshd);
  await newest(target);
  expect(await startedBy(target, async () => undefined)).toBe(0);
  // The shell, and three that it starts.
  expect(await startedBy(target, () => run(pool, target, 'sleep 0; sleep 0; sleep 0; exit'))).toBe(4);
});

// 11, and 13 where the script is over before the first look at its output.
it('a short script and its removal take no more than 13 and 2 processes', async () => {
  const { run: ran, removal } = await mostOn({});
  expect(ran).toBeLessThanOrEqual(13);
  expect(removal).toBeLessThanOrEqual(2);
});

it('and no more than 16 and 2 where sh is bash', async () => {
  const { run: ran, removal } = await mostOn({ mounts: { '/bin/sh': '/bin/bash' } });
  expect(ran).toBeLessThanOrEqual(16);
  expect(removal).toBeLessThanOrEqual(2);
});
