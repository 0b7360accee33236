/** Every way in which a server cannot be reached or used, with real servers, and the messages. covers: SRV-13 */
import { createServer as createHttpServer } from 'node:http';
import { generateKeyPairSync } from 'node:crypto';
import { appendFileSync, readFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { SshFailure, type SshPool } from '../../apps/backend/src/platform/ssh';
import { freePort } from '../../testing/free-port';
import { startSshd, type Sshd } from '../../testing/sshd';
import { poolThatSees, rejection, run, sshdAndPool, targetOf } from './targets';

const peers = sshdAndPool();

const listening = async (server: Server): Promise<{ host: string; port: number }> => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { host: '127.0.0.1', port: (server.address() as AddressInfo).port };
};

const failure = async (
  changes: Parameters<typeof targetOf>[2],
  kind?: Parameters<typeof targetOf>[1],
  through = peers.pool,
): Promise<SshFailure> => {
  const error = await rejection(run(through, await targetOf(peers.sshd, kind, changes), 'echo ran'));
  expect(error).toBeInstanceOf(SshFailure);
  return error as SshFailure;
};

describe('no algorithm in common', () => {
  it.each([
    ['one that this console does not have', 'sntrup761x25519-sha512@openssh.com'],
    ['one for which the server chooses how much work it is', 'diffie-hellman-group-exchange-sha256'],
  ])('says what to allow on a server that only allows %s', async (_what, allowed) => {
    const picky = await startSshd({ config: [`KexAlgorithms ${allowed}`] });
    try {
      const { code, msg } = await failure({ host: picky.host, port: picky.port });
      expect(code).toBe('notSsh');
      expect(msg).toMatch(/no matching key exchange algorithm.*such as KexAlgorithms \+curve25519-sha256\.$/);
    } finally {
      await picky.stop();
    }
  });
});

describe('no SSH server', () => {
  it('says that nothing listens', async () => {
    const port = await freePort();
    const { code, msg } = await failure({ port });
    expect(code).toBe('refused');
    expect(msg).toBe(
      `Nothing listens at 127.0.0.1 port ${port}: the connection was refused. Check host and port, and that sshd runs there.`,
    );
  });

  it('says that the name is unknown', async () => {
    const { code, msg } = await failure({ host: 'no-such-host.invalid' });
    expect(code).toBe('unknownHost');
    expect(msg).toContain('no-such-host.invalid');
  });

  it('says that there is no route to the address', async () => {
    expect((await failure({ host: '255.255.255.255' })).code).toBe('unreachable');
  });

  it('gives up on a server that sends nothing', async () => {
    const silent = createServer();
    const at = await listening(silent);
    const { pool: hasty } = poolThatSees({ readyTimeoutMs: 3000 });
    const { code, msg } = await failure(at, 'ed25519', hasty);
    expect(code).toBe('timeout');
    expect(msg).toContain('accepted the connection but did not complete an SSH greeting within 3 s');
    await hasty.close();
    silent.close();
  });

  it('recognises a web server', async () => {
    const web = createHttpServer((_request, response) => response.end('hello'));
    const { code, msg } = await failure(await listening(web));
    expect(code).toBe('notSsh');
    expect(msg).toContain('it answered "HTTP/1.1 400 Bad Request"');
    web.close();
  });

  it('recognises a server that hangs up at once', async () => {
    const rude = createServer((socket) => socket.destroy());
    const { code, msg } = await failure(await listening(rude));
    expect(code).toBe('notSsh');
    expect(msg).toContain('closed the connection without a greeting');
    rude.close();
  });
});

/** A server of its own with these lines of sshd_config. */
const onServer = async <T>(
  options: Parameters<typeof startSshd>[0],
  work: (sshd: Sshd, pool: SshPool) => Promise<T>,
): Promise<T> => {
  const [own, { pool }] = [await startSshd(options), poolThatSees()];
  try {
    return await work(own, pool);
  } finally {
    await pool.close();
    await own.stop();
  }
};
const refusedBy = (options: Parameters<typeof startSshd>[0], username?: string): Promise<SshFailure> =>
  onServer(options, async (own, pool) => {
    const target = await targetOf(own, 'ed25519', username === undefined ? {} : { username });
    return (await rejection(run(pool, target, 'echo ran'))) as SshFailure;
  });

