/** `projections rebuild [name] | verify [name] | status`, beside a running back end or alone. */
import type { EventStore } from '@quarterdeck/events/store';
import { ensureSchema, ProjectionRunner } from '@quarterdeck/projections/runner';
import { UsageError, type Command, type CommandContext } from './command-line';
import { openDatabase, openStore, readModelsOf } from './resources';

const withRunner = async <T>(
  { config, logger }: CommandContext,
  name: string,
  work: (runner: ProjectionRunner, store: EventStore) => Promise<T>,
): Promise<T> => {
  const database = await openDatabase(config, logger);
  const { pool, url, close } = database;
  try {
    const store = await openStore(database, config, logger);
    try {
      const projections = readModelsOf(store);
      if (name !== 'all' && !projections.some((projection) => projection.name === name))
        throw new UsageError(`there is no projection ${name}: ${projections.map((p) => p.name).join(', ')}`);
      await ensureSchema(pool, projections);
      const options = { db: pool, connectionString: url, store, projections, logger, lead: false };
      return await work(new ProjectionRunner(options), store);
    } finally {
      await store.close();
    }
  } finally {
    await close();
  }
};

const rebuild = (name: string, context: CommandContext): Promise<number> =>
  withRunner(context, name, async (runner) => {
    context.print(JSON.stringify(await runner.rebuild(name)));
    return 0;
  });

const verify = (name: string, context: CommandContext): Promise<number> =>
  withRunner(context, name, async (runner) => {
    const results = await runner.verify(name);
    for (const result of results) context.print(JSON.stringify(result));
    const clean = results.every(({ ok }) => ok);
    context.print(
      clean ? 'the read models are what the log says' : 'the read models differ from what the log says',
    );
    return clean ? 0 : 1;
  });

const status = (name: string, context: CommandContext): Promise<number> =>
  withRunner(context, name, async (runner, store) => {
    const { projections, parked } = await runner.status();
    context.print(JSON.stringify({ log: await store.head(), projections, parked }, null, 2));
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
