/** Starts a back end in this process on a free port. `./backend-process` starts the built one in its own process. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Type } from '@nestjs/common';
import { AppModule } from '../apps/backend/src/app.module';
import { startBackend as start, type Backend } from '../apps/backend/src/platform/boot/backend';
import { readConfig } from '../apps/backend/src/platform/config/config';
import { createLogger } from '../apps/backend/src/platform/logging';
import { SignInLinks, type LinkRequest } from '../apps/backend/src/sessions';
import { runCommandLine } from '../apps/backend/src/commands';
import { tables } from '../apps/backend/src/tables';
import type { Pool } from 'pg';
import { MASTER_KEY, placeOf, type CommandResult, type SpawnOptions } from './backend-process';
import { operator, type Operator } from './operator';
import { PATIENCE_MS } from './patience';

export * from './backend-process';
export type { Operator } from './operator';

type Who = Partial<LinkRequest>;

export interface RunningBackend extends Backend {
  /** The database, to check what calls do not show. */
  db: Pool;
  /** Issues a one-time link; default: for the administrator of workspace `main`. */
  signInLink(who?: Who): Promise<string>;
  /** Signs a person in by a new one-time link; default: the administrator of workspace `main`. */
  signIn(who?: Who): Promise<Operator>;
  /** Waits until the read models contain the whole log, including events that no call waited for. */
  caughtUp(): Promise<void>;
  /** Every log line so far. */
  logs: string[];
}

export interface BackendOptions {
  databaseUrl: string;
  env?: Record<string, string>;
  /** Additional modules, such as controllers that only a test needs. */
  modules?: Type[];
}

/** Nest's application in this process, on a free port, against `databaseUrl`. */
export async function startBackend({
  databaseUrl,
  env = {},
  modules = [],
}: BackendOptions): Promise<RunningBackend> {
  const dataDir = mkdtempSync(join(tmpdir(), 'quarterdeck-data-'));
  const logs: string[] = [];
  const config = readConfig({
    PORT: '0',
    DATA_DIR: dataDir,
    DATABASE_URL: databaseUrl,
    CALLS_PER_MINUTE: '0',
    MASTER_KEY,
    // Checks would add events and sessions to those that a test counts.
    HEALTH_CHECKS: 'off',
    DNS_CHECKS: 'off',
    SITE_CHECKS: 'off',
    SSL_SCHEDULE: 'off',
    CLOUD_LOOKS: 'off',
    BACKUPS: 'off',
    DEPLOY_WATCH_SECONDS: '1',
    CHECK_ANSWERS: 'on',
    ...env,
  });
  const logger = createLogger(config.LOG_LEVEL, { write: (line) => void logs.push(line) });
  const backend = await start({ config, logger, tables }, (resources) => {
    const module = AppModule.with(resources);
    return { ...module, imports: [...(module.imports ?? []), ...modules] };
  }).catch((error: unknown) => {
    rmSync(dataDir, { recursive: true, force: true });
    throw error;
  });
  const signInLink = async (who: Who = {}): Promise<string> => {
    const request: LinkRequest = { workspace: 'main', role: 'admin', actor: 'cli', ...who };
    return `${backend.url}/login?code=${await backend.app.get(SignInLinks, { strict: false }).issue(request)}`;
  };
  const close = async (): Promise<void> => {
    await backend.close();
    rmSync(dataDir, { recursive: true, force: true });
  };
  const { pool: db, projections, store } = backend.resources;
  const caughtUp = async (): Promise<void> => {
    if (!(await projections.waitFor(await store.head(), PATIENCE_MS)))
      throw new Error('the read models do not get as far as the log');
  };
  return {
    ...backend,
    db,
    caughtUp,
    close,
    signInLink,
    signIn: async (who) => signIn(backend.url, await signInLink(who)),
    logs,
  };
}

/** Like `runCommand`, but in this process and 20 times faster. Does not test how the command's process ends. */
export const runHere = async (args: string[], options: SpawnOptions = {}): Promise<CommandResult> => {
  let [stdout, stderr] = ['', ''];
  const code = await runCommandLine(args, {
    env: { ...placeOf(options), ...options.env },
    print: (line) => (stdout += `${line}\n`),
    tell: (line) => (stderr += `${line}\n`),
    log: { write: (line) => (stderr += line) },
  });
  return { code, stdout, stderr };
};

/** Uses a one-time link as the console does. */
export const signIn = (url: string, link: string): Promise<Operator> =>
  operator(url).signIn(new URL(link).searchParams.get('code') ?? link);
