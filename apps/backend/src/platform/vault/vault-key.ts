/** Sources of the master key: the environment, or a file in DATA_DIR that the first start creates. */
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFile, moveFile, replaceFile } from '../database';
import { StartProblem, WRONG_ENVIRONMENT, type Setting } from '../start-problem';
import { isMasterKey } from '../master-key';

export interface MasterKey {
  /** Identifies the key without revealing it. */
  id: string;
  key: Buffer;
}

export interface MasterKeySource {
  /** The variable that leads to the key. */
  readonly setting: Setting;
  /** The present key; `undefined` if there is none. */
  read(): MasterKey | undefined;
  /** Creates the key of an installation without secrets. */
  make(): MasterKey;
  /** The key of that id, if an interrupted rotation left it behind. It is then installed. */
  following(id: string): MasterKey | undefined;
}

export const masterKey = (text: string): MasterKey => {
  if (!isMasterKey(text)) throw new Error('a master key has 32 bytes, as 64 hexadecimal digits or as base64');
  const key = /^[0-9a-f]{64}$/i.test(text) ? Buffer.from(text, 'hex') : Buffer.from(text, 'base64');
  return {
    id: createHash('sha256').update('quarterdeck master key').update(key).digest('hex').slice(0, 16),
    key,
  };
};

export const newMasterKey = (): string => randomBytes(32).toString('base64');

export const keyFromEnvironment = (text: string): MasterKeySource => ({
  setting: { variable: 'MASTER_KEY' },
  read: () => masterKey(text),
  make: () => masterKey(text),
  following: () => undefined,
});

/**
 * The key is durable on disk before the vault relies on it: losing the key in a power failure would lose every secret.
 */
export class KeyFile implements MasterKeySource {
  readonly setting: Setting;
  private readonly file: string;
  private readonly next: string;

  constructor(dataDir: string) {
    this.setting = { variable: 'DATA_DIR', value: dataDir };
    this.file = join(dataDir, 'master.key');
    this.next = join(dataDir, 'master.key.next');
  }

  read(): MasterKey | undefined {
    return existsSync(this.file) ? this.readKey(this.file) : undefined;
  }

  make(): MasterKey {
    makeFile(this.file, `${newMasterKey()}\n`);
    return this.readKey(this.file);
  }

  following(id: string): MasterKey | undefined {
    if (!existsSync(this.next)) return undefined;
    const key = this.readKey(this.next);
    if (key.id !== id) return undefined;
    moveFile(this.next, this.file);
    return key;
  }

  /**
   * Written before the vault changes and installed after it: after a crash at any instant, one of the two keys fits.
   */
  prepare(text: string): MasterKey {
    replaceFile(this.next, `${text}\n`);
    return this.readKey(this.next);
  }

  /** @throws StartProblem */
  private readKey(file: string): MasterKey {
    try {
      return masterKey(readFileSync(file, 'utf8').trim());
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      const wrong =
        code === undefined
          ? `has no master key in ${file}: ${message}`
          : `keeps ${file}, which cannot be read: ${message}`;
      const remedy = 'put the file back from a backup, or set MASTER_KEY to the key that it held';
      throw new StartProblem(this.setting, { wrong, remedy, exitCode: WRONG_ENVIRONMENT }, error);
    }
  }
}
