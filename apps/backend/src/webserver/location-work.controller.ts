import { Body, Controller, HttpCode, Inject, Post } from '@nestjs/common';
import { locationInspect, locationLogs } from '@quarterdeck/events/inputs';
import { v7 as uuidv7 } from 'uuid';
import type { z } from 'zod';
import { Access, Meta } from '../platform/access';
import { written } from '../platform/answers';
import type { CommandMeta } from '../platform/session';
import { valid } from '../platform/validation';
import { LocationWork } from './location-work';

@Controller('domain/location')
export class LocationWorkController {
  constructor(@Inject(LocationWork) private readonly work: LocationWork) {}

  @Post('logs')
  @HttpCode(200)
  @Access('admin', { summary: 'Follows the logs of a location, as a recorded run', receipt: false })
  async logs(
    @Meta() meta: CommandMeta,
    @Body(valid(locationLogs)) { id, runId = uuidv7(), ...how }: z.infer<typeof locationLogs>,
  ) {
    const { position } = await this.work.logs(id, { runId, ...how }, meta);
    return written({ runId }, position);
  }

  @Post('inspect')
  @HttpCode(200)
  @Access('admin', {
    summary: 'Asks the upstream of a location from its server, as a recorded run',
    receipt: false,
  })
  async inspect(
    @Meta() meta: CommandMeta,
    @Body(valid(locationInspect)) { id, runId = uuidv7() }: z.infer<typeof locationInspect>,
  ) {
    const { position } = await this.work.inspect(id, runId, meta);
    return written({ runId }, position);
  }
}
