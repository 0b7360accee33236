/** `projections rebuild [name] | verify [name] | status`, beside a running back end or alone. */
import type { EventStore } from '@quarterdeck/log/store';
import type { MaintenanceProgress } from '@quarterdeck/projections';
import {
  AnotherLog,
  ensureSchema,
  followLog,
  leaveLog,
  ProjectionRunner,
  RebuildRefused,
  takeUpLog,
  type SourceLog,
} from '@quarterdeck/projections/runner';
import type { Pool } from 'pg';
import { v7 as uuidv7 } from 'uuid';
import { type Command, type CommandContext, telling, UsageError } from '../platform/cli';
import { Decisions } from '../platform/decisions';
import { DomainError } from '../platform/errors';
import { forgetRemade, openLog, readModelsOf, sourceOf } from '../platform/boot';
import { ownMeta } from '../platform/sessions';
import { MaintenanceLog } from './maintenance-book';

/** @param others what to do if the read models belong to another log; default: refuse */
const withRunner = async (
  { config, logger, tables, print }: CommandContext,
  name: string,
  work: (runner: ProjectionRunner, store: EventStore) => Promise<number>,
  others?: (pool: Pool, log: SourceLog, work: () => Promise<number>) => Promise<number>,
): Promise<number> => {
  const { pool, url, store, close } = await openLog({ config, logger, tables });
  try {
    const projections = readModelsOf(store);
    if (name !== 'all' && !projections.some((projection) => projection.name === name))
      throw new UsageError(`there is no projection ${name}: ${projections.map((p) => p.name).join(', ')}`);
    await ensureSchema(pool, projections);
    const options = { db: pool, connectionString: url, store, projections, logger, lead: false };
    const runner = new ProjectionRunner(options);
    const log = sourceOf(store);
    const another = log && (await followLog(pool, log).catch(ifAnother));
    if (!(another instanceof AnotherLog) || !log) return await work(runner, store);
    if (others && name === 'all') return await others(pool, log, () => work(runner, store));
    print(`${another.message}; \`npm run projections -- rebuild\` builds all of them from this one`);
    return 1;
  } finally {
    await close();
  }
};

const ifAnother = (error: unknown): AnotherLog => {
  if (error instanceof AnotherLog) return error;
  throw error;
};

/** Until it has ended, the read models belong to the other log. */
const fromAnotherLog = async (
  pool: Pool,
  log: SourceLog,
  rebuilt: () => Promise<number>,
): Promise<number> => {
  await leaveLog(pool);
  const code = await rebuilt();
  if (code === 0) {
    await forgetRemade(pool);
    await takeUpLog(pool, log);
  }
  return code;
};

const inWords = ({ events, total, share, secondsLeft, eventsPerSecond }: MaintenanceProgress): string => {
  const of = total === undefined ? '' : ` of ${total.toLocaleString('en')}`;
  const left = secondsLeft === undefined ? '' : `, ${secondsLeft} s left`;
  return `${events.toLocaleString('en')}${of} events, ${Math.floor(share * 100)} %, ${eventsPerSecond.toLocaleString('en')}/s${left}`;
};

/** Recorded like a request from the console, and run here at once. An interrupt cancels it. */
const rebuild = (name: string, context: CommandContext): Promise<number> =>
  withRunner(
    context,
    name,
    async (runner, store) => {
      const log = new MaintenanceLog(new Decisions(store), runner);
      const request = async (): Promise<void> => {
        const current = await log.current();
        // It was requested before, and nobody works on it, or this process would not have the lock.
        if (current?.kind === 'rebuild' && current.readModel === name) return;
        const order = { maintenance: uuidv7(), kind: 'rebuild', readModel: name } as const;
        await log.request(order, ownMeta('cli', '-'));
      };
      try {
        const outcome = await context.interruptible((signal) =>
          log.work(signal, request, { onProgress: telling(context, inWords) }),
        );
        if (outcome?.state === 'finished' && outcome.kind === 'rebuild') {
          context.print(JSON.stringify(outcome.result));
          return 0;
        }
        context.print(
          outcome?.state === 'failed' ? outcome.reason : 'cancelled; the read models are unchanged',
        );
        return 1;
      } catch (error) {
        if (!(error instanceof RebuildRefused || error instanceof DomainError)) throw error;
        context.print(error.message);
        return 1;
      }
    },
    fromAnotherLog,
  );

const verify = (name: string, context: CommandContext): Promise<number> =>
  withRunner(context, name, async (runner) => {
    const results = await runner.verify(name);
    for (const result of results) context.print(JSON.stringify(result));
    const clean = results.every(({ ok }) => ok);
    context.print(clean ? 'the read models match the log' : 'the read models differ from the log');
    return clean ? 0 : 1;
  });

const status = (name: string, context: CommandContext): Promise<number> =>
  withRunner(context, name, async (runner, store) => {
    const { projections, parked, maintenance } = await runner.status();
    const told = { log: await store.head(), projections, parked, ...(maintenance ? { maintenance } : {}) };
    context.print(JSON.stringify(told, null, 2));
    return 0;
  });

const actions = { rebuild, verify, status };

export const projectionsCommand: Command = {
  usage: ['projections rebuild [name]', 'projections verify [name]', 'projections status'],
  run: (args, context) => {
    const [action = '', name = 'all', ...more] = args;
    if (!Object.hasOwn(actions, action) || more.length > 0)
      throw new UsageError('rebuild, verify or status is expected');
    return actions[action as keyof typeof actions](name, context);
  },
};
