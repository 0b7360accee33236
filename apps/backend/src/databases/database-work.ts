/** Inspects and creates databases, as recorded runs. */
import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Position } from '@quarterdeck/events';
import { DomainError } from '../platform/errors';
import type { CommandMeta } from '../platform/sessions';
import { RunEngine } from '../runs';
import { DatabaseConnections, type DatabaseAccess } from './database-connections';
import { foundIn, lookInto, type DatabaseLook } from './database-look';
import {
  asAdministrator,
  createDatabase,
  refuseExisting,
  testDatabase,
  WRONG,
  type Administrator,
} from './database.kinds';
import { closed } from './target';

@Injectable()
export class DatabaseWork implements OnModuleInit {
  /** By run id, until the run has ended. Stored nowhere else. */
  private readonly administrators = new Map<string, Administrator>();

  constructor(
    private readonly runs: RunEngine,
    private readonly connections: DatabaseConnections,
  ) {}

  onModuleInit(): void {
    const deps = {
      access: (id: string, workspace: string) => this.connections.access(id, workspace),
      open: (access: DatabaseAccess, meta: CommandMeta, signal: AbortSignal) =>
        this.connections.openAs(access, meta, signal),
      administratorOf: (run: string) => this.administrators.get(run),
    };
    this.runs.register(testDatabase(deps));
    this.runs.register(createDatabase(deps));
  }

  /** @throws DomainError that names the field */
  async test(
    id: string,
    runId: string,
    meta: CommandMeta,
  ): Promise<{ found: DatabaseLook; position: Position }> {
    await this.runs.start(runId, 'testDatabase', { subject: await this.subject(id, meta), input: {} }, meta);
    const { end, lastStep, position } = await this.runs.ended(runId, meta.workspace);
    if (end.is === 'succeeded') return { found: foundIn(lastStep?.report ?? {}), position };
    const code = end.is === 'failed' ? end.code : end.is;
    const data = code.startsWith(WRONG) ? { [code.slice(WRONG.length)]: end.reason } : undefined;
    throw new DomainError('upstream', end.reason, data, { code, recorded: position });
  }

  /** @throws DatabaseFailure */
  async try(data: DatabaseAccess, meta: CommandMeta): Promise<DatabaseLook> {
    const startedAt = performance.now();
    const target = await this.connections.openAs(data, meta);
    return closed(target, lookInto(target, startedAt)).catch(unusable);
  }

  /** @throws DomainError if the server refuses the administrator, or already has the database or the user */
  async create(
    id: string,
    runId: string,
    administrator: Administrator,
    meta: CommandMeta,
  ): Promise<{ runId: string; position: Position }> {
    const subject = await this.subject(id, meta);
    const { keepUser } = administrator;
    const start = () => this.runs.start(runId, 'createDatabase', { subject, input: { keepUser } }, meta);
    // A repeated request joins the run.
    if (await this.runs.knows(runId, meta.workspace)) return start();
    const access = await this.connections.access(id, meta.workspace);
    const target = await this.connections.openAs(asAdministrator(access, administrator), meta);
    const exists = await closed(target, refuseExisting(target, access, keepUser)).catch(unusable);
    // Sign in as the existing user: if its password is wrong, the new database would be unusable.
    if (exists) {
      const asUser = { ...access, name: asAdministrator(access, administrator).name };
      await (await this.connections.openAs(asUser, meta)).end();
    }
    this.administrators.set(runId, administrator);
    const forget = () => this.administrators.delete(runId);
    try {
      const started = await start();
      this.runs.ended(runId, meta.workspace).then(forget, forget);
      return started;
    } catch (error) {
      forget();
      throw error;
    }
  }

  private async subject(id: string, { workspace }: CommandMeta) {
    return { kind: 'database', id, name: (await this.connections.access(id, workspace)).name };
  }
}

/** Shows error messages of the server to the operator. */
const unusable = (error: unknown): never => {
  if (error instanceof DomainError || !(error instanceof Error)) throw error;
  throw new DomainError('upstream', `the server refused to say what it has: ${error.message}`);
};
