/** Sets up servers. Each set-up is a run, which can be watched like any other. */
import { Controller } from '@nestjs/common';
import { servers, type InputOf } from '@quarterdeck/contract';
import { Answers, type Asker, written } from '../platform/http';
import { idFor } from '../platform/sessions';
import { ServerSetup } from './server-setup';

@Controller()
export class ServerSetupController {
  constructor(private readonly setup: ServerSetup) {}

  @Answers(servers.init)
  async init({ id, runId: chosen }: InputOf<typeof servers.init>, { meta }: Asker) {
    const { runId, position } = await this.setup.start('initialize', id, chosen ?? idFor('run', meta), meta);
    return written({ runId }, position);
  }

  @Answers(servers.installDocker)
  async installDocker({ id, runId: chosen }: InputOf<typeof servers.installDocker>, { meta }: Asker) {
    const { runId, position } = await this.setup.start('docker', id, chosen ?? idFor('run', meta), meta);
    return written({ runId }, position);
  }
}
