/**
 * No server is lost because an sshd rejects new connections (MaxStartups), at one address or at many. covers: SRV-15
 */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { startSshd, type Sshd } from '../../testing/sshd';
import { startTcpProxy } from '../../testing/tcp-proxy';
import type { SshTarget } from '../../apps/backend/src/platform/ssh';
import { poolThatSees, run, targetOf } from './targets';

const HOSTS = 100;

let sshd: Sshd;
let target: SshTarget;

// sshd's default: with ten pending connections it rejects 30 in 100 at random, with a hundred all of them.
beforeAll(async () => {
  sshd = await startSshd({
    host: '0.0.0.0',
    maxStartups: '10:30:100',
    // It listens everywhere to have many addresses; only this machine may sign in.
    config: ['AllowUsers *@127.0.0.0/8'],
  });
  target = await targetOf({ ...sshd, host: '127.0.0.1' });
});
afterAll(() => sshd?.stop());

const lost = async (where: (at: number) => Pick<SshTarget, 'host' | 'port'>): Promise<unknown[]> => {
  const { pool } = poolThatSees();
  const works = Array.from({ length: HOSTS }, (_, at) =>
    run(pool, { ...target, id: `server-${at}`, ...where(at) }, 'echo $1', { args: [`${at}`] }),
  );
  const outcomes = await Promise.allSettled(works);
  await pool.close();
  return outcomes.flatMap((outcome, at) =>
    outcome.status === 'fulfilled' && outcome.value.out === `${at}\n` ? [] : [outcome],
  );
};

/** Whether sshd's log shows a rejected connection. */
const turnedAway = (): boolean =>
  readFileSync(join(dirname(sshd.authorizedKeys), 'sshd.log'), 'utf8').includes('MaxStartups');

test('a hundred servers at one address are all reached, and none is ever rejected', async () => {
  expect(await lost(() => ({ host: '127.0.0.1', port: sshd.port }))).toEqual([]);
  expect(turnedAway()).toBe(false);
});

test('a hundred servers at a distant address, where connections are pending for longer, are never rejected either', async () => {
  const wire = await startTcpProxy({ host: '127.0.0.1', port: sshd.port });
  wire.pass(60);
  expect(await lost(() => wire)).toEqual([]);
  expect(turnedAway()).toBe(false);
  await wire.stop();
});

test('a hundred servers at as many addresses of one sshd meet rejections, and are all reached in the end', async () => {
  expect(await lost((at) => ({ host: `127.0.0.${at + 2}`, port: sshd.port }))).toEqual([]);
});
