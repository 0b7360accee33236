/** covers: SRV-13 */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { SshFailure } from '../../apps/backend/src/platform/ssh';
import { startSshd, type Sshd } from '../../testing/sshd';
import { startTcpProxy } from '../../testing/tcp-proxy';
import { poolThatSees, rejection, run, targetOf } from './targets';
import { pause, until } from '../../testing/patience';

let sshd: Sshd;
beforeEach(async () => {
  sshd = await startSshd();
});
afterEach(() => sshd.stop());

it('reports the key of the first contact as ssh-keygen prints it, once', async () => {
  const { pool, seen } = poolThatSees();
  const target = await targetOf(sshd);
  expect(await pool.contact(target)).toEqual({
    hostKey: sshd.hostKey,
    first: true,
    software: expect.stringMatching(/^OpenSSH_/),
  });
  expect(seen).toEqual([{ key: sshd.hostKey, what: 'first' }]);
  // A caller that has not read the pin yet does not allow a second first contact.
  expect((await pool.contact(target)).first).toBe(false);
  await run(pool, target, 'true');
  expect(seen).toHaveLength(1);
  await pool.close();
});

it('sends nothing but the key exchange before the first key is recorded', async () => {
  const proxy = await startTcpProxy(sshd);
  let record: (() => void) | undefined;
  const { pool } = poolThatSees({
    onHostKey: () =>
      new Promise<void>((resolve) => {
        record = resolve;
      }),
    readyTimeoutMs: 5000,
  });
  const work = run(pool, await targetOf(sshd, 'ed25519', { host: proxy.host, port: proxy.port }), 'echo ran');
  await until(() => record !== undefined);
  const sentForTheKeyExchange = proxy.sent;
  // Longer than the time-out: a slow log is not the host's fault.
  await pause(5200);
  expect(proxy.sent).toBe(sentForTheKeyExchange);
  record?.();
  expect((await work).out).toBe('ran\n');
  expect(proxy.sent).toBeGreaterThan(sentForTheKeyExchange);
  await pool.close();
  await proxy.stop();
});

it('refuses a host whose first key cannot be recorded, and asks again the next time', async () => {
  const logDown = new Error('the log cannot be written');
  let down = true;
  const { pool } = poolThatSees({
    onHostKey: async () => {
      if (down) throw logDown;
    },
  });
  const target = await targetOf(sshd);
  const file = `${sshd.folder}/ran`;
  expect(await rejection(run(pool, target, 'touch "$1"', { args: [file] }))).toBe(logDown);
  down = false;
  expect((await run(pool, target, 'test -e "$1"', { args: [file] })).exitCode).toBe(1);
  await pool.close();
});

it('connects to a pinned host, and reports nothing', async () => {
  const { pool, seen } = poolThatSees();
  const target = await targetOf(sshd, 'ed25519', { hostKey: sshd.hostKey });
  expect((await pool.contact(target)).first).toBe(false);
  expect((await run(pool, target, 'echo in')).out).toBe('in\n');
  expect(seen).toEqual([]);
  await pool.close();
});

it('refuses a changed key, sends it nothing, and accepts it after an admin has', async () => {
  const { pool, seen } = poolThatSees();
  const proxy = await startTcpProxy(sshd);
  const expected = sshd.hostKey;
  const target = await targetOf(sshd, 'ed25519', { host: proxy.host, port: proxy.port, hostKey: expected });
  await run(pool, target, 'true');
  const got = await sshd.swapHostKey();

  const error = await rejection(run(pool, target, 'touch "$1"', { args: [`${sshd.folder}/ran`] }));
  expect(error).toMatchObject({ code: 'hostKeyChanged', expected, got });
  expect((error as Error).message).toContain(
    `The server's host key has changed. Nothing was run. Expected ${expected.fingerprint}, got ${got.fingerprint}.`,
  );
  expect(seen).toEqual([{ key: got, what: 'changed' }]);
  expect(await rejection(pool.contact(target))).toMatchObject({ code: 'hostKeyChanged' });

  const accepted = { ...target, hostKey: got };
  expect((await run(pool, accepted, 'ls "$1"', { args: [sshd.folder] })).out).toBe('');
  // The old pin is invalid now, even though a connection is open.
  expect(await rejection(run(pool, target, 'true'))).toMatchObject({ code: 'hostKeyChanged' });
  await pool.close();
  await proxy.stop();
});

