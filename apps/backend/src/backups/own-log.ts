/** The log of the console at this place, to tell its archives from those of strangers. */
import fs from 'node:fs';
import path from 'node:path';
import { openDatabase, openLogIn, type Program } from '../platform/boot';
import { isOfLog } from './folder';
import { ArchiveRefused, type Head } from './archive/head';

interface OwnLog {
  id: string;
  publicKey: string;
}

/** Also works beside a running console, and changes nothing. @returns undefined if no console is here */
const ownLog = async (program: Program): Promise<OwnLog | undefined> => {
  const { DATABASE_URL, DATA_DIR } = program.config;
  if (!DATABASE_URL && !fs.existsSync(path.join(DATA_DIR, 'postgres'))) return undefined;
  const database = await openDatabase(program, undefined, () => Promise.resolve());
  try {
    const { rows } = await database.pool.query<{ is: boolean }>(
      `select to_regclass('app.vault_keys') is not null as is`,
    );
    if (!rows[0]?.is) return undefined;
    const log = await openLogIn(database, program, { readOnly: true, asItIs: true });
    const keys = log.store.keys && { id: log.store.keys.id, publicKey: log.store.keys.publicKey };
    await log.store.close();
    return keys;
  } finally {
    await database.close();
  }
};

/**
 * @param key of the log that must have signed; default: the key of the console at this place
 * @returns how the signature was judged, in words
 * @throws ArchiveRefused if another log signed the archive
 */
export const judgeSigner = async (
  { log }: Head,
  file: string,
  program: Program,
  key: string | undefined,
): Promise<string> => {
  const signer = `log ${log.id} with key ${log.publicKey}`;
  if (key !== undefined) {
    if (key === log.publicKey) return `signed by ${signer}, which is the key that was given`;
    throw new ArchiveRefused(`${file}: it is signed by ${signer}, which is not the key that was given`);
  }
  const own = await ownLog(program);
  if (!own)
    return `signed by ${signer}; no console is here to compare with: compare the key, or give it with --key`;
  if (isOfLog({ log }, own)) return `signed by ${signer}, which is the log of this console`;
  throw new ArchiveRefused(
    `${file}: it is signed by ${signer}, and not by this console; if it is of another console, give its key with --key`,
  );
};
