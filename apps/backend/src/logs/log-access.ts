/** Which log of which server somebody means, and the way there. */
import { Inject, Injectable } from '@nestjs/common';
import { service } from '@quarterdeck/events';
import type { LogSource } from '@quarterdeck/events/inputs';
import { domainDetail } from '../domains';
import { invalidField, notFound } from '../platform/errors';
import { detailOf } from '../platform/kit';
import { Redactor } from '../platform/run-output';
import { ownMeta } from '../platform/sessions';
import type { ByteCommand, RemoteResult } from '../platform/ssh';
import { DB, type Pool } from '../platform/tokens';
import { RunHosts, type RunServer } from '../runs';
import { siteLogFolder } from '../webserver';
import type { ServerLog } from './log-commands';

export interface LogOfServer {
  workspace: string;
  server: string;
  source: LogSource;
}

@Injectable()
export class LogAccess {
  constructor(
    @Inject(DB) private readonly db: Pool,
    private readonly hosts: RunHosts,
  ) {}

  /** @throws DomainError `notFound` */
  server({ workspace, server }: Omit<LogOfServer, 'source'>): Promise<RunServer> {
    return this.hosts.access.server(server, ownMeta('system', workspace));
  }

  /** @throws DomainError if it is no log of this server */
  async logOf({ workspace, server: id, source }: LogOfServer): Promise<ServerLog> {
    const server = await this.server({ workspace, server: id });
    if (source.kind === 'container') return { is: 'container', container: source.name, service: '' };
    if (source.kind === 'unit') return { is: 'unit', unit: source.name };
    if (source.kind === 'nginx') return { is: 'files', folder: '', suffix: `${source.log}.log` };
    if (source.kind === 'site') return this.siteLog(source, server, workspace);
    const found = await detailOf(service, this.db, workspace, source.id);
    if (!found) throw notFound('service');
    const { id: at } = (found['server'] ?? {}) as { id?: string };
    if (at !== id) throw invalidField('source.id', 'this service is deployed to another server');
    return { is: 'container', container: '', service: source.id };
  }

  /**
   * Runs a script as root, because logs belong to root; or as the account itself if it has no sudo, but may be a member of
   * the groups that read logs.
   * @throws SshFailure, DomainError
   */
  async run(
    { workspace, server }: Omit<LogOfServer, 'source'>,
    command: Omit<ByteCommand, 'privileged'>,
  ): Promise<RemoteResult> {
    const { pool } = this.hosts.access;
    const target = await this.hosts.access.target(server, ownMeta('system', workspace));
    try {
      return await pool.exec(target, { ...command, privileged: true });
    } catch (error) {
      if (!isWithoutRoot(error)) throw error;
      return pool.exec(target, { ...command, privileged: false });
    }
  }

  /** Masks secrets of the workspace in the texts, as in the output of runs. */
  async masked(texts: readonly string[], workspace: string): Promise<string[]> {
    if (texts.length === 0) return [];
    const redactor = new Redactor(await this.hosts.access.secrets(workspace));
    return texts.map((text) => redactor.push(text) + redactor.end());
  }

  private async siteLog(
    { id, log }: Extract<LogSource, { kind: 'site' }>,
    { id: server, root }: RunServer,
    workspace: string,
  ): Promise<ServerLog> {
    const found = await domainDetail(this.db, workspace, id);
    if (!found) throw notFound('domain');
    if (found.server?.id !== server) throw invalidField('source.id', 'this domain is on another server');
    const folder = siteLogFolder({ serverName: found.serverName, folders: { root } });
    return { is: 'files', folder, suffix: `${log}.log` };
  }
}

const isWithoutRoot = (error: unknown): boolean =>
  (error as { code?: string }).code === 'channelRefused' &&
  (error as Error).message.includes('may not run commands as root');
