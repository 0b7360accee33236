/** `audit export FILE | verify [FILE] [--seal position:hash]`: the chain over all events, here or in a copy. */
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
} from '@quarterdeck/events/store';
import { parsed, UsageError, type Command, type CommandContext } from './command-line';
import { moveFile } from './durable-file';
import { openDatabase, openStore } from './resources';
import { auditedLog } from './sealing';

const withLog = async <T>(
  { config, logger }: CommandContext,
  work: (log: AuditedLog) => Promise<T>,
): Promise<T> => {
  const database = await openDatabase(config, logger);
  try {
    const store = await openStore(database, config, logger);
    try {
      return await work(await auditedLog(store, database.pool));
    } finally {
      await store.close();
    }
  } finally {
    await database.close();
  }
};

/** Splits at line feeds alone: `readline` also splits at characters that stand inside of JSON strings. */
async function* linesOf(file: string): AsyncGenerator<string> {
  let rest = '';
  for await (const chunk of createReadStream(file, { encoding: 'utf8', highWaterMark: 1 << 20 })) {
    const lines = (rest + (chunk as string)).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') yield rest;
}

async function* terminated(lines: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const line of lines) yield `${line}\n`;
}

const report = (result: AuditResult, context: CommandContext): number => {
  context.print(JSON.stringify(result));
  context.print(
    result.ok
      ? `${result.events} events are what was written; seal ${sealText(result.head)}`
      : `the chain is broken: ${result.firstBad?.problem}`,
  );
  return result.ok ? 0 : 1;
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
    // Aside: until the new copy is whole, an older one of that name stays.
    const draft = `${file}.${process.pid}.draft`;
    try {
      await pipeline(Readable.from(lines), createWriteStream(draft, { mode: 0o600, flush: true }));
      moveFile(draft, file);
    } catch (error) {
      rmSync(draft, { force: true });
      fileProblem(file, error);
    }
    return report(await verifyExport(linesOf(file)), context);
  });

export const auditCommand: Command = {
  usage: ['audit export FILE', 'audit verify [FILE] [--seal position:hash]'],
  run: async (args, context) => {
    const { values, positionals } = parsed(() =>
      parseArgs({ args, options: { seal: { type: 'string' } }, allowPositionals: true }),
    );
    const [action, file, ...more] = positionals;
    const noted: Seal | undefined =
      values.seal === undefined ? undefined : parsed(() => readSeal(values.seal ?? ''));
    if (action === 'export' && file !== undefined && more.length === 0 && !noted)
      return exportTo(file, context);
    if (action !== 'verify' || more.length > 0)
      throw new UsageError('export FILE or verify [FILE] is expected');
    if (file === undefined) return withLog(context, async (log) => report(await verify(log, noted), context));
    return report(
      await verifyExport(linesOf(file), noted).catch((error: unknown) => fileProblem(file, error)),
      context,
    );
  },
};
