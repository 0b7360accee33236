/** Setting a server up: each a run, asked for here and watched like any other. */
import { Body, Controller, HttpCode, Inject, Post, type OnModuleInit } from '@nestjs/common';
import { serverSetup } from '@quarterdeck/events/inputs';
import { v7 as uuidv7 } from 'uuid';
import type { z } from 'zod';
import { Access, Meta } from '../platform/access';
import { written } from '../platform/answers';
import type { CommandMeta } from '../platform/session';
import { valid } from '../platform/validation';
import { RunEngine, type RunKind } from '../runs';
import { initializeServer } from './initialize-server';
import { installDocker } from './install-docker';
import { ServerRegistry } from './server-registry';

type SetUp = z.infer<typeof serverSetup>;

@Controller('server')
export class ServerSetupController implements OnModuleInit {
  constructor(
    @Inject(ServerRegistry) private readonly registry: ServerRegistry,
    @Inject(RunEngine) private readonly runs: RunEngine,
  ) {}

  onModuleInit(): void {
    this.runs.register(initializeServer);
    this.runs.register(installDocker);
  }

  @Post('init')
  @HttpCode(200)
  @Access('admin', { summary: 'Initializes a server, as a recorded run', receipt: false })
  init(@Meta() meta: CommandMeta, @Body(valid(serverSetup)) input: SetUp) {
    return this.start(initializeServer, input, meta);
  }

  @Post('install-docker')
  @HttpCode(200)
  @Access('admin', { summary: 'Installs Docker on a server, as a recorded run', receipt: false })
  installDocker(@Meta() meta: CommandMeta, @Body(valid(serverSetup)) input: SetUp) {
    return this.start(installDocker, input, meta);
  }

  private async start({ kind }: RunKind, { id, runId = uuidv7() }: SetUp, meta: CommandMeta) {
    const { alias } = await this.registry.server(id, meta.workspace);
    const subject = { kind: 'server', id, name: alias };
    const { position } = await this.runs.start(runId, kind, { subject, input: {} }, meta);
    return written({ runId }, position);
  }
}
