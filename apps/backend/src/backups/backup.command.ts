/** `backup create | list | verify ARCHIVE | key FILE | take FOLDER`, also beside a running back end. */
import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { generateX25519Identity, identityToRecipient } from 'age-encryption';
import { openLog } from '../platform/boot';
import { parsed, telling, UsageError, type Command, type CommandContext } from '../platform/cli';
import { makeFile } from '../platform/database';
import { ArchiveRefused, type Head } from './archive/head';
import { recipientProblem, type Lock } from './archive/age';
import { checkParts, openArchive } from './archive/read';
import { recipientsOf } from './before-migration';
import { archivesIn, chainOf, continuable, nameAt, newestChain, removeForgotten } from './folder';
import { reserveOf } from './room';
import { passphraseIn } from './secrets';
import { CannotTake, takeBackup } from './take';
import { targetName } from './targets/open-target';

const MB = 1_000_000;

const progressInWords = ({ part, bytes }: { part: string; bytes: number }): string =>
  `taking part ${part}: ${(bytes / MB).toFixed(1)} MB so far`;

export const archiveInWords = ({ base, takenAt, bytes, log }: Head): string => {
  const kind = base === null ? 'full' : 'increment';
  const range = `positions ${log.after.position} to ${log.end.position}`;
  return `${takenAt}  ${kind}  ${(bytes / MB).toFixed(1)} MB  ${range}  ${log.events} events`;
};

/** What a file system refuses, in one line. */
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

interface Wanted {
  folder: string;
  /** Undefined: that of the plan. */
  lock: Lock | undefined;
  full: boolean;
  keyPassphrase: string | undefined;
}

/** @returns the file */
const take = async (wanted: Wanted, context: CommandContext): Promise<string> => {
  const { config, logger, tables, print } = context;
  const log = await openLog({ config, logger, tables }, true);
  const interrupted = new AbortController();
  const interrupt = (): void => interrupted.abort(new CannotTake('interrupted; no archive was made'));
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt);
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
      const takenAt = new Date().toISOString();
      const elsewhere = config.EVENT_STORE_URL !== undefined;
      const file = path.join(folder, nameAt(takenAt));
      const taking = {
        log,
        tables,
        elsewhere,
        file,
        lock,
        base,
        keyPassphrase,
        takenAt,
        tell: telling(context, progressInWords),
      };
      const reserve = reserveOf(config);
      const { head } = await takeBackup({ ...taking, reserve, signal: interrupted.signal });
      print(`${file}  ${archiveInWords(head)}`);
      print(`restoring it needs master key ${head.masterKey}${keyPassphrase ? ', which is in it' : ''}`);
      return file;
    });
  } finally {
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt);
    await log.close();
  }
};

const list = async (folder: string, { print }: CommandContext): Promise<number> => {
  const { archives, refused } = await inFolder(folder, () => archivesIn(folder));
  for (const { file, head } of archives) print(`${file}  ${archiveInWords(head)}`);
  for (const problem of refused) print(problem);
  return refused.length > 0 ? 1 : 0;
};

const verify = async (file: string, { print }: CommandContext): Promise<number> => {
  const chain = await inFolder(file, async () => {
    const archives = await chainOf(await openArchive(file));
    for (const archive of archives) await checkParts(archive);
    return archives;
  });
  for (const archive of chain) print(`${archive.file}  ${archiveInWords(archive.head)}`);
  const { log, masterKey } = chain.at(-1)!.head;
  print(`every byte is what was written, signed by log ${log.id} with key ${log.publicKey}`);
  print(`restoring it needs master key ${masterKey}`);
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

const lockFrom = (recipients: readonly string[], passphraseFile: string | undefined): Lock => {
  if (passphraseFile !== undefined && recipients.length === 0)
    return { passphrase: passphraseIn(passphraseFile) };
  if (passphraseFile !== undefined)
    throw new UsageError('either --recipient or --passphrase-file is expected');
  if (recipients.length === 0)
    throw new UsageError('--recipient age1... or --passphrase-file FILE is missing');
  const problem = recipients.map(recipientProblem).find((one) => one !== undefined);
  if (problem !== undefined) throw new UsageError(problem);
  return { recipients };
};

const folderIn = (to: string | undefined, dataDir: string): string => {
  if (to?.startsWith('s3://'))
    throw new UsageError(
      `--to ${to}: only the console itself writes to its bucket: name the bucket in its plan and ask there for a backup, or give a folder here`,
    );
  return to === undefined ? targetName({ kind: 'folder' }, dataDir) : path.resolve(to);
};

const EXPECTED = 'create, list, verify ARCHIVE, key FILE or take FOLDER is expected';

export const backupCommand: Command = {
  usage: [
    'backup create [--to FOLDER] [--recipient age1... | --passphrase-file FILE] [--full] [--master-key PASSPHRASE-FILE]',
    '    (default: into DATA_DIR/backups, for those who open the archives of the plan; prints the path last)',
    'backup take FOLDER --recipient age1... [--recipient age1...] [--full] [--master-key PASSPHRASE-FILE]',
    'backup take FOLDER --passphrase-file FILE [--full] [--master-key PASSPHRASE-FILE]',
    'backup list [FOLDER]',
    'backup verify ARCHIVE',
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
        },
        allowPositionals: true,
      }),
    );
    const [action, where, ...more] = positionals;
    if (more.length > 0) throw new UsageError(EXPECTED);
    const { DATA_DIR } = context.config;
    const isPlain = Object.keys(values).length === 0;
    try {
      const isCreate = action === 'create' && where === undefined;
      if (isCreate || (action === 'take' && where !== undefined && values.to === undefined)) {
        const { recipient = [], full = false, 'master-key': keyFile, 'passphrase-file': lockFile } = values;
        const folder = folderIn(where ?? values.to, DATA_DIR);
        const isOfPlan = isCreate && recipient.length === 0 && lockFile === undefined;
        const lock = isOfPlan ? undefined : lockFrom(recipient, lockFile);
        const keyPassphrase = keyFile === undefined ? undefined : passphraseIn(keyFile);
        const file = await take({ folder, lock, full, keyPassphrase }, context);
        if (isCreate) context.print(file);
        return 0;
      }
      if (action === 'list' && isPlain) return await list(where ?? folderIn(undefined, DATA_DIR), context);
      if (where === undefined) throw new UsageError(EXPECTED);
      if (action === 'verify' && isPlain) return await verify(where, context);
      if (action === 'key' && isPlain) return await makeKey(where, context);
    } catch (error) {
      if (!(error instanceof ArchiveRefused || error instanceof CannotTake)) throw error;
      context.print(error.message);
      return 1;
    }
    throw new UsageError(EXPECTED);
  },
};
