import { Controller } from '@nestjs/common';
import { locations, type Given } from '@quarterdeck/contract';
import { v7 as uuidv7 } from 'uuid';
import { Answers, type Asker, written } from '../platform/http';
import { LocationWork } from './location-work';

@Controller()
export class LocationWorkController {
  constructor(private readonly work: LocationWork) {}

  @Answers(locations.logs)
  async logs({ id, runId = uuidv7(), ...how }: Given<typeof locations.logs>, { meta }: Asker) {
    const { position } = await this.work.logs(id, { runId, ...how }, meta);
    return written({ runId }, position);
  }

  @Answers(locations.inspect)
  async inspect({ id, runId = uuidv7() }: Given<typeof locations.inspect>, { meta }: Asker) {
    const { position } = await this.work.inspect(id, runId, meta);
    return written({ runId }, position);
  }
}
