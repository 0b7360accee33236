import { execFile } from 'node:child_process';
import { appendFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

export const keyKinds = ['ed25519', 'rsa', 'ecdsa', 'encrypted', 'encryptedRsaPem', 'stranger'] as const;
/** `stranger` is a valid key that the server does not accept. */
export type KeyKind = (typeof keyKinds)[number];

export interface UserKey {
  privateKey: string;
  publicKey: string;
  passphrase?: string;
  /** In the format of `ssh-keygen -l`. */
  fingerprint: string;
}

const passphrase = 'correct horse battery';
const making: Record<KeyKind, string[]> = {
  ed25519: ['-t', 'ed25519', '-N', ''],
  rsa: ['-t', 'rsa', '-b', '3072', '-N', ''],
  ecdsa: ['-t', 'ecdsa', '-b', '256', '-N', ''],
  encrypted: ['-t', 'ed25519', '-N', passphrase],
  encryptedRsaPem: ['-t', 'rsa', '-b', '2048', '-m', 'PEM', '-N', passphrase],
  stranger: ['-t', 'ed25519', '-N', ''],
};

export const fingerprintOfFile = async (file: string): Promise<string> => {
  const { stdout } = await run('ssh-keygen', ['-lf', file]);
  const fingerprint = stdout.split(' ')[1];
  if (!fingerprint) throw new Error(`ssh-keygen said: ${stdout}`);
  return fingerprint;
};

export const makeKey = async (file: string, args: string[]): Promise<void> => {
  await run('ssh-keygen', ['-q', '-C', 'a-key-for-tests', ...args, '-f', file]);
};

/** Creates key pairs on first use, and authorizes all but the stranger. */
export class UserKeys {
  private readonly made = new Map<KeyKind, Promise<UserKey>>();

  constructor(
    private readonly folder: string,
    readonly authorizedKeys: string,
  ) {}

  of(kind: KeyKind): Promise<UserKey> {
    const key = this.made.get(kind) ?? this.make(kind);
    this.made.set(kind, key);
    return key;
  }

  private async make(kind: KeyKind): Promise<UserKey> {
    const file = join(this.folder, `user_${kind}`);
    await makeKey(file, making[kind]);
    const publicKey = await readFile(`${file}.pub`, 'utf8');
    if (kind !== 'stranger') await appendFile(this.authorizedKeys, publicKey);
    return {
      privateKey: await readFile(file, 'utf8'),
      publicKey,
      fingerprint: await fingerprintOfFile(`${file}.pub`),
      ...(kind.startsWith('encrypted') ? { passphrase } : {}),
    };
  }
}
