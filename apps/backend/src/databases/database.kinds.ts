/** Runs on a database: inspecting it, which may be repeated, and creating it. */
import { creationOf, existing, type CreationStep } from '@quarterdeck/data-model';
import { DomainError } from '../platform/errors';
import type { CommandMeta } from '../platform/sessions';
import { afterGrace, StepFailed, type LocalIo, type RunContext, type RunKind } from '../runs';
import type { DatabaseAccess } from './database-connections';
import { DatabaseFailure } from './database-failure';
import { linesOf, lookInto, reported } from './database-look';
import { closed, type Target } from './target';
import { saidBy } from './target-connection';

export interface Administrator {
  readonly username: string;
  readonly password: string;
  /** Accept that the database's user already exists. */
  readonly keepUser: boolean;
}

export interface DatabaseDeps {
  access(id: string, workspace: string): Promise<DatabaseAccess>;
  open(access: DatabaseAccess, meta: CommandMeta, signal: AbortSignal): Promise<Target>;
  /** The administrator that was given for this run. Known only to the process that received the request. */
  administratorOf(run: string): Administrator | undefined;
}

const MINUTE_MS = 60_000;
/** Prefix of failures that the call returns as the message of a field. */
export const WRONG = 'wrong:';

const failed = (error: unknown): never => {
  if (error instanceof DatabaseFailure) throw new StepFailed(`${WRONG}${error.field}`, error.msg);
  if (error instanceof DomainError || error instanceof StepFailed || !(error instanceof Error)) throw error;
  throw new StepFailed('database', error.message);
};

const withTarget = async <T>(opening: Promise<Target>, work: (target: Target) => Promise<T>): Promise<T> => {
  const target = await opening.catch(failed);
  return closed(target, work(target)).catch(failed);
};

async function look(deps: DatabaseDeps, { request }: RunContext, io: LocalIo) {
  const startedAt = performance.now();
  const access = await deps.access(request.subject.id, io.meta.workspace);
  const found = await withTarget(deps.open(access, io.meta, io.signal), (target) =>
    lookInto(target, startedAt),
  );
  io.print(linesOf(found));
  return { report: reported(found) };
}

export const testDatabase = (deps: DatabaseDeps): RunKind => ({
  kind: 'testDatabase',
  changes: false,
  steps: [
    {
      name: 'test',
      on: 'console',
      timeoutMs: MINUTE_MS,
      repeatable: true,
      perform: (context, io) => look(deps, context, io),
    },
  ],
});

/** A database that every server of the engine has. */
const EVERYWHERE = { mysql: 'information_schema', postgresql: 'postgres' } as const;

/** Access to the same server as its administrator. */
export const asAdministrator = (
  access: DatabaseAccess,
  { username, password }: Administrator,
): DatabaseAccess => ({
  ...access,
  username,
  password,
  name: access.dbType === 2 ? EVERYWHERE.postgresql : EVERYWHERE.mysql,
});

/**
 * @returns whether the user exists
 * @throws DomainError `conflict` if the database exists, or a user that must not be kept
 */
export async function refuseExisting(
  target: Target,
  { name, username }: DatabaseAccess,
  keepUser: boolean,
): Promise<boolean> {
  const found = await target.query(existing[target.dialect], [name, username]);
  const kinds = found.map((row) => String(row.kind));
  const kind = kinds.find((one) => one !== 'user' || !keepUser);
  if (kind === undefined) return kinds.length > 0;
  const [field, words] = kind === 'user' ? ['username', `user ${username}`] : ['name', `database ${name}`];
  const msg = `the server has a ${words} already: nothing was changed`;
  throw new DomainError('conflict', msg, { [field]: msg });
}

export const createDatabase = (deps: DatabaseDeps): RunKind => {
  const inServer = async <T>(
    { run, request }: RunContext,
    { meta, signal }: LocalIo,
    work: (target: Target, access: DatabaseAccess) => Promise<T>,
  ): Promise<T> => {
    const administrator = deps.administratorOf(run);
    if (!administrator)
      throw new StepFailed('forgotten', 'The administrator is not stored: create the database anew instead.');
    const access = await deps.access(request.subject.id, meta.workspace);
    // A statement under way may come to its end, so that nothing is half created.
    const opening = deps.open(asAdministrator(access, administrator), meta, afterGrace(signal));
    return withTarget(opening, (target) => work(target, access));
  };
  return {
    kind: 'createDatabase',
    changes: true,
    steps: [
      {
        name: 'look',
        on: 'console',
        timeoutMs: MINUTE_MS,
        repeatable: false,
        perform: (context, io) =>
          inServer(context, io, async (target, access) => {
            const keeps = await refuseExisting(target, access, context.request.input['keepUser'] === true);
            io.print(
              keeps
                ? `The server has the user ${access.username}, who is kept, and no database ${access.name}.\n`
                : `The server has neither the database ${access.name} nor the user ${access.username}.\n`,
            );
            return {};
          }),
      },
      {
        name: 'create',
        on: 'console',
        timeoutMs: 5 * MINUTE_MS,
        repeatable: false,
        perform: (context, io) =>
          inServer(context, io, async (target, access) => {
            await create(target, access, io, context.request.input['keepUser'] === true);
            return {};
          }),
      },
      {
        name: 'verify',
        on: 'console',
        timeoutMs: MINUTE_MS,
        repeatable: true,
        perform: (context, io) => look(deps, context, io),
      },
    ],
    stillFits: (_request, _workspace, run) =>
      deps.administratorOf(run)
        ? Promise.resolve()
        : Promise.reject(
            new DomainError(
              'unprocessable',
              'the administrator is not stored: create the database anew instead',
            ),
          ),
  };
};

/** Creates the database and its user. If a statement is refused, everything created before it is removed. */
async function create(
  target: Target,
  access: DatabaseAccess,
  { print }: LocalIo,
  keepUser: boolean,
): Promise<void> {
  // The quoting of the statements below depends on these modes.
  await target.query(
    target.dialect === 'mysql' ? `set session sql_mode = ''` : 'set standard_conforming_strings = on',
  );
  const done: CreationStep[] = [];
  const keeps = await refuseExisting(target, access, keepUser);
  const steps = creationOf(target.dialect, access, access.password);
  for (const step of steps.filter(({ what }) => what !== 'user' || !keeps)) {
    try {
      await target.query(step.sql);
    } catch (error) {
      const left = await undone(target, done);
      throw new StepFailed(
        'refused',
        `The ${step.what} was refused: ${saidBy(error, access.password)}. ${left}`,
      );
    }
    done.push(step);
    print(`${words[step.what](access)}\n`);
  }
}

const words: Record<CreationStep['what'], (of: DatabaseAccess) => string> = {
  database: ({ name }) => `Created the database ${name}.`,
  user: ({ username }) => `Created the user ${username}.`,
  grant: ({ name, username }) => `Granted everything in ${name} to ${username}.`,
};

async function undone(target: Target, done: readonly CreationStep[]): Promise<string> {
  const left: string[] = [];
  for (const { what, undo } of done.toReversed())
    if (undo !== undefined) await target.query(undo).catch(() => left.push(`the ${what}`));
  return left.length === 0 ? 'Nothing was changed.' : `Created before and kept: ${left.join(' and ')}.`;
}
