import { Controller } from '@nestjs/common';
import { apiInstances as calls, type InputOf } from '@quarterdeck/contract';
import { ApiLibrary } from '../api-instances';
import { Answers, written, type Asker } from '../platform/http';
import { KeptCounts } from './kept-counts';
import { ServedApis } from './served-apis';
import { Replays } from './replays';
import { Tries } from './tries';

@Controller()
export class ServedController {
  constructor(
    private readonly apis: ServedApis,
    private readonly library: ApiLibrary,
    private readonly tries: Tries,
    private readonly replays: Replays,
    private readonly counts: KeptCounts,
  ) {}

  @Answers(calls.try)
  async try(input: InputOf<typeof calls.try>, { meta }: Asker) {
    const { tried, position } = await this.tries.send(input, meta);
    return position === undefined ? tried : written(tried, position);
  }

  @Answers(calls.replay)
  replay(input: InputOf<typeof calls.replay>, { session: { workspace } }: Asker) {
    return this.replays.replay(input, workspace);
  }

  @Answers(calls.traffic)
  async traffic({ instance: { uuid } }: InputOf<typeof calls.traffic>, { session: { workspace } }: Asker) {
    const { id } = await this.library.instance(uuid, workspace);
    const port = this.apis.portOf(id);
    const counted = await this.counts.of(id);
    return { ...this.apis.trafficOf(id).view(counted), ...(port && { port }) };
  }
}
