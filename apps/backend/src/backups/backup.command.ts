/** `backup create | list | verify ARCHIVE | key FILE`. Also works while a back end is running. */
import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { generateX25519Identity, identityToRecipient } from 'age-encryption';
import { v7 as uuidv7 } from 'uuid';
import { openLog } from '../platform/boot';
import { Interrupted, parsed, telling, UsageError, type Command, type CommandContext } from '../platform/cli';
import { makeFile } from '../platform/database';
import { Decisions } from '../platform/decisions';
import { DomainError } from '../platform/errors';
import { ownMeta } from '../platform/sessions';
import { ArchiveRefused, type Head } from './archive/head';
import { recipientProblem, type Lock } from './archive/age';
import { checkParts, openArchive, type Archive } from './archive/read';
import { recipientsOf } from './before-migration';
import { archivesIn, chainOf, continuable, nameAt, newestChain, removeForgotten } from './folder';
import { judgeSigner } from './own-log';
import { reserveOf } from './room';
import { passphraseIn } from './secrets';
import { CannotTake, takeBackup } from './take';
import { archivesInBucket, asLocalFile, isBucketUrl, readBucketUrl } from './targets/bucket-from-env';
import { targetName } from './targets/open-target';
import { askConsole } from './work/ask-console';
import { BackupBook } from './work/backup-book';
import { factsOf } from './work/take-one';

const MB = 1_000_000;

const progressInWords = ({ part, bytes }: { part: string; bytes: number }): string =>
  `taking part ${part}: ${(bytes / MB).toFixed(1)} MB so far`;

export const archiveInWords = ({ base, takenAt, bytes, log }: Head): string => {
  const kind = base === null ? 'full' : 'increment';
  const range = `positions ${log.after.position} to ${log.end.position}`;
  return `${takenAt}  ${kind}  ${(bytes / MB).toFixed(1)} MB  ${range}  ${log.events} events`;
};

/** Reports file system errors in one line. */
export const inFolder = async <T>(folder: string, work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    const { code, syscall, message } = error as NodeJS.ErrnoException;
    if (
      typeof code === 'string' &&
      syscall !== undefined &&
      /^E[A-Z]+$/.test(code) &&
      !/CONN|ADDR/.test(code)
    )
      throw new ArchiveRefused(`${folder}: ${message}`, { cause: error });
    throw error;
  }
};

interface BackupOptions {
  folder: string;
  /** Undefined: the recipients of the plan. */
  lock: Lock | undefined;
  full: boolean;
  keyPassphrase: string | undefined;
}

/**
 * Records an archive in the target folder of the plan, so it is listed, drilled and continued like the archives that
 * the console takes. It remains unrecorded while another backup or a drill is running.
 */
const record = async (archive: Archive, durationMs: number, context: CommandContext): Promise<void> => {
  const { head, file } = archive;
  const { config, logger, tables } = context;
  // Opened only after the archive was taken: opening a log for writing migrates it to the schema of this version.
  const log = await openLog({ config, logger, tables });
  try {
    const book = new BackupBook(new Decisions(log.store));
    const place = targetName((await book.state()).plan.target, config.DATA_DIR);
    if (place !== path.dirname(file)) return;
    await book.request({ work: head.id, why: 'operator', full: head.base === null }, ownMeta('cli', '-'));
    await book.end({ type: 'BackupTaken', data: { ...factsOf(archive, { name: place }), durationMs } });
  } catch (error) {
    if (!(error instanceof DomainError && error.code === 'conflict')) throw error;
  } finally {
    await log.close();
  }
};

const take = async (wanted: BackupOptions, context: CommandContext): Promise<Archive> => {
  const { config, logger, tables, print } = context;
  const log = await openLog({ config, logger, tables }, true);
  try {
    return await inFolder(wanted.folder, async () => {
      const { folder, keyPassphrase } = wanted;
      const lock = wanted.lock ?? { recipients: await recipientsOf(log) };
      fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
      await removeForgotten(folder);
      const { archives } = await archivesIn(folder);
      const { id: masterKey } = await log.vault.current();
      const alike = continuable(archives, log.store, lock, masterKey);
      const base = wanted.full ? undefined : newestChain(alike).at(-1);
      const [id, takenAt] = [uuidv7(), new Date().toISOString()];
      const elsewhere = config.EVENT_STORE_URL !== undefined;
      const file = path.join(folder, nameAt(takenAt, id));
      const taking = {
        log,
        tables,
        elsewhere,
        file,
        lock,
        base,
        keyPassphrase,
        takenAt,
        id,
        tell: telling(context, progressInWords),
      };
      const reserve = reserveOf(config);
      const archive = await context.interruptible((signal) => takeBackup({ ...taking, reserve, signal }));
      const { head } = archive;
      print(`${file}  ${archiveInWords(head)}`);
      print(`restoring it needs master key ${head.masterKey}${keyPassphrase ? ', which is in it' : ''}`);
      return archive;
    });
  } finally {
    await log.close();
  }
};

/** @returns the address of the archive */
const takeToBucket = async (
  { to, full }: { to: string; full: boolean },
  context: CommandContext,
): Promise<string> => {
  const { config, logger, tables, print } = context;
  const log = await openLog({ config, logger, tables });
  try {
    const tell = telling(context, progressInWords);
    const { name, base, bytes } = await context.interruptible((signal) =>
      askConsole({ log, to, full, tell, signal }),
    );
    print(`${name}  ${base === null ? 'full' : 'increment'}  ${(bytes / MB).toFixed(1)} MB`);
    return `${to.replace(/\/$/, '')}/${name}`;
  } finally {
    await log.close();
  }
};

