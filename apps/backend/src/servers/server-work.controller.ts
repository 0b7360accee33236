/** Calls that connect to the server itself. */
import { Controller } from '@nestjs/common';
import { servers, type InputOf } from '@quarterdeck/contract';
import { Answers, type Asker, written } from '../platform/http';
import { DomainError } from '../platform/errors';
import { SshFailure } from '../platform/ssh';
import { ServerCommands } from './server-commands';
import { ServerConnections } from './server-connections';
import { ServerRegistry } from './server-registry';
import { idFor } from '../platform/sessions';

@Controller()
export class ServerWorkController {
  constructor(
    private readonly registry: ServerRegistry,
    private readonly connections: ServerConnections,
    private readonly serverCommands: ServerCommands,
  ) {}

  @Answers(servers.execCmd)
  async execCmd({ id, cmdType, runId: chosen }: InputOf<typeof servers.execCmd>, { meta }: Asker) {
    const runId = chosen ?? idFor('run', meta);
    const server = await this.registry.server(id, meta.workspace);
    const { answer, position } = await this.serverCommands.run(runId, { id, server, cmdType }, meta);
    return written(answer, position);
  }

  @Answers(servers.contact)
  async contact({ id }: InputOf<typeof servers.contact>, { meta }: Asker) {
    const server = await this.registry.server(id, meta.workspace);
    try {
      const { hostKey, first, software } = await this.connections.contact({ id, server, meta });
      const { position } = await this.registry.head(id, meta.workspace);
      return written({ hostKey, pinned: first, software }, position);
    } catch (error) {
      if (!(error instanceof SshFailure)) throw error;
      // A changed host key was recorded and is shown on the server's page.
      const { position } = await this.registry.head(id, meta.workspace);
      throw new DomainError('upstream', error.msg, undefined, { code: error.code, recorded: position });
    }
  }
}
