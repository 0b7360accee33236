/** Sets up servers. Each set-up is a run, which can be watched like any other. */
import { Controller, type OnModuleInit } from '@nestjs/common';
import { servers, type InputOf } from '@quarterdeck/contract';
import { serverSetup } from '@quarterdeck/events/inputs';
import type { z } from 'zod';
import { Answers, type Asker, written } from '../platform/http';
import { type CommandMeta, idFor } from '../platform/sessions';
import { RunEngine, type RunKind } from '../runs';
import { initializeServer } from './initialize-server';
import { installDocker } from './install-docker';
import { ServerRegistry } from './server-registry';

type SetUp = z.infer<typeof serverSetup>;

@Controller()
export class ServerSetupController implements OnModuleInit {
  constructor(
    private readonly registry: ServerRegistry,
    private readonly runs: RunEngine,
  ) {}

  onModuleInit(): void {
    this.runs.register(initializeServer);
    this.runs.register(installDocker);
  }

  @Answers(servers.init)
  init(input: InputOf<typeof servers.init>, { meta }: Asker) {
    return this.start(initializeServer, input, meta);
  }

  @Answers(servers.installDocker)
  installDocker(input: InputOf<typeof servers.installDocker>, { meta }: Asker) {
    return this.start(installDocker, input, meta);
  }

  private async start({ kind }: RunKind, { id, runId: chosen }: SetUp, meta: CommandMeta) {
    const runId = chosen ?? idFor('run', meta);
    const { alias } = await this.registry.server(id, meta.workspace);
    const subject = { kind: 'server', id, name: alias };
    const { position } = await this.runs.start(runId, kind, { subject, input: {} }, meta);
    return written({ runId }, position);
  }
}