it('admits a caller that knows the accepted key, while another still connects with the old one', async () => {
  const { pool } = poolThatSees();
  const target = await targetOf(sshd, 'ed25519', { hostKey: sshd.hostKey });
  const accepted = { ...target, hostKey: await sshd.swapHostKey() };
  const [early, late] = await Promise.all([
    rejection(run(pool, target, 'true')),
    run(pool, accepted, 'echo in'),
  ]);
  expect(early).toMatchObject({ code: 'hostKeyChanged' });
  expect(late.out).toBe('in\n');
  await pool.close();
});

it('reports once that a doubted host shows its pinned key again, and continues even if that cannot be recorded', async () => {
  const { pool, seen } = poolThatSees();
  const pinned = await targetOf(sshd, 'ed25519', { hostKey: sshd.hostKey });
  const doubted = { ...pinned, hostKeyDoubted: true };
  await run(pool, doubted, 'true');
  await run(pool, doubted, 'true');
  expect(seen).toEqual([{ key: sshd.hostKey, what: 'returned' }]);
  await pool.contact(pinned);
  expect(seen).toHaveLength(1);
  await pool.contact(doubted);
  expect(seen).toHaveLength(2);
  await pool.close();

  const down = poolThatSees({ onHostKey: () => Promise.reject(new Error('down')) });
  expect((await run(down.pool, doubted, 'exit 4')).exitCode).toBe(4);
  await down.pool.close();
});

it('does not trust a host that shows the pinned key without proving that it holds it', async () => {
  const impostor = await startSshd();
  const publicKeyOf = ({ log }: Sshd): Buffer => {
    const [, blob = ''] = readFileSync(join(dirname(log), 'host_ed25519_0.pub'), 'utf8').split(' ');
    return Buffer.from(blob, 'base64');
  };
  const [real, own] = [publicKeyOf(sshd), publicKeyOf(impostor)];
  let exchanged = 0;
  // The key is readable in the server's half of the key exchange.
  const between = createServer((client) => {
    const server = connect({ host: impostor.host, port: impostor.port });
    client.on('error', () => server.destroy()).pipe(server);
    server
      .on('error', () => client.destroy())
      .on('data', (bytes: Buffer) => {
        const at = bytes.indexOf(own);
        if (at >= 0) exchanged += real.copy(bytes, at);
        client.write(bytes);
      });
    server.on('close', () => client.destroy());
  }).listen(0, '127.0.0.1');
  await once(between, 'listening');
  const { pool, seen } = poolThatSees();
  try {
    const { port } = between.address() as AddressInfo;
    const target = await targetOf(sshd, 'ed25519', { port, hostKey: sshd.hostKey, hostKeyDoubted: true });
    expect(await rejection(run(pool, target, 'true'))).toBeInstanceOf(SshFailure);
    expect([seen, exchanged]).toEqual([[], real.length]);
  } finally {
    await pool.close();
    between.close();
    await impostor.stop();
  }
});

it('refuses a changed key even if the log is down', async () => {
  const { pool } = poolThatSees({ onHostKey: () => Promise.reject(new Error('down')) });
  const hostKey = { algorithm: 'ssh-ed25519', fingerprint: `SHA256:${'A'.repeat(43)}` };
  const error = await rejection(run(pool, await targetOf(sshd, 'ed25519', { hostKey }), 'true'));
  expect(error).toMatchObject({ code: 'hostKeyChanged' });
  await pool.close();
});

it('asks a host with several keys for the pinned kind', async () => {
  const many = await startSshd({ hostKeys: ['rsa', 'ecdsa', 'ed25519'] });
  const { pool, seen } = poolThatSees();
  const target = await targetOf(many, 'ed25519', { hostKey: many.hostKey });
  expect(many.hostKey.algorithm).toBe('ssh-rsa');
  await run(pool, target, 'true');
  expect(seen).toEqual([]);
  const { hostKey, first } = await pool.contact({ ...(await targetOf(many)), id: 'never-seen' });
  expect([hostKey.algorithm, first]).toEqual(['ssh-ed25519', true]);
  await pool.close();
  await many.stop();
});

it('records one first key if two callers meet a new host at the same time', async () => {
  const { pool, seen } = poolThatSees();
  const target = await targetOf(sshd);
  await Promise.all([
    run(pool, target, 'true'),
    run(pool, { ...target, keyVersion: 'another' }, 'true'),
    pool.contact(target),
  ]);
  expect(seen).toHaveLength(1);
  await pool.close();
});
