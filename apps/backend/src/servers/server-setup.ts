/** Starts the runs that set up a server. */
import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Position } from '@quarterdeck/events';
import type { CommandMeta } from '../platform/sessions';
import { RunEngine } from '../runs';
import { initializeServer } from './initialize-server';
import { installDocker } from './install-docker';
import { ServerRegistry } from './server-registry';

const setUps = { initialize: initializeServer, docker: installDocker };

@Injectable()
export class ServerSetup implements OnModuleInit {
  constructor(
    private readonly registry: ServerRegistry,
    private readonly runs: RunEngine,
  ) {}

  onModuleInit(): void {
    for (const kind of Object.values(setUps)) this.runs.register(kind);
  }

  /** @throws DomainError `notFound`, or `conflict` while another run changes the server */
  async start(
    what: keyof typeof setUps,
    id: string,
    runId: string,
    meta: CommandMeta,
  ): Promise<{ runId: string; position: Position }> {
    const { alias } = await this.registry.server(id, meta.workspace);
    const subject = { kind: 'server', id, name: alias };
    return this.runs.start(runId, setUps[what].kind, { subject, input: {} }, meta);
  }
}
