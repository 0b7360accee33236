/**
 * How runs reach their servers. The feature that knows servers registers the implementation, so that runs need not know
 * it.
 */
import { Injectable } from '@nestjs/common';
import type { CommandMeta } from '../platform/sessions';
import { DetachedWork, type SshPool, type SshTarget } from '../platform/ssh';
import type { RunServer } from './run-kind';

export interface HostAccess {
  pool: SshPool;
  /** The server as it is registered now. @throws DomainError `notFound` */
  server(id: string, meta: CommandMeta): Promise<RunServer>;
  /** @throws SshFailure, DomainError */
  target(id: string, meta: CommandMeta): Promise<SshTarget>;
  /** All secrets of the workspace, which must not appear in output. */
  secrets(workspace: string): Promise<readonly string[]>;
}

@Injectable()
export class RunHosts {
  private known: { access: HostAccess; detached: DetachedWork } | undefined;

  use(access: HostAccess): void {
    this.known = { access, detached: new DetachedWork(access.pool) };
  }

  get access(): HostAccess {
    return this.given.access;
  }

  get detached(): DetachedWork {
    return this.given.detached;
  }

  private get given() {
    if (!this.known) throw new Error('no feature has registered how to reach servers');
    return this.known;
  }
}
