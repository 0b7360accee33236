import { Controller, Inject } from '@nestjs/common';
import { serviceRepositories, type Given } from '@quarterdeck/contract';
import { service } from '@quarterdeck/events';
import { Answers, type Asker, written } from '../platform/http';
import { PlainThings, thingsOf } from '../platform/kit';
import { ServiceCreation } from './service-creation';
import { idFor } from '../platform/sessions';

@Controller()
export class ServiceCreationController {
  constructor(
    private readonly creation: ServiceCreation,
    @Inject(thingsOf(service)) private readonly services: PlainThings,
  ) {}

  @Answers(serviceRepositories.deployService)
  async deployService(
    { uuid: id }: Given<typeof serviceRepositories.deployService>,
    { session: { workspace } }: Asker,
  ) {
    await this.services.opened(id, workspace);
    return { id, uuid: id };
  }

  @Answers(serviceRepositories.create)
  async create({ runId: chosen, ...asked }: Given<typeof serviceRepositories.create>, { meta }: Asker) {
    const runId = chosen ?? idFor('run', meta);
    const { id, position } = await this.creation.start({ ...asked, runId }, meta);
    return written({ id, uuid: id, runId }, position);
  }

  @Answers(serviceRepositories.cleanUp)
  async cleanUp({ id, runId: chosen }: Given<typeof serviceRepositories.cleanUp>, { meta }: Asker) {
    const runId = chosen ?? idFor('run', meta);
    const { position } = await this.creation.cleanUp(id, runId, meta);
    return written({ runId }, position);
  }
}
