/** A console with some data, and its restore into another database, both in this process. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { generateX25519Identity, identityToRecipient } from 'age-encryption';
import { readConfig } from '../../apps/backend/src/platform/config';
import { createLogger } from '../../apps/backend/src/platform/logging';
import { openArchive, type Archive } from '../../apps/backend/src/backups/archive/read';
import { chainOf } from '../../apps/backend/src/backups/folder';
import { neededOf, readUpTo } from '../../apps/backend/src/backups/restore/plan';
import { restore, type Restoring } from '../../apps/backend/src/backups/restore/restore';
import { takeBackup } from '../../apps/backend/src/backups/take';
import { MASTER_KEY, startBackend, type RunningBackend } from '../../testing/backend';
import { tables } from '../../apps/backend/src/tables';

export interface Backups {
  folder: string;
  identity: string;
  recipient: string;
  take(of: RunningBackend, more?: { base?: Archive; keyPassphrase?: string }): Promise<Archive>;
  /** Restores into an empty database. */
  restore(archive: Archive, databaseUrl: string, more?: RestoreOptions): ReturnType<typeof restore>;
  end(): void;
}

interface RestoreOptions extends Partial<Pick<Restoring, 'key'>> {
  upTo?: string;
  env?: Record<string, string>;
}

export const openBackups = async (): Promise<Backups> => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'quarterdeck-backups-'));
  const identity = await generateX25519Identity();
  const recipient = await identityToRecipient(identity);
  let count = 0;
  return {
    folder,
    identity,
    recipient,
    take: ({ resources }, more = {}) =>
      takeBackup({
        log: resources,
        tables,
        elsewhere: resources.config.EVENT_STORE_URL !== undefined,
        file: path.join(folder, `${++count}.backup`),
        lock: { recipients: [recipient] },
        takenAt: new Date().toISOString(),
        ...more,
      }),
    restore: async (
      { file },
      databaseUrl,
      { upTo: end, env = {}, key = { identities: [identity] } } = {},
    ) => {
      const upTo = end === undefined ? undefined : readUpTo(end);
      const archives = neededOf(await chainOf(await openArchive(file)), upTo, tables.steps);
      const dataDir = path.join(folder, 'data');
      const config = readConfig({ DATA_DIR: dataDir, DATABASE_URL: databaseUrl, MASTER_KEY, ...env });
      const logger = createLogger('silent');
      return restore({ config, logger, tables, archives, key, upTo, tell: () => undefined });
    },
    end: () => fs.rmSync(folder, { recursive: true, force: true }),
  };
};

/** Starts a back end on a restored database. */
export const onRestored = (databaseUrl: string, env: Record<string, string> = {}): Promise<RunningBackend> =>
  startBackend({ databaseUrl, env });
