/** `restore ARCHIVE [--up-to POSITION|INSTANT] | restore --release`. */
import { parseArgs } from 'node:util';
import { MoveRefused, WrongLogKey } from '@quarterdeck/log/store';
import { type Config } from '../platform/config';
import { openLog } from '../platform/boot';
import { parsed, telling, UsageError, type Command, type CommandContext } from '../platform/cli';
import { ArchiveRefused } from './archive/head';
import { KeyFile, masterKey } from '../platform/vault';
import type { Key } from './archive/age';
import { checkParts, openArchive, type Archive } from './archive/read';
import { archiveInWords, inFolder } from './backup.command';
import { chainOf } from './folder';
import { ownIdentity } from './own-identity';
import { inWords, neededOf, readUpTo, type UpTo } from './restore/plan';
import { PlaceRefused, restore, tryKey } from './restore/restore';
import { releaseScheduledWork } from './restore/settle';
import { keyFrom, passphraseIn, type KeyFiles } from './secrets';
import { asLocalFile } from './targets/bucket-from-env';

interface RestoreOptions extends KeyFiles {
  file: string;
  upTo: UpTo | undefined;
  keyPassphrase: string | undefined;
}

/**
 * The key that was named or is asked for, and the identity of the available master key: archives of a chain may need
 * different ones.
 */
const keysFor = async (
  { MASTER_KEY, DATA_DIR }: Config,
  archives: readonly Archive[],
  files: KeyFiles,
): Promise<Key[]> => {
  const found = MASTER_KEY ? masterKey(MASTER_KEY) : new KeyFile(DATA_DIR).read();
  const own = found ? [{ identities: [ownIdentity(found.key)] }] : [];
  const isNamed = files.identity !== undefined || files['passphrase-file'] !== undefined;
  const opens = (): Promise<boolean> =>
    tryKey(archives, own).then(
      () => true,
      () => false,
    );
  if (!isNamed && own.length > 0 && (await opens())) return own;
  return [await keyFrom(files), ...own];
};

const putBack = async (wanted: RestoreOptions, context: CommandContext): Promise<number> => {
  const { config, logger, tables, print } = context;
  const { file, upTo, keyPassphrase } = wanted;
  const archives = await inFolder(file, async () => {
    const needed = neededOf(await chainOf(await openArchive(file)), upTo, tables.steps);
    for (const archive of needed) await checkParts(archive);
    return needed;
  });
  const key = await keysFor(config, archives, wanted);
  const tell = telling(context, (what: string) => `restoring: ${what}`);
  const { sessions, links, runs } = await restore({
    config,
    logger,
    tables,
    archives,
    key,
    keyPassphrase,
    upTo,
    tell,
    onBegin: () => {
      for (const archive of archives) print(`${archive.file}  ${archiveInWords(archive.head)}`);
      const where = config.DATABASE_URL ? 'the database of DATABASE_URL' : `DATA_DIR=${config.DATA_DIR}`;
      const log = config.EVENT_STORE_URL ? ', and the event log to EVENT_STORE_URL' : '';
      const end = upTo ? `, up to ${inWords(upTo)}` : '';
      print(`${archives.length} archives are restored to ${where}${log}${end}`);
      print('sessions and links end, runs that were under way are interrupted, scheduled work waits');
    },
  });
  print(`restored. Sessions ended: ${sessions}, links: ${links}, runs interrupted: ${runs}`);
  print('start the console; `npm run sign-in-link -- --workspace NAME` lets you in');
  print(
    'health checks, DNS watch, SSL schedule, alerts and removals wait: see that the old console no longer runs,',
  );
  print('then type `npm run restore -- --release`');
  return 0;
};

const releaseHeld = async ({ config, logger, tables, print }: CommandContext): Promise<number> => {
  const { pool, store, close } = await openLog({ config, logger, tables });
  try {
    const released = await releaseScheduledWork(pool, store);
    print(
      released
        ? 'scheduled work begins within seconds'
        : 'nothing waits: this console was not restored, or was released before',
    );
    return released ? 0 : 1;
  } finally {
    await close();
  }
};

const isRefusal = (error: unknown): error is Error =>
  error instanceof ArchiveRefused ||
  error instanceof PlaceRefused ||
  error instanceof MoveRefused ||
  error instanceof WrongLogKey;

export const restoreCommand: Command = {
  usage: [
    'restore ARCHIVE [--up-to POSITION|INSTANT] [--identity FILE | --passphrase-file FILE] [--master-key PASSPHRASE-FILE]',
    '    (an ARCHIVE may be s3://BUCKET/PREFIX/NAME: address and keys as AWS_ENDPOINT_URL, AWS_REGION, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY)',
    'restore --release    (after a restore: scheduled work begins again)',
  ],
  run: async (args, context) => {
    const { values, positionals } = parsed(() =>
      parseArgs({
        args,
        options: {
          'up-to': { type: 'string' },
          identity: { type: 'string' },
          'passphrase-file': { type: 'string' },
          'master-key': { type: 'string' },
          release: { type: 'boolean' },
        },
        allowPositionals: true,
      }),
    );
    const [file, ...more] = positionals;
    const { release: isRelease, 'up-to': end, 'master-key': keyFile, ...keys } = values;
    if (isRelease && file === undefined && Object.keys(values).length === 1) return releaseHeld(context);
    if (file === undefined || more.length > 0 || isRelease)
      throw new UsageError('an ARCHIVE is expected, or --release');
    const upTo = end === undefined ? undefined : readUpTo(end);
    if (end !== undefined && upTo === undefined)
      throw new UsageError(
        `--up-to ${end} is neither a position nor an instant such as 2026-11-23T08:00:00Z`,
      );
    const keyPassphrase = keyFile === undefined ? undefined : passphraseIn(keyFile);
    try {
      return await asLocalFile(file, context, (local) =>
        putBack({ file: local, upTo, keyPassphrase, ...keys }, context),
      );
    } catch (error) {
      if (!isRefusal(error)) throw error;
      context.print(error.message);
      return 1;
    }
  },
};
