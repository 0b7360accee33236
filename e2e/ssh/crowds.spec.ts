/** No server is lost because an sshd turns newcomers away (MaxStartups), whether they come to one address or to many. covers: SRV-15 */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { startSshd, type Sshd } from '../peers/sshd';
import { startTcpProxy } from '../peers/tcp-proxy';
import type { SshTarget } from '../../apps/backend/src/platform/ssh';
import { poolThatSees, run, targetOf } from './targets';

const HOSTS = 100;

let sshd: Sshd;
let target: SshTarget;

// The default of sshd: from ten newcomers on it turns 30 in 100 away at random, from a hundred on all of them.
beforeAll(async () => {
  sshd = await startSshd({
    host: '0.0.0.0',
    maxStartups: '10:30:100',
    // It listens everywhere to have many addresses; only this machine may come in.
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

/** That sshd turned somebody away, it says in its log. */
const turnedAway = (): boolean =>
  readFileSync(join(dirname(sshd.authorizedKeys), 'sshd.log'), 'utf8').includes('MaxStartups');

test('a hundred servers behind one address are all reached, and none of them is ever turned away', async () => {
  expect(await lost(() => ({ host: '127.0.0.1', port: sshd.port }))).toEqual([]);
  expect(turnedAway()).toBe(false);
});

test('nor behind one that is far away, where newcomers are newcomers for longer', async () => {
  const wire = await startTcpProxy({ host: '127.0.0.1', port: sshd.port });
  wire.pass(60);
  expect(await lost(() => wire)).toEqual([]);
  expect(turnedAway()).toBe(false);
  await wire.stop();
});

test('a hundred servers at as many addresses of one sshd are turned away, and all reached in the end', async () => {
  expect(await lost((at) => ({ host: `127.0.0.${at + 2}`, port: sshd.port }))).toEqual([]);
});