describe('not admitted', () => {
  it.each([
    [
      'password',
      ['PasswordAuthentication yes'],
      /but also wants a password\. .*AuthenticationMethods publickey/,
    ],
    ['keyboard-interactive', ['KbdInteractiveAuthentication yes', 'UsePAM yes'], /\(keyboard-interactive\)/],
  ])('names the second factor %s of a server that accepted the key', async (method, config, words) => {
    const all = [...config, `AuthenticationMethods publickey,${method}`];
    const { code, msg } = await refusedBy({ config: all });
    expect([code, msg]).toEqual(['authentication', expect.stringMatching(words)]);
    expect(msg).toContain('accepted the key');
  });

  it('shows what PAM says before it closes the connection', async () => {
    const { code, msg } = await refusedBy(
      {
        config: ['UsePAM yes'],
        users: [{ name: 'visitor', uid: 4711 }],
        boot: 'echo "Closed for maintenance until 22:00" > /run/nologin',
      },
      'visitor',
    );
    expect([code, msg]).toEqual([
      'authentication',
      expect.stringContaining('"Closed for maintenance until 22:00"'),
    ]);
  });

  it('shows the banner of a server that refuses the key', () =>
    onServer({ config: ['Banner /etc/debian_version'] }, async (own, pool) => {
      const error = await rejection(run(pool, await targetOf(own, 'stranger'), 'echo ran'));
      const banner = readFileSync('/etc/debian_version', 'utf8').trim();
      expect((error as SshFailure).msg).toMatch(/did not accept the key/);
      expect((error as SshFailure).msg).toContain(`It said: "${banner}"`);
    }));

  it.each([
    ['a user that is not there', { username: 'nobody-here' }, 'ed25519'],
    ['a key that is not authorised', {}, 'stranger'],
  ] as const)('reports %s', async (_name, changes, kind) => {
    const { code, msg } = await failure(changes, kind);
    expect(code).toBe('authentication');
    expect(msg).toContain('did not accept the key for the user');
  });

  it.each([
    ['garbage', { privateKey: 'hello' }, 'badKey'],
    ['a public key', { privateKey: 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5 me@here' }, 'badKey'],
    ['an encrypted key without its passphrase', { passphrase: undefined }, 'passphraseMissing'],
    ['an encrypted key with the wrong one', { passphrase: 'wrong' }, 'passphraseWrong'],
  ])('reports %s before it connects', async (_name, { ...changes }, code) => {
    const target = { ...(await targetOf(peers.sshd, 'encrypted')), port: 1, ...changes };
    if (target.passphrase === undefined) delete target.passphrase;
    expect(
      await rejection(run(peers.pool, target as Awaited<ReturnType<typeof targetOf>>, 'true')),
    ).toMatchObject({
      code,
    });
  });
});

describe('admitted', () => {
  it.each(['rsa-sha2-512', 'rsa-sha2-256'])('with an RSA key where only %s is accepted', (only) =>
    onServer({ config: [`PubkeyAcceptedAlgorithms ${only}`] }, async (own, pool) => {
      expect((await run(pool, await targetOf(own, 'rsa'), 'echo in')).out).toBe('in\n');
    }),
  );

  it.each(['ed25519', 'rsa', 'ecdsa', 'encrypted', 'encryptedRsaPem'] as const)(
    'with a key of kind %s',
    async (kind) => {
      const { pool: patient } = poolThatSees();
      expect((await run(patient, await targetOf(peers.sshd, kind), 'echo in')).out).toBe('in\n');
      await patient.close();
    },
  );

  it.each([
    ['rsa', generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey],
    ['ec', generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey],
    ['ed25519', generateKeyPairSync('ed25519').privateKey],
  ])('with a PKCS#8 key of kind %s', async (kind, key) => {
    const { unlockPrivateKey } = await import('../../apps/backend/src/platform/ssh/private-key');
    const privateKey = key.export({ type: 'pkcs8', format: 'pem' }).toString();
    const unlocked = await unlockPrivateKey(privateKey);
    const line = `${unlocked.type} ${unlocked.getPublicSSH().toString('base64')}\n`;
    appendFileSync(peers.sshd.authorizedKeys, line);
    expect(
      (
        await run(
          peers.pool,
          await targetOf(peers.sshd, 'ed25519', { privateKey, keyVersion: kind }),
          'echo in',
        )
      ).out,
    ).toBe('in\n');
  });
});
