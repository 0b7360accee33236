import { createPrivateKey, type KeyObject } from 'node:crypto';
import ssh2, { type ParsedKey } from 'ssh2';
import { SshFailure } from './failure';
import { fingerprintOf } from './host-key';
import { openLockedKey } from './locked-key';
import { openSshEd25519 } from './openssh-key-format';

export interface PrivateKeyFacts {
  /** Of the public key, as printed by `ssh-keygen -l`. */
  fingerprint: string;
  algorithm: string;
  encrypted: boolean;
}

const passphraseMissing = () =>
  new SshFailure('passphraseMissing', 'This private key is encrypted. Enter its passphrase as well.');
const passphraseWrong = () =>
  new SshFailure(
    'passphraseWrong',
    'The passphrase does not open this private key. Check it and enter it again.',
  );
const badKey = (why: string, cause?: unknown) =>
  new SshFailure('badKey', `${why} Paste the whole private key, from its BEGIN line to its END line.`, {
    cause,
  });

const looksPublic = (text: string): boolean =>
  /^(ssh-(rsa|dss|ed25519)|ecdsa-sha2-\S+|sk-\S+) AAAA/m.test(text) ||
  /-----BEGIN (RSA )?PUBLIC KEY-----|---- BEGIN SSH2 PUBLIC KEY/.test(text);

/** From the first BEGIN line to its END line. One pattern for both would search the text anew for each BEGIN. */
const pemBlock = (text: string): string | undefined => {
  const begin = /-----BEGIN ([A-Z0-9 ]{0,30}PRIVATE KEY)-----/.exec(text);
  if (!begin) return undefined;
  const end = `-----END ${begin[1]}-----`;
  const at = text.indexOf(end, begin.index + begin[0].length);
  return at < 0 ? undefined : text.slice(begin.index, at + end.length);
};

/** Removes indentation, Windows line ends and surrounding text from a pasted key, which the parser does not accept. */
const keyBlock = (text: string): string => {
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/);
  const trimmed = lines
    .map((line) => line.trim())
    .join('\n')
    .trim();
  const block = pemBlock(trimmed);
  if (block !== undefined) return block;
  if (looksPublic(trimmed))
    throw badKey('This is the public half of a key pair; the private half is needed here.');
  if (trimmed.startsWith('PuTTY-User-Key-File-')) return trimmed;
  throw badKey('This is not a private key.');
};

const isPkcs8 = (block: string): boolean => /^-----BEGIN (ENCRYPTED )?PRIVATE KEY-----/.test(block);

const openSshMagic = 'openssh-key-v1\0';

const isEncrypted = (block: string): boolean => {
  if (block.startsWith('-----BEGIN ENCRYPTED')) return true;
  if (/^Proc-Type: 4,ENCRYPTED$/m.test(block)) return true;
  if (block.startsWith('PuTTY')) return !/^Encryption: none$/m.test(block);
  if (!block.startsWith('-----BEGIN OPENSSH')) return false;
  const blob = Buffer.from(block.split('\n').slice(1, -1).join(''), 'base64');
  const cipherAt = openSshMagic.length;
  const sound = blob.length > cipherAt + 8 && blob.toString('latin1', 0, cipherAt) === openSshMagic;
  return sound && blob.toString('latin1', cipherAt + 4, cipherAt + 8) !== 'none';
};

const readPkcs8 = (block: string, passphrase: string | undefined): KeyObject => {
  const encrypted = isEncrypted(block);
  try {
    return createPrivateKey({ key: block, format: 'pem', ...(encrypted ? { passphrase } : {}) });
  } catch (error) {
    if (encrypted) throw passphraseWrong();
    throw badKey('This private key is damaged or of an unknown kind.', error);
  }
};

/** ssh2 does not accept PKCS#8, the format of OpenSSL and cloud consoles. */
const fromPkcs8 = (key: KeyObject): string => {
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

/** The parser returns an error for most damage, and throws for some. */
const parse = (key: string, passphrase: string | undefined): ParsedKey | ParsedKey[] | Error => {
  try {
    return ssh2.utils.parseKey(key, passphrase);
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
};

/** With a wrong passphrase the parser reads garbage, and reports that in several ways. */
const unreadable = (why: string, encrypted: boolean): SshFailure =>
  encrypted && /passphrase|integrity|Malformed|decrypt/i.test(why)
    ? passphraseWrong()
    : badKey(`This private key cannot be read (${why}).`);

const usableForm = async (
  block: string,
  encrypted: boolean,
  passphrase: string | undefined,
): Promise<string> => {
  if (!block.startsWith('-----BEGIN OPENSSH') || !encrypted || !passphrase) return block;
  const answer = await openLockedKey(block, passphrase);
  if ('error' in answer) throw unreadable(answer.error, encrypted);
  return answer.pem;
};

const unlock = async (
  text: string,
  passphrase: string | undefined,
): Promise<{ key: ParsedKey; encrypted: boolean }> => {
  const block = keyBlock(text);
  const encrypted = isEncrypted(block);
  if (encrypted && !passphrase) throw passphraseMissing();
  const opened = await usableForm(block, encrypted, passphrase);
  const usable = isPkcs8(opened) ? fromPkcs8(readPkcs8(opened, passphrase)).trim() : opened.trim();
  const parsed = parse(usable, encrypted ? passphrase : undefined);
  if (parsed instanceof Error) throw unreadable(parsed.message, encrypted);
  const key = Array.isArray(parsed) ? parsed[0] : parsed;
  if (!key?.isPrivateKey()) throw badKey('This holds no private key.');
  return { key, encrypted };
};

/** The key, ready to sign with. It is kept only in memory. */
export const unlockPrivateKey = async (text: string, passphrase?: string): Promise<ParsedKey> =>
  (await unlock(text, passphrase)).key;

/** Public facts about a private key. Rejects with `SshFailure` if it is not one, or is locked. */
export const readPrivateKey = async (text: string, passphrase?: string): Promise<PrivateKeyFacts> => {
  const { key, encrypted } = await unlock(text, passphrase);
  return { fingerprint: fingerprintOf(key.getPublicSSH()), algorithm: key.type, encrypted };
};
