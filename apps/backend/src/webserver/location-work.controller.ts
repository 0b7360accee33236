import { Controller } from '@nestjs/common';
import { locations, type InputOf } from '@quarterdeck/contract';
import { Answers, type Asker, written } from '../platform/http';
import { LocationWork } from './location-work';
import { idFor } from '../platform/sessions';

@Controller()
export class LocationWorkController {
  constructor(private readonly work: LocationWork) {}

  @Answers(locations.logs)
  async logs({ id, runId: chosen, ...how }: InputOf<typeof locations.logs>, { meta }: Asker) {
    const runId = chosen ?? idFor('run', meta);
    const { position } = await this.work.logs(id, { runId, ...how }, meta);
    return written({ runId }, position);
  }

  @Answers(locations.inspect)
  async inspect({ id, runId: chosen }: InputOf<typeof locations.inspect>, { meta }: Asker) {
    const runId = chosen ?? idFor('run', meta);
    const { position } = await this.work.inspect(id, runId, meta);
    return written({ runId }, position);
  }
}
