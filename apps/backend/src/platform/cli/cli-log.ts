/**
 * `log copy --to URL | status | reopen --give-up ADDRESS`: moves the event log to another place, even while a back end
 * is running. That back end can still read, and reports the new place when it tries to record something.
 */
import { parseArgs } from 'node:util';
import {
  DATABASE,
  logAddress,
  MoveRefused,
  moveLog,
  placeOf,
  reopenLog,
  sealText,
  TargetFailed,
  UNFINISHED,
  UnusableLogAddress,
  type LogEngine,
  type MoveProgress,
} from '@quarterdeck/log/store';
import { parsed, telling, UsageError, type Command, type CommandContext } from './command-line';
import { type Config, withoutSecrets } from '../config';
import { auditedLog, type Awaited, awaitedEventLog, type Log, openLog, openPlace } from '../boot';
import { StartProblem, WRONG_ENVIRONMENT } from '../start-problem';

const tellingMoves = (context: CommandContext): ((progress: MoveProgress) => void) => {
  let last: { phase: string; events: number; at: number } | undefined;
  return telling(context, ({ phase, events, total }) => {
    const at = performance.now();
    const rate =
      last?.phase === phase ? Math.round(((events - last.events) * 1_000) / (at - last.at)) : undefined;
    last = { phase, events, at };
    const of = total === undefined ? '' : ` of ${total.toLocaleString('en')}`;
    const pace = rate === undefined ? '' : `, ${rate.toLocaleString('en')}/s`;
    return `${phase}: ${events.toLocaleString('en')}${of} events${pace}`;
  });
};

const withLog = async (
  { config, logger, tables, print }: CommandContext,
  work: (log: Log) => Promise<number>,
): Promise<number> => {
  const log = await openLog({ config, logger, tables }, true);
  try {
    return await work(log);
  } catch (error) {
    if (!(error instanceof MoveRefused)) throw error;
    print(error.message);
    return 1;
  } finally {
    await log.close();
  }
};

interface LogTarget {
  url: string;
  /** The name as it is recorded. */
  name: string;
  awaited: Awaited;
}

const OPTION = '--to';

/** @throws StartProblem if it is not an address */
const placeAt = (to: string, log: Log, { EVENT_STORE_URL }: Config): LogTarget => {
  if (to === DATABASE) {
    if (EVENT_STORE_URL === undefined)
      throw new MoveRefused('EVENT_STORE_URL is not set: the log is already in the database');
    const awaited = awaitedEventLog(log.url, OPTION);
    return {
      url: log.url,
      name: DATABASE,
      awaited: { ...awaited, setting: { variable: OPTION, value: to } },
    };
  }
  const name = withoutSecrets(to);
  try {
    logAddress(to);
  } catch (error) {
    if (!(error instanceof UnusableLogAddress)) throw error;
    const { wrong, remedy } = error;
    const setting = { variable: OPTION, ...(name === undefined ? {} : { value: name }) };
    throw new StartProblem(setting, { wrong, remedy, exitCode: WRONG_ENVIRONMENT }, error);
  }
  return { url: to, name: name ?? to, awaited: awaitedEventLog(to, OPTION) };
};

/** Turns an error of the new place into one that names the option. */
const named = (error: unknown, { setting, obstacleOf }: Awaited): unknown => {
  if (!(error instanceof TargetFailed)) return error;
  const { cause } = error;
  const root = cause instanceof Error ? cause.cause : undefined;
  const obstacle = obstacleOf(root) ?? obstacleOf(cause);
  if (!obstacle) return error;
  const remedy = `${obstacle.remedy}; the same command goes on where it stopped`;
  return new StartProblem(setting, { ...obstacle, remedy }, error);
};

const copy = (to: string, context: CommandContext): Promise<number> =>
  withLog(context, async (log) => {
    const { config, print } = context;
    const { url, name, awaited } = placeAt(to, log, config);
    const patience = {
      waitMs: config.START_WAIT_SECONDS * 1000,
      tell: (line: string) => context.logger.warn(line),
    };
    const target: LogEngine = await openPlace(url, { prefix: config.EVENT_STORE_PREFIX }, awaited, patience);
    try {
      const { store, vault, pool } = log;
      const { events, foreign, seal } = await moveLog({
        source: store,
        target,
        to: name,
        masterKey: vault.masterKey,
        tell: tellingMoves(context),
        audited: await auditedLog(store, pool),
      });
      const set = name === DATABASE ? 'remove EVENT_STORE_URL' : `set EVENT_STORE_URL to ${name}`;
      if (foreign > 0) print(`${foreign} events that this console did not write were copied as they are`);
      if (seal) print(`${events} events are at ${name}, each compared; seal of the copy ${sealText(seal)}`);
      else print(`the log is already at ${name}`);
      print(`${set} and start the console again; it rebuilds its read models from there`);
      return 0;
    } catch (error) {
      throw named(error, awaited);
    } finally {
      await target.close();
    }
  });

const status = (context: CommandContext): Promise<number> =>
  withLog(context, async ({ store }) => {
    const to = await placeOf(store);
    const state = to === undefined ? 'in use' : to === UNFINISHED ? 'copy that is not finished' : 'moved';
    const { engine, keys } = store;
    const facts = {
      engine,
      log: keys?.id,
      head: await store.head(),
      state,
      ...(state === 'moved' ? { to } : {}),
    };
    context.print(JSON.stringify(facts, null, 2));
    return 0;
  });

const reopen = (to: string, context: CommandContext): Promise<number> =>
  withLog(context, async ({ store, pool }) => {
    const { EVENT_STORE_URL } = context.config;
    const at = EVENT_STORE_URL === undefined ? DATABASE : (withoutSecrets(EVENT_STORE_URL) ?? DATABASE);
    await reopenLog({
      source: store,
      audited: await auditedLog(store, pool),
      tell: tellingMoves(context),
      to,
      at,
    });
    context.print(`the log is in use here again; what was recorded at ${to} since it moved is not in it`);
    return 0;
  });

export const logCommand: Command = {
  usage: [
    'log copy --to URL    (or --to database: the Postgres of the read models)',
    'log status',
    'log reopen --give-up ADDRESS    (when the place that the log has moved to is lost)',
  ],
  run: async (args, context) => {
    const { values, positionals } = parsed(() =>
      parseArgs({
        args,
        options: { to: { type: 'string' }, 'give-up': { type: 'string' } },
        allowPositionals: true,
      }),
    );
    const { to, 'give-up': lost } = values;
    const [action, ...more] = positionals;
    if (more.length === 0 && action === 'copy' && to && lost === undefined) return copy(to, context);
    if (more.length === 0 && action === 'status' && to === undefined && lost === undefined)
      return status(context);
    if (more.length === 0 && action === 'reopen' && to === undefined && lost) return reopen(lost, context);
    throw new UsageError('copy --to URL, status or reopen --give-up ADDRESS is expected');
  },
};
