import { Controller, Inject } from '@nestjs/common';
import { serviceRepositories, type InputOf } from '@quarterdeck/contract';
import { service } from '@quarterdeck/events';
import { Answers, type Asker, written } from '../platform/http';
import { PlainRecords, recordsOf } from '../platform/kit';
import { ServiceCreation } from './service-creation';
import { idFor } from '../platform/sessions';

@Controller()
export class ServiceCreationController {
  constructor(
    private readonly creation: ServiceCreation,
    @Inject(recordsOf(service)) private readonly services: PlainRecords,
  ) {}

  @Answers(serviceRepositories.deployService)
  async deployService(
    { uuid: id }: InputOf<typeof serviceRepositories.deployService>,
    { session: { workspace } }: Asker,
  ) {
    await this.services.opened(id, workspace);
    return { id, uuid: id };
  }

  @Answers(serviceRepositories.create)
  async create({ runId: chosen, ...asked }: InputOf<typeof serviceRepositories.create>, { meta }: Asker) {
    const runId = chosen ?? idFor('run', meta);
    const { id, position } = await this.creation.start({ ...asked, runId }, meta);
    return written({ id, uuid: id, runId }, position);
  }

  @Answers(serviceRepositories.cleanUp)
  async cleanUp({ id, runId: chosen }: InputOf<typeof serviceRepositories.cleanUp>, { meta }: Asker) {
    const runId = chosen ?? idFor('run', meta);
    const { position } = await this.creation.cleanUp(id, runId, meta);
    return written({ runId }, position);
  }
}
