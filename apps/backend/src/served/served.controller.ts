import { Controller } from '@nestjs/common';
import { apiInstances as calls, type InputOf } from '@quarterdeck/contract';
import { ApiLibrary } from '../api-instances';
import { Answers, type Asker } from '../platform/http';
import { ServedApis } from './served-apis';

@Controller()
export class ServedController {
  constructor(
    private readonly apis: ServedApis,
    private readonly library: ApiLibrary,
  ) {}

  @Answers(calls.traffic)
  async traffic({ instance: { uuid } }: InputOf<typeof calls.traffic>, { session: { workspace } }: Asker) {
    const { id } = await this.library.instance(uuid, workspace);
    return this.apis.trafficOf(id).view();
  }
}
