/**
 * `audit export FILE | verify [FILE] [--seal position:hash] [--key KEY] | key`: checks the chain over all events in the
 * log or in a copy.
 */
import { createReadStream, createWriteStream, rmSync, statSync } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import {
  exportLog,
  readSeal,
  sealText,
  verify,
  verifyExport,
  type AuditedLog,
  type AuditResult,
  type Seal,
  type TruncatedStream,
} from '@quarterdeck/log/store';
import { parsed, UsageError, type Command, type CommandContext } from './command-line';
import { moveFile } from '../database';
import { auditedLog, openLog } from '../boot';
import type { EventStore } from '../tokens';

const withLog = async <T>(
  { config, logger, tables }: CommandContext,
  work: (log: AuditedLog, store: EventStore) => Promise<T>,
): Promise<T> => {
  const { store, pool, close } = await openLog({ config, logger, tables }, true);
  try {
    return await work(await auditedLog(store, pool), store);
  } finally {
    await close();
  }
};

/** A line has one event, which is smaller by far. */
const MAX_LINE = 64 * 1_048_576;

/** Splits only at line feeds. `readline` also splits at characters that may occur inside JSON strings. */
async function* linesOf(file: string): AsyncGenerator<string> {
  let rest = '';
  for await (const chunk of createReadStream(file, { encoding: 'utf8', highWaterMark: 1 << 20 })) {
    const lines = (rest + (chunk as string)).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
    if (rest.length > MAX_LINE)
      throw new UsageError(
        `${file}: a line has more than ${MAX_LINE} characters, so this is no export of a log`,
      );
  }
  if (rest !== '') yield rest;
}

async function* terminated(lines: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const line of lines) yield `${line}\n`;
}

/** What a copy is compared with. */
interface Proof {
  /** Public key that must have made the signature. */
  key?: string | undefined;
  /** Seal that was stored outside of the log. */
  noted?: Seal | undefined;
}

const NOT_SIGNED =
  'it is not signed, so anybody could have written it anew: give --seal position:hash that you noted, or export the log again';

/** The problem in words. @param proof only for a copy, which proves nothing without a signature or a noted seal */
const problemIn = (
  { ok, firstBad, foreign, signedBy }: AuditResult,
  proof: Proof | undefined,
): string | undefined => {
  const others = foreign === undefined || foreign < 2 ? '' : `, and ${foreign - 1} more like it`;
  if (foreign !== undefined) return `the chain holds, but ${firstBad?.problem}${others}`;
  if (!ok) return `the chain is broken: ${firstBad?.problem}`;
  if (proof === undefined) return undefined;
  const { key, noted } = proof;
  if (!signedBy) return key === undefined && noted ? undefined : NOT_SIGNED;
  return key === undefined || signedBy.publicKey === key
    ? undefined
    : `it is signed with another key: ${signedBy.publicKey}`;
};

const report = (result: AuditResult, context: CommandContext, proof?: Proof): number => {
  const problem = problemIn(result, proof);
  const { events, head, signedBy } = result;
  const signed = signedBy ? `, signed by log ${signedBy.log} with key ${signedBy.publicKey}` : '';
  context.print(JSON.stringify(problem === undefined ? result : { ...result, ok: false }));
  context.print(problem ?? `${events} events are what was written; seal ${sealText(head)}${signed}`);
  return problem === undefined ? 0 : 1;
};

/** The public key, to note or to pass to openssl. */
const printKey = async ({ config, logger, tables, print }: CommandContext): Promise<number> => {
  const { store, close } = await openLog({ config, logger, tables }, true);
  try {
    if (!store.keys) {
      print('this log has no key yet: it gets one when the console starts');
      return 1;
    }
    const { log, publicKey } = store.keys.identity;
    print(`log ${log}`);
    print(`key ${publicKey}`);
    print(`-----BEGIN PUBLIC KEY-----\n${publicKey}\n-----END PUBLIC KEY-----`);
    return 0;
  } finally {
    await close();
  }
};

/** The log still contains the events and an intact chain, but deciders that read the stream do not get all of them. */
const reportTruncated = (truncated: readonly TruncatedStream[], { print }: CommandContext): number => {
  for (const { stream, limits } of truncated)
    print(`stream ${stream} is not shown whole to its readers: the event log has it as ${limits}`);
  return truncated.length > 0 ? 1 : 0;
};

const fileProblem = (file: string, error: unknown): never => {
  if (
    typeof (error as { code?: unknown }).code === 'string' &&
    (error as { syscall?: unknown }).syscall !== undefined
  )
    throw new UsageError(`${file}: ${(error as Error).message}`);
  throw error;
};

const exportTo = (file: string, context: CommandContext): Promise<number> =>
  withLog(context, async (log) => {
    if (statSync(file, { throwIfNoEntry: false })?.isFile() === false)
      throw new UsageError(`${file}: is not a regular file`);
    const lines = terminated(exportLog(log, new Date().toISOString()));
    // A separate file, so that an older copy of that name stays until the new one is complete.
    const draft = `${file}.${process.pid}.draft`;
    const remove = (): void => rmSync(draft, { force: true });
    // Also when the command is cut off.
    process.on('exit', remove);
    try {
      await pipeline(Readable.from(lines), createWriteStream(draft, { mode: 0o600, flush: true }));
      moveFile(draft, file);
    } catch (error) {
      remove();
      fileProblem(file, error);
    } finally {
      process.off('exit', remove);
    }
    return report(await verifyExport(linesOf(file)), context);
  });

export const auditCommand: Command = {
  usage: ['audit export FILE', 'audit verify [FILE] [--seal position:hash] [--key KEY]', 'audit key'],
  run: async (args, context) => {
    const { values, positionals } = parsed(() =>
      parseArgs({
        args,
        options: { seal: { type: 'string' }, key: { type: 'string' } },
        allowPositionals: true,
      }),
    );
    const [action, file, ...more] = positionals;
    const noted: Seal | undefined =
      values.seal === undefined ? undefined : parsed(() => readSeal(values.seal ?? ''));
    if (values.key !== undefined && (action !== 'verify' || file === undefined))
      throw new UsageError('--key says whose signature a FILE has to carry');
    if (action === 'key' && positionals.length === 1 && !noted) return printKey(context);
    if (action === 'export' && file !== undefined && more.length === 0 && !noted)
      return exportTo(file, context);
    if (action !== 'verify' || more.length > 0)
      throw new UsageError('export FILE, verify [FILE] or key is expected');
    if (file === undefined)
      return withLog(context, async (log, store) => {
        const code = report(await verify(log, noted), context);
        return Math.max(code, reportTruncated(await store.truncated(), context));
      });
    return report(
      await verifyExport(linesOf(file), noted).catch((error: unknown) => fileProblem(file, error)),
      context,
      { key: values.key, noted },
    );
  },
};
