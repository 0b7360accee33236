import ssh2, { type ParsedKey } from 'ssh2';
import { SshFailure } from './failure';
import {
  badKey,
  dsaKey,
  longKey,
  passphraseMissing,
  passphraseWrong,
  puttyKey,
  unknownCipher,
} from './key-failures';
import { fingerprintOf } from './host-key';
import { isPkcs8, openPkcs8, tooCostly } from './pkcs8';
import { JobOverran, threads } from '../threads';
import { openKey } from './key.jobs';

export interface PrivateKeyFacts {
  /** Of the public key, as printed by `ssh-keygen -l`. */
  fingerprint: string;
  algorithm: string;
  encrypted: boolean;
}

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

/** A key whose line ends became spaces, with them again. The header of an old PEM file has two words in each line. */
const withLines = (block: string): string => {
  const [, begin = '', inner = '', end = ''] =
    /^(-----BEGIN [A-Z0-9 ]+-----)([^\n]*)(-----END [A-Z0-9 ]+-----)$/.exec(block) ?? [];
  if (begin === '') return block;
  const header = /^\s*(Proc-Type: \S+)\s+(DEK-Info: \S+)\s/.exec(inner);
  const rest = inner.slice(header?.[0].length ?? 0).trim();
  return [begin, ...(header ? [header[1], header[2], ''] : []), ...rest.split(/\s+/), end].join('\n');
};

/**
 * The key in a pasted text. Left out is what mail, environment files and JSON do to it, and the parser does not accept:
 * text around it, indentation, marks of a quotation, line ends of Windows, or written as `\\n`, or lost.
 */
const keyBlock = (text: string): string => {
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\r|\n|\\r\\n|\\n/);
  const trimmed = lines
    .map((line) => line.replace(/^[>\s]+/, '').trim())
    .join('\n')
    .trim();
  const block = pemBlock(trimmed);
  if (block !== undefined) return withLines(block);
  if (looksPublic(trimmed))
    throw badKey('This is the public half of a key pair; the private half is needed here.');
  if (trimmed.startsWith('PuTTY-User-Key-File-')) return trimmed;
  throw badKey('This is not a private key.');
};

const openSshMagic = 'openssh-key-v1\0';

/** The cipher of a key in OpenSSH's format; `undefined` for another format, and for a damaged key. */
const cipherOf = (block: string): string | undefined => {
  if (!block.startsWith('-----BEGIN OPENSSH')) return undefined;
  const blob = Buffer.from(block.split('\n').slice(1, -1).join(''), 'base64');
  const at = openSshMagic.length;
  if (blob.length <= at + 8 || blob.toString('latin1', 0, at) !== openSshMagic) return undefined;
  return blob.toString('latin1', at + 4, at + 4 + Math.min(blob.readUInt32BE(at), 64));
};

const isEncrypted = (block: string): boolean => {
  if (block.startsWith('-----BEGIN ENCRYPTED')) return true;
  if (/^Proc-Type: 4,ENCRYPTED$/m.test(block)) return true;
  if (block.startsWith('PuTTY')) return !/^Encryption: none$/m.test(block);
  return (cipherOf(block) ?? 'none') !== 'none';
};

/** The parser returns an error for most damage, and throws for some. */
const parse = (key: string, passphrase: string | undefined): ParsedKey | ParsedKey[] | Error => {
  try {
    return ssh2.utils.parseKey(key, passphrase);
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
};

/** A signature takes time with the cube of the length: 8,192 bits take 0.1 s, 40,000 half a minute. */
const MAX_BITS = 8192;

/** Length of the modulus of an RSA key, which is the third field of its public half; 0 for another kind. */
const bitsOf = (key: ParsedKey): number => {
  if (key.type !== 'ssh-rsa') return 0;
  const blob = key.getPublicSSH();
  const exponentAt = 4 + blob.readUInt32BE(0);
  const modulusAt = exponentAt + 4 + blob.readUInt32BE(exponentAt);
  return (blob.readUInt32BE(modulusAt) - (blob[modulusAt + 4] === 0 ? 1 : 0)) * 8;
};

/** How the parser speaks of a cipher that it does not know or cannot use. */
const UNREAD_CIPHER = /initialization vector|cipher/i;

/** With a wrong passphrase the parser reads garbage, and reports that in several ways. */
const unreadable = (why: string, block: string): SshFailure => {
  const cipher = isEncrypted(block) ? cipherOf(block) : undefined;
  if (isEncrypted(block) && /passphrase|integrity|Malformed|decrypt/i.test(why)) return passphraseWrong();
  if (cipher !== undefined && UNREAD_CIPHER.test(why)) return unknownCipher(cipher);
  // The parser quotes what it does not know, which may be any bytes.
  return badKey(`This private key cannot be read (${why.replace(/[^ -~]+/g, '?')}).`);
};

/** Kinds whose passphrase takes as much work as the key says. The others take one hash. */
const saysItsWork = (block: string): boolean => isPkcs8(block) || block.startsWith('-----BEGIN OPENSSH');

const usableForm = async (
  block: string,
  encrypted: boolean,
  passphrase: string | undefined,
): Promise<string> => {
  if (!encrypted || !passphrase) return isPkcs8(block) ? openPkcs8(block) : block;
  if (!saysItsWork(block)) return block;
  const opened = await openLockedKey(block, passphrase);
  if ('why' in opened) throw unreadable(opened.why, block);
  return opened.key;
};

const unlock = async (
  text: string,
  passphrase: string | undefined,
): Promise<{ key: ParsedKey; encrypted: boolean }> => {
  const block = keyBlock(text);
  const encrypted = isEncrypted(block);
  if (encrypted && !passphrase) throw passphraseMissing();
  const usable = await usableForm(block, encrypted, passphrase);
  const parsed = parse(usable.trim(), encrypted ? passphrase : undefined);
  if (parsed instanceof Error && block.startsWith('PuTTY')) throw puttyKey();
  if (parsed instanceof Error) throw unreadable(parsed.message, block);
  const key = Array.isArray(parsed) ? parsed[0] : parsed;
  if (!key?.isPrivateKey()) throw badKey('This holds no private key.');
  if (bitsOf(key) > MAX_BITS) throw longKey(bitsOf(key), MAX_BITS);
  return { key, encrypted };
};

/** The key, ready to sign with. It is kept only in memory. */
export const unlockPrivateKey = async (text: string, passphrase?: string): Promise<ParsedKey> =>
  (await unlock(text, passphrase)).key;

/** Public facts about a private key. Rejects with `SshFailure` if it is not one, or is locked. */
export const readPrivateKey = async (text: string, passphrase?: string): Promise<PrivateKeyFacts> => {
  const { key, encrypted } = await unlock(text, passphrase);
  if (key.type === 'ssh-dss') throw dsaKey();
  return { fingerprint: fingerprintOf(key.getPublicSSH()), algorithm: key.type, encrypted };
};

/** Time limit, because the key itself determines how much work its passphrase takes. */
const TIMEOUT_MS = 10_000;

/**
 * Decrypts a key with its passphrase, in a thread.
 * @returns the key in a form that ssh2 reads, or what ssh2 said about it
 * @throws SshFailure
 */
export const openLockedKey = async (
  block: string,
  passphrase: string,
  timeoutMs = TIMEOUT_MS,
): Promise<{ key: string } | { why: string }> => {
  const opened = await threads.run(openKey, { block, passphrase }, { timeoutMs }).catch((error: unknown) => {
    throw error instanceof JobOverran ? tooCostly() : error;
  });
  if ('failure' in opened) throw new SshFailure(opened.failure.code, opened.failure.msg);
  return opened;
};
