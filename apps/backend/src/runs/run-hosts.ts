/** How runs reach their servers. */
import { Injectable } from '@nestjs/common';
import { Port } from '../platform/port';
import type { CommandMeta } from '../platform/sessions';
import { DetachedWork, type SshPool, type SshTarget } from '../platform/ssh';
import type { RunServer } from './run-kind';

export interface HostAccess {
  pool: SshPool;
  /** The server as currently registered. @throws DomainError `notFound` */
  server(id: string, meta: CommandMeta): Promise<RunServer>;
  /** @throws SshFailure, DomainError */
  target(id: string, meta: CommandMeta): Promise<SshTarget>;
  /** All secrets of the workspace, which must not appear in output. */
  secrets(workspace: string): Promise<readonly string[]>;
}

@Injectable()
export class RunHosts extends Port<HostAccess> {
  #detached: DetachedWork | undefined;

  constructor() {
    super('how to reach servers');
  }

  get access(): HostAccess {
    return this.given;
  }

  get detached(): DetachedWork {
    this.#detached ??= new DetachedWork(this.given.pool);
    return this.#detached;
  }
}
