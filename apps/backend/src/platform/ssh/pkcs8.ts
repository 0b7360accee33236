/** PKCS#8, the format of OpenSSL and cloud consoles, which ssh2 does not read. */
import { createPrivateKey, type KeyObject } from 'node:crypto';
import { SshFailure } from './failure';
import { badKey, passphraseWrong } from './key-failures';
import { kdfWork, MAX_KDF_WORK } from './kdf-work';
import { openSshEd25519 } from './openssh-key-format';

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
