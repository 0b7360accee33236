/** Where the master key comes from: the environment, or a file of DATA_DIR made at the first start. */
import { createHash, randomBytes } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

export interface MasterKey {
  /** Names the key without giving it away. */
  id: string;
  key: Buffer;
}

export interface MasterKeySource {
  /** The key as it stands there now. */
  read(): MasterKey;
  /** The key of that id, if a rotation left it behind on its way: it is then put in its place. */
  following(id: string): MasterKey | undefined;
}

/** 64 hexadecimal digits or base64, of 32 bytes. */
export const masterKey = (text: string): MasterKey => {
  const key = /^[0-9a-f]{64}$/i.test(text) ? Buffer.from(text, 'hex') : Buffer.from(text, 'base64');
  if (key.length !== 32) throw new Error('a master key has 32 bytes');
  return {
    id: createHash('sha256').update('quarterdeck master key').update(key).digest('hex').slice(0, 16),
    key,
  };
};

export const newMasterKey = (): string => randomBytes(32).toString('base64');

export const keyFromEnvironment = (text: string): MasterKeySource => ({
  read: () => masterKey(text),
  following: () => undefined,
});

const write = (file: string, text: string): void => {
  writeFileSync(file, `${text}\n`, { mode: 0o600 });
  chmodSync(file, 0o600);
};

const readKey = (file: string): MasterKey => {
  try {
    return masterKey(readFileSync(file, 'utf8').trim());
  } catch (error) {
    throw new Error(`the master key in ${file} cannot be read`, { cause: error });
  }
};

export class KeyFile implements MasterKeySource {
  private readonly file: string;
  private readonly next: string;

  constructor(dataDir: string) {
    mkdirSync(dataDir, { recursive: true });
    this.file = join(dataDir, 'master.key');
    this.next = join(dataDir, 'master.key.next');
  }

  read(): MasterKey {
    if (!existsSync(this.file)) this.make();
    return readKey(this.file);
  }

  following(id: string): MasterKey | undefined {
    if (!existsSync(this.next)) return undefined;
    const key = readKey(this.next);
    if (key.id !== id) return undefined;
    renameSync(this.next, this.file);
    return key;
  }

  /** Written before the vault changes, put in place after: whichever instant a crash picks, one of the two fits. */
  prepare(text: string): MasterKey {
    write(this.next, text);
    return readKey(this.next);
  }

  /** Linked, not written: of two processes that start together one makes the key and the other reads it. */
  private make(): void {
    const draft = `${this.file}.${process.pid}`;
    write(draft, newMasterKey());
    try {
      linkSync(draft, this.file);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    } finally {
      rmSync(draft, { force: true });
    }
  }
}
