/** Accounts are set up in many ways; a script runs the same in all of them, or an error says why it does not. */
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SshPool } from '../../apps/backend/src/platform/ssh';
import { processesNaming } from '../../testing/processes';
import { startSshd, type Sshd } from '../../testing/sshd';
import { poolThatSees, rejection, run, targetOf } from './targets';
import { until } from '../../testing/patience';

let folder: string;
let sshd: Sshd;
let pool: SshPool;
/** A shell that prints text of its own, understands only one command, and stays the parent of the real shell. */
const odd = `#!/bin/sh
echo 'Welcome to the odd shell'
echo 'odd: a warning' >&2
[ "$1" = -c ] || exit 3
case "$2" in
  'exec /bin/sh -s') /bin/sh -s ;;
  *) echo "odd: cannot parse $2" >&2; exit 4 ;;
esac
code=$?
exit $code
`;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'shells-'));
  chmodSync(folder, 0o755);
  writeFileSync(join(folder, 'odd'), odd, { mode: 0o755 });
  sshd = await startSshd({
    profile: 'echo "Have a nice day"; echo "profile: a warning" >&2\n',
    users: [
      { name: 'bashful', uid: 20_001, shell: '/bin/bash' },
      { name: 'odd', uid: 20_002, shell: join(folder, 'odd') },
      { name: 'nologin', uid: 20_003, shell: '/usr/sbin/nologin' },
      { name: 'forced', uid: 20_004 },
      { name: 'stuck', uid: 20_005 },
    ],
    config: [
      'Match User forced',
      'ForceCommand echo "backups only"; exit 7',
      'Match User stuck',
      'ForceCommand sleep 20',
    ],
  });
});
afterAll(async () => {
  await sshd.stop();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(() => {
  ({ pool } = poolThatSees({ readyTimeoutMs: 100_000 }));
});
afterEach(() => pool.close());

const as = async (username: string) => targetOf(sshd, 'ed25519', { id: username, username });

it.each(['root', 'bashful', 'odd'])(
  'runs a script as %s, without the output of the profile',
  async (username) => {
    const { out, exitCode } = await run(pool, await as(username), 'id -un; exit 5');
    expect([out, exitCode]).toEqual([`${username}\n`, 5]);
  },
);

it.each(['bashful', 'odd'])('ends the processes of %s, although it is not root', async (username) => {
  const mark = `${Math.floor(1e6 + Math.random() * 1e6)}`;
  const work = run(pool, await as(username), `sleep ${mark} & sleep ${mark}`, { timeoutMs: 5000 });
  await until(() => processesNaming(`sleep ${mark}`).length === 2);
  expect(await work).toMatchObject({ timedOut: true, mayStillRun: false });
  await until(() => processesNaming(`sleep ${mark}`).length === 0);
});

it('says that an account does not run commands', async () => {
  expect(await rejection(run(pool, await as('nologin'), 'id'))).toMatchObject({
    code: 'channelRefused',
    msg: expect.stringMatching(
      /nologin on 127\.0\.0\.1 was accepted but does not run commands: it said ".*not available.*", exit code 1/,
    ),
  });
});

it('says that an account runs only one command', async () => {
  expect(await rejection(run(pool, await as('forced'), 'id'))).toMatchObject({
    code: 'channelRefused',
    msg: expect.stringContaining('it said "backups only", exit code 7'),
  });
});

it("says so even if the account's command ended before its start was noticed", async () => {
  // Everything that the server sends before a pause arrives in one piece.
  const gathering = createServer((client) => {
    const server = connect({ host: sshd.host, port: sshd.port });
    const pieces: Buffer[] = [];
    let silence: NodeJS.Timeout | undefined;
    const pass = (): void => void client.write(Buffer.concat(pieces.splice(0)));
    server.on('data', (bytes: Buffer) => {
      pieces.push(bytes);
      clearTimeout(silence);
      silence = setTimeout(pass, 100);
    });
    client.on('error', () => server.destroy()).on('close', () => server.destroy());
    client.pipe(server.on('error', () => client.destroy()));
  }).listen(0, '127.0.0.1');
  await once(gathering, 'listening');
  const { port } = gathering.address() as AddressInfo;
  expect(await rejection(run(pool, { ...(await as('forced')), port }, 'id'))).toMatchObject({
    code: 'channelRefused',
    msg: expect.stringContaining('it said "backups only", exit code 7'),
  });
  await pool.close();
  gathering.close();
});

it('says that a login shell does not become ready', async () => {
  const { pool: hasty } = poolThatSees({ readyTimeoutMs: 10_000 });
  expect(await rejection(run(hasty, await as('stuck'), 'id'))).toMatchObject({
    code: 'timeout',
    msg: expect.stringContaining('its login shell was not ready within 10 s'),
  });
  await hasty.close();
});