const list = async (where: string, { print }: CommandContext): Promise<number> => {
  const { archives, refused } = isBucketUrl(where)
    ? await archivesInBucket(where)
    : await inFolder(where, () => archivesIn(where));
  const place = isBucketUrl(where) ? `s3://${readBucketUrl(where).bucket}/` : '';
  for (const { file, head } of archives) print(`${place}${file}  ${archiveInWords(head)}`);
  for (const problem of refused) print(problem);
  return refused.length > 0 ? 1 : 0;
};

const verify = async (file: string, key: string | undefined, context: CommandContext): Promise<number> => {
  const { print } = context;
  const chain = await inFolder(file, async () => {
    const archives = await chainOf(await openArchive(file));
    for (const archive of archives) await checkParts(archive);
    return archives;
  });
  for (const archive of chain) print(`${archive.file}  ${archiveInWords(archive.head)}`);
  const { head } = chain.at(-1)!;
  // The archives of a chain have the same signer.
  print(`every byte is what was written, ${await judgeSigner(head, file, context, key)}`);
  print(`restoring it needs master key ${head.masterKey}`);
  return 0;
};

const makeKey = async (file: string, { print }: CommandContext): Promise<number> => {
  const identity = await generateX25519Identity();
  const recipient = await identityToRecipient(identity);
  if (fs.existsSync(file)) throw new ArchiveRefused(`${file}: there is a file of that name already`);
  await inFolder(file, async () => makeFile(file, `# public key: ${recipient}\n${identity}\n`));
  print(recipient);
  return 0;
};

/** @returns undefined for the recipients of the plan */
const lockFrom = (recipients: readonly string[], passphraseFile: string | undefined): Lock | undefined => {
  if (passphraseFile !== undefined) {
    if (recipients.length > 0) throw new UsageError('either --recipient or --passphrase-file is expected');
    return { passphrase: passphraseIn(passphraseFile) };
  }
  const problem = recipients.map(recipientProblem).find((one) => one !== undefined);
  if (problem !== undefined) throw new UsageError(problem);
  return recipients.length > 0 ? { recipients } : undefined;
};

interface CreateOptions {
  to?: string | undefined;
  recipient?: string[] | undefined;
  'passphrase-file'?: string | undefined;
  full?: boolean | undefined;
  'master-key'?: string | undefined;
}

const create = async (options: CreateOptions, context: CommandContext): Promise<number> => {
  const { to, recipient = [], full = false } = options;
  const lock = lockFrom(recipient, options['passphrase-file']);
  const keyFile = options['master-key'];
  const bucket = to !== undefined && isBucketUrl(to) ? to : undefined;
  if (bucket !== undefined && (lock ?? keyFile) !== undefined)
    throw new UsageError('an archive in a bucket is for those whom the plan of the console names');
  if (bucket !== undefined) {
    context.print(await takeToBucket({ to: bucket, full }, context));
    return 0;
  }
  const folder = to === undefined ? ownFolder(context) : path.resolve(to);
  const keyPassphrase = keyFile === undefined ? undefined : passphraseIn(keyFile);
  const began = performance.now();
  const archive = await take({ folder, lock, full, keyPassphrase }, context);
  if (lock === undefined) await record(archive, Math.round(performance.now() - began), context);
  context.print(archive.file);
  return 0;
};

const ownFolder = ({ config }: CommandContext): string => targetName({ kind: 'folder' }, config.DATA_DIR);

const EXPECTED = 'create, list, verify ARCHIVE or key FILE is expected';

export const backupCommand: Command = {
  usage: [
    'backup create [--to FOLDER] [--recipient age1... | --passphrase-file FILE] [--full] [--master-key PASSPHRASE-FILE]',
    '    (default: into DATA_DIR/backups, for those who open the archives of the plan; prints the path last)',
    'backup create --to s3://BUCKET/PREFIX [--full]    (the bucket of the plan; the running console takes it)',
    'backup list [FOLDER | s3://BUCKET/PREFIX]',
    'backup verify ARCHIVE [--key KEY]    (the key of the log that must have signed; default: of this console)',
    '    (an ARCHIVE may be s3://BUCKET/PREFIX/NAME: address and keys as AWS_ENDPOINT_URL, AWS_REGION, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY)',
    'backup key FILE    (makes an age identity, and prints the recipient to give with --recipient)',
  ],
  run: async (args, context) => {
    const { values, positionals } = parsed(() =>
      parseArgs({
        args,
        options: {
          recipient: { type: 'string', multiple: true },
          'passphrase-file': { type: 'string' },
          full: { type: 'boolean' },
          'master-key': { type: 'string' },
          to: { type: 'string' },
          key: { type: 'string' },
        },
        allowPositionals: true,
      }),
    );
    const [action, where, ...more] = positionals;
    if (more.length > 0) throw new UsageError(EXPECTED);
    const { key, ...others } = values;
    const isPlain = Object.keys(others).length === 0;
    if (key !== undefined && action !== 'verify')
      throw new UsageError('--key says whose signature an ARCHIVE has to carry');
    try {
      if (action === 'create' && where === undefined) return await create(others, context);
      if (action === 'list' && isPlain) return await list(where ?? ownFolder(context), context);
      if (where === undefined) throw new UsageError(EXPECTED);
      if (action === 'verify' && isPlain)
        return await asLocalFile(where, context, (file) => verify(file, key, context));
      if (action === 'key' && isPlain) return await makeKey(where, context);
    } catch (error) {
      if (error instanceof Interrupted && action === 'create')
        throw new Interrupted('interrupted; no archive was made');
      if (!(error instanceof ArchiveRefused || error instanceof CannotTake || error instanceof DomainError))
        throw error;
      context.print(error.message);
      return 1;
    }
    throw new UsageError(EXPECTED);
  },
};
