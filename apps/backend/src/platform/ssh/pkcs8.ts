/** PKCS#8, the format of OpenSSL and cloud consoles, which ssh2 does not read. */
import { createPrivateKey, type KeyObject } from 'node:crypto';
import { SshFailure } from './failure';
import { badKey, passphraseWrong } from './key-failures';
import { kdfWork, MAX_KDF_WORK } from './kdf-work';

export const isPkcs8 = (block: string): boolean => /^-----BEGIN (ENCRYPTED )?PRIVATE KEY-----/.test(block);

const blobOf = (block: string): Buffer => Buffer.from(block.split('\n').slice(1, -1).join(''), 'base64');

/** The same key in a form that ssh2 reads, without a passphrase. @throws SshFailure */
export const openPkcs8 = (block: string, passphrase?: string): string => {
  if (passphrase === undefined) return inOtherForm(readPkcs8(block, {}));
  // OpenSSL cannot be interrupted, so the work is estimated before it begins.
  const work = kdfWork(blobOf(block));
  if (work === undefined) throw badKey('This encrypted private key is damaged or of an unknown kind.');
  if (work > MAX_KDF_WORK) throw tooCostly();
  return inOtherForm(readPkcs8(block, { passphrase }));
};

export const tooCostly = () =>
  new SshFailure(
    'badKey',
    'The passphrase of this private key takes too long to check. Make it cheaper: openssl pkcs8 -topk8 -iter 10000, or ssh-keygen -p -a 24 -f <file>.',
  );

const readPkcs8 = (block: string, opening: { passphrase?: string }): KeyObject => {
  try {
    return createPrivateKey({ key: block, format: 'pem', ...opening });
  } catch (error) {
    if (opening.passphrase !== undefined) throw passphraseWrong();
    throw badKey('This private key is damaged or of an unknown kind.', error);
  }
};

const inOtherForm = (key: KeyObject): string => {
  switch (key.asymmetricKeyType) {
    case 'rsa':
      return key.export({ type: 'pkcs1', format: 'pem' }).toString();
    case 'ec':
      return key.export({ type: 'sec1', format: 'pem' }).toString();
    case 'ed25519':
      return openSshEd25519(key);
    default:
      throw badKey(
        `A key of type ${key.asymmetricKeyType} cannot be used for SSH; use ed25519, RSA or ECDSA.`,
      );
  }
};

const uint32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};
const field = (value: string | Buffer): Buffer => {
  const bytes = Buffer.from(value);
  return Buffer.concat([uint32(bytes.length), bytes]);
};

/**
 * Writes an ed25519 key in the OpenSSH format, the only form of it that ssh2 reads (see PROTOCOL.key of OpenSSH). Not
 * encrypted, since it never leaves memory.
 */
const openSshEd25519 = (key: KeyObject): string => {
  const { d, x } = key.export({ format: 'jwk' });
  if (!d || !x) throw new TypeError('not an ed25519 private key');
  const seed = Buffer.from(d, 'base64url');
  const point = Buffer.from(x, 'base64url');
  const publicBlob = Buffer.concat([field('ssh-ed25519'), field(point)]);
  const check = uint32(0);
  const secret = [check, check, publicBlob, field(Buffer.concat([seed, point])), field('')];
  const unpadded = Buffer.concat(secret);
  const padding = Buffer.from(
    Array.from({ length: (8 - (unpadded.length % 8)) % 8 }, (_, index) => index + 1),
  );
  const blob = Buffer.concat([
    Buffer.from('openssh-key-v1\0'),
    field('none'),
    field('none'),
    field(''),
    uint32(1),
    field(publicBlob),
    field(Buffer.concat([unpadded, padding])),
  ]);
  const lines = blob.toString('base64').match(/.{1,70}/g) ?? [];
  return ['-----BEGIN OPENSSH PRIVATE KEY-----', ...lines, '-----END OPENSSH PRIVATE KEY-----', ''].join(
    '\n',
  );
};
