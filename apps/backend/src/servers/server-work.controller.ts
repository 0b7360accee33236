/** The calls that go to the server itself. */
import { Body, Controller, HttpCode, Inject, Post } from '@nestjs/common';
import { byId, serverExecCmd } from '@quarterdeck/events/inputs';
import { v7 as uuidv7 } from 'uuid';
import type { z } from 'zod';
import { Access, Meta } from '../platform/access';
import { written } from '../platform/answers';
import { DomainError } from '../platform/errors';
import type { CommandMeta } from '../platform/session';
import { SshFailure } from '../platform/ssh';
import { valid } from '../platform/validation';
import { ServerCommands } from './server-commands';
import { ServerConnections } from './server-connections';
import { ServerRegistry } from './server-registry';

@Controller('server')
export class ServerWorkController {
  constructor(
    @Inject(ServerRegistry) private readonly registry: ServerRegistry,
    @Inject(ServerConnections) private readonly connections: ServerConnections,
    @Inject(ServerCommands) private readonly serverCommands: ServerCommands,
  ) {}

  @Post('execCmd')
  @HttpCode(200)
  @Access('admin', { summary: 'Runs one of the ten fixed commands, as a recorded run', receipt: false })
  async execCmd(
    @Meta() meta: CommandMeta,
    @Body(valid(serverExecCmd)) { id, cmdType, runId = uuidv7() }: z.infer<typeof serverExecCmd>,
  ) {
    const server = await this.registry.server(id, meta.workspace);
    const { answer, position } = await this.serverCommands.run(runId, { id, server, cmdType }, meta);
    return written(answer, position);
  }

  @Post('contact')
  @HttpCode(200)
  @Access('admin', { summary: 'Connects, and pins the host key at first contact', receipt: false })
  async contact(@Meta() meta: CommandMeta, @Body(valid(byId)) { id }: z.infer<typeof byId>) {
    const server = await this.registry.server(id, meta.workspace);
    try {
      const { hostKey, first, software } = await this.connections.contact({ id, server, meta });
      const { position } = await this.registry.whereabouts(id, meta.workspace);
      return written({ hostKey, pinned: first, software }, position);
    } catch (error) {
      if (!(error instanceof SshFailure)) throw error;
      // That a host showed another key is recorded, and stands on the server's page.
      const { position } = await this.registry.whereabouts(id, meta.workspace);
      throw new DomainError('upstream', error.msg, undefined, { code: error.code, recorded: position });
    }
  }
}
