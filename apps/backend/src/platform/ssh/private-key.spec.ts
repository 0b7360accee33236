import { execFileSync } from 'node:child_process';
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SshFailure } from './failure';
import { openLockedKey, readPrivateKey, unlockPrivateKey } from './private-key';

const folder = mkdtempSync(join(tmpdir(), 'keys-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let made = 0;
/** A key made by the real ssh-keygen, with ssh-keygen's description of it. */
const keygen = (...args: string[]) => {
  const file = join(folder, `key${(made += 1)}`);
  execFileSync('ssh-keygen', ['-q', '-C', 'someone@somewhere', ...args, '-f', file]);
  const [, fingerprint] = execFileSync('ssh-keygen', ['-lf', `${file}.pub`], { encoding: 'utf8' }).split(' ');
  const publicKey = readFileSync(`${file}.pub`, 'utf8');
  return {
    privateKey: readFileSync(file, 'utf8'),
    publicKey,
    fingerprint,
    algorithm: publicKey.split(' ')[0],
  };
};

describe.each([
  ['ed25519', ['-t', 'ed25519']],
  ['RSA', ['-t', 'rsa', '-b', '2048']],
  ['RSA in PEM', ['-t', 'rsa', '-b', '2048', '-m', 'PEM']],
  ['ECDSA P-256', ['-t', 'ecdsa', '-b', '256']],
  ['ECDSA P-384', ['-t', 'ecdsa', '-b', '384']],
  ['ECDSA P-521 in PEM', ['-t', 'ecdsa', '-b', '521', '-m', 'PEM']],
])('an %s key of ssh-keygen', (_name, args) => {
  it('has the fingerprint that ssh-keygen prints', async () => {
    const { privateKey, fingerprint, algorithm } = keygen(...args, '-N', '');
    expect(await readPrivateKey(privateKey)).toEqual({ fingerprint, algorithm, encrypted: false });
  });

  it('opens with its passphrase, and says what is wrong without it', async () => {
    const { privateKey, fingerprint, algorithm } = keygen(...args, '-N', 'öpen sesame', '-a', '4');
    expect(await readPrivateKey(privateKey, 'öpen sesame')).toEqual({
      fingerprint,
      algorithm,
      encrypted: true,
    });
    await expect(readPrivateKey(privateKey)).rejects.toMatchObject({ code: 'passphraseMissing' });
    await expect(readPrivateKey(privateKey, '')).rejects.toMatchObject({ code: 'passphraseMissing' });
    await expect(readPrivateKey(privateKey, 'open sesame')).rejects.toMatchObject({
      code: 'passphraseWrong',
    });
  });
});

/** The same key in ssh-keygen's own format. */
const byKeygen = (key: KeyObject): string => {
  const file = join(folder, `pkcs8-${(made += 1)}`);
  const pem = key.export({ type: 'pkcs8', format: 'pem' }).toString();
  execFileSync('/bin/sh', ['-c', 'umask 077; cat > "$1"', 'sh', file], { input: pem });
  return execFileSync('ssh-keygen', ['-y', '-f', file], { encoding: 'utf8' });
};

describe.each([
  ['RSA', generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey, 'ssh-rsa'],
  ['ECDSA', generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey, 'ecdsa-sha2-nistp256'],
  ['ed25519', generateKeyPairSync('ed25519').privateKey, 'ssh-ed25519'],
])('a PKCS#8 %s key, as OpenSSL and cloud consoles give it', (name, key, algorithm) => {
  it('can be read, and signs', async () => {
    const pem = key.export({ type: 'pkcs8', format: 'pem' }).toString();
    expect(await readPrivateKey(pem)).toMatchObject({ algorithm, encrypted: false });
    const usable = await unlockPrivateKey(pem);
    const signature = usable.sign('text');
    expect(usable.verify('text', signature)).toBe(true);
  });

  it('opens only with its passphrase', async () => {
    const options = { type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'x y' } as const;
    const pem = key.export(options).toString();
    expect(await readPrivateKey(pem, 'x y')).toMatchObject({ algorithm, encrypted: true });
    await expect(readPrivateKey(pem)).rejects.toMatchObject({ code: 'passphraseMissing' });
    await expect(readPrivateKey(pem, 'y x')).rejects.toMatchObject({ code: 'passphraseWrong' });
  });

  // ssh-keygen itself does not read PKCS#8 of ed25519.
  if (name === 'ed25519') return;
  it('is the same key that ssh-keygen reads from it', async () => {
    const pem = key.export({ type: 'pkcs8', format: 'pem' }).toString();
    const [, blob] = byKeygen(key).split(' ');
    expect((await unlockPrivateKey(pem)).getPublicSSH().toString('base64')).toBe(blob?.trim());
  });
});

it('writes ed25519 keys that ssh-keygen reads as the same key', async () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const { fingerprint } = await readPrivateKey(
    privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  );
  const point = Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url');
  const blob = Buffer.concat([
    Buffer.from([0, 0, 0, 11]),
    Buffer.from('ssh-ed25519'),
    Buffer.from([0, 0, 0, 32]),
    point,
  ]);
  const line = `ssh-ed25519 ${blob.toString('base64')}`;
  const said = execFileSync('ssh-keygen', ['-lf', '-'], { input: line, encoding: 'utf8' });
  expect(said.split(' ')[1]).toBe(fingerprint);
});

it('accepts a key with Windows line ends, indentation and surrounding text', async () => {
  const { privateKey, fingerprint } = keygen('-t', 'ed25519', '-N', '');
  const pasted = `Here it is:\r\n  ${privateKey.trim().replaceAll('\n', '\r\n  ')}\r\nBye`;
  expect((await readPrivateKey(pasted)).fingerprint).toBe(fingerprint);
});

describe.each([
  ['ed25519', ['-t', 'ed25519', '-N', '']],
  ['locked RSA in PEM', ['-t', 'rsa', '-b', '2048', '-m', 'PEM', '-N', 'sesame']],
])('an %s key that came a long way', (_kind, args) => {
  const { privateKey, fingerprint } = keygen(...args);
  it.each([
    ['on one line', privateKey.replaceAll(/\n+/g, ' ')],
    ['with its line ends written out', privateKey.replaceAll('\n', '\\n')],
    ['as a string of JSON', JSON.stringify(privateKey)],
    ['as a variable of an environment file', `KEY="${privateKey.replaceAll('\n', '\\r\\n')}"`],
    ['quoted in a mail', privateKey.replaceAll(/^/gm, '> > ')],
  ])('is read %s', async (_what, pasted) => {
    expect((await readPrivateKey(pasted, 'sesame')).fingerprint).toBe(fingerprint);
  });
});

it.each([
  'PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none\n',
  'PuTTY-User-Key-File-2: ssh-ed25519\nEncryption: none\n',
])('says how to export a key of PuTTY', async (text) => {
  await expect(readPrivateKey(text)).rejects.toMatchObject({
    code: 'badKey',
    msg: expect.stringMatching(/PuTTYgen.*Export OpenSSH key/),
  });
});

/** As long as the text of a key may be. Nobody has to make one: its numbers are not looked at before it signs. */
const rsaOf = (bits: number): string => {
  const tlv = (tag: number, body: Buffer): Buffer =>
    Buffer.concat([
      Buffer.from([tag, 0x83, body.length >> 16, (body.length >> 8) & 255, body.length & 255]),
      body,
    ]);
  const number = (bytes: number) => tlv(2, Buffer.alloc(bytes, 0x55));
  const [whole, half] = [bits / 8, bits / 16].map(number) as [Buffer, Buffer];
  const parts = [
    tlv(2, Buffer.from([0])),
    whole,
    tlv(2, Buffer.from([1, 0, 1])),
    whole,
    half,
    half,
    half,
    half,
    half,
  ];
  const base64 = tlv(0x30, Buffer.concat(parts)).toString('base64');
  return `-----BEGIN RSA PRIVATE KEY-----\n${base64.replaceAll(/.{64}/g, '$&\n')}\n-----END RSA PRIVATE KEY-----`;
};

it('refuses an RSA key that takes long to sign with, before it signs', async () => {
  await expect(readPrivateKey(rsaOf(40_000))).rejects.toMatchObject({
    code: 'badKey',
    msg: expect.stringMatching(/has 40000 bits/),
  });
});

it('refuses a DSA key, which no server accepts', async () => {
  const { privateKey } = generateKeyPairSync('dsa', { modulusLength: 1024, divisorLength: 160 });
  const pkcs8 = privateKey.export({ type: 'pkcs8', format: 'pem' });
  const pem = execFileSync('openssl', ['pkey', '-traditional'], { input: pkcs8, encoding: 'utf8' });
  for (const text of [pem, pkcs8.toString()])
    await expect(readPrivateKey(text)).rejects.toMatchObject({
      code: 'badKey',
      msg: expect.stringMatching(/DSA/i),
    });
});

/** A key of the real openssl, with these bytes in place of others. */
const opensslKey = (args: string[], was = '', becomes = ''): string => {
  const key = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' });
  const der = execFileSync('openssl', ['pkcs8', '-topk8', '-passout', 'pass:x', '-outform', 'DER', ...args], {
    input: key,
  }).toString('hex');
  expect(der).toContain(was);
  const base64 = Buffer.from(der.replace(was, becomes), 'hex').toString('base64');
  return `-----BEGIN ENCRYPTED PRIVATE KEY-----\n${base64}\n-----END ENCRYPTED PRIVATE KEY-----`;
};

it.each([
  ['PBKDF2', ['-iter', '131072']],
  ['scrypt', ['-scrypt']],
  ['PKCS#12', ['-v1', 'PBE-SHA1-3DES']],
])('opens a PKCS#8 key that is locked with %s', async (_name, args) => {
  expect(await readPrivateKey(opensslKey(args), 'x')).toMatchObject({ algorithm: 'ssh-ed25519' });
});

it.each([
  // 8,388,607 iterations, which would take OpenSSL more than half a minute.
  ['PBKDF2', opensslKey(['-iter', '131072'], '0203020000', '02037fffff')],
  ['PKCS#12', opensslKey(['-v1', 'PBE-SHA1-3DES', '-iter', '131072'], '0203020000', '02037fffff')],
  ['scrypt, in turns', opensslKey(['-scrypt'], '020108020101', '02010802017f')],
])('refuses a PKCS#8 key that demands too much work of %s before it obeys it', async (_name, costly) => {
  const spent = process.cpuUsage();
  const refused = readPrivateKey(costly, 'x');
  await expect(refused).rejects.toMatchObject({ msg: expect.stringMatching(/too long/) });
  expect(process.cpuUsage(spent).user / 1e6).toBeLessThan(5);
});

it('does not open a locked key of a kind whose work it cannot estimate', async () => {
  const unknown = opensslKey(['-scrypt'], '2b06010401da47040b', '2b06010401da47040c');
  await expect(readPrivateKey(unknown, 'x')).rejects.toMatchObject({ code: 'badKey' });
});

it('gives up on a key whose passphrase would take minutes to check, and lets other work continue meanwhile', async () => {
  const { privateKey } = keygen('-t', 'ed25519', '-N', 'x', '-a', '2');
  const lines = privateKey.trim().split('\n');
  const blob = Buffer.from(lines.slice(1, -1).join(''), 'base64');
  // The number of rounds follows the salt, at the end of the bcrypt options.
  const options = blob.indexOf('bcrypt') + 'bcrypt'.length;
  blob.writeUInt32BE(1_000_000, options + 4 + blob.readUInt32BE(options) - 4);
  const costly = [lines[0], blob.toString('base64').replaceAll(/(.{70})/g, '$1\n'), lines.at(-1)].join('\n');
  let ticks = 0;
  const ticking = setInterval(() => (ticks += 1), 20);
  await expect(openLockedKey(costly, 'x', 2000)).rejects.toMatchObject({
    code: 'badKey',
    msg: expect.stringMatching(/too long/),
  });
  clearInterval(ticking);
  // A blocked event loop would tick only once.
  expect(ticks).toBeGreaterThan(3);
});

it('ignores a passphrase that the key does not need', async () => {
  const { privateKey } = keygen('-t', 'ed25519', '-N', '');
  expect((await readPrivateKey(privateKey, 'whatever')).encrypted).toBe(false);
});

describe('text that is not a private key', () => {
  const damaged = (text: string): string => text.replace(/\n[A-Za-z0-9+/]{40}/, '\nAAAA');
  it.each([
    ['garbage', 'hello', /not a private key/],
    ['nothing', '', /not a private key/],
    ['a public key', keygen('-t', 'ed25519', '-N', '').publicKey, /public half/],
    ['a public key in PEM', '-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----', /public half/],
    ['a damaged key', damaged(keygen('-t', 'ed25519', '-N', '').privateKey), /cannot be read/],
    ['a damaged PKCS#8 key', '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----', /damaged/],
    ['half a key', keygen('-t', 'rsa', '-N', '').privateKey.slice(0, 300), /not a private key/],
    [
      'a key for something else',
      generateKeyPairSync('x25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
      /x25519/,
    ],
    ['a certificate', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----', /not a private key/],
  ])('%s is refused with a reason', async (_name, text, words) => {
    await expect(readPrivateKey(text)).rejects.toMatchObject({
      code: 'badKey',
      msg: expect.stringMatching(words),
    });
  });

  it('gives the same error, wherever a key is damaged', async () => {
    const keys = [
      keygen('-t', 'ed25519', '-N', ''),
      keygen('-t', 'ecdsa', '-N', ''),
      keygen('-t', 'rsa', '-b', '2048', '-m', 'PEM', '-N', ''),
    ];
    const asFailure = async (text: string): Promise<unknown> => {
      try {
        return await readPrivateKey(text);
      } catch (error) {
        return error instanceof SshFailure ? 'failure' : error;
      }
    };
    for (const { privateKey } of keys) {
      const lines = privateKey.split('\n');
      for (let at = lines[0]!.length + 1; at < privateKey.length - 40; at += 11) {
        for (const damage of ['', 'A', '////', '\n']) {
          const outcome = await asFailure(privateKey.slice(0, at) + damage + privateKey.slice(at + 1));
          // Some damage affects only the comment; then the key is still good.
          expect(
            outcome === 'failure' || typeof (outcome as { fingerprint?: string }).fingerprint === 'string',
          ).toBe(true);
        }
      }
    }
  });
});

it('names a cipher that it cannot read, with the way out', async () => {
  const { privateKey } = keygen('-t', 'ed25519', '-N', 'secret', '-Z', 'chacha20-poly1305@openssh.com');
  await expect(readPrivateKey(privateKey, 'secret')).rejects.toMatchObject({
    msg: expect.stringMatching(/encrypted with chacha20-poly1305@openssh\.com, which .* ssh-keygen -p -Z/),
  });
});

it('quotes no bytes of a damaged key that are no letters', async () => {
  const { privateKey } = keygen('-t', 'ed25519', '-N', '');
  await expect(readPrivateKey(privateKey.replaceAll('\n', '<br>'))).rejects.toMatchObject({
    msg: expect.stringMatching(/^This private key cannot be read \([ -~]+\)\. Paste/),
  });
});
