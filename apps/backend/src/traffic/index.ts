import { Module } from '@nestjs/common';
import { LogsModule } from '../logs';
import { RunsModule } from '../runs';
import { TrafficController } from './traffic.controller';
import { TrafficWatch } from './traffic-watch';

/** Requests to sites, by the minute, summed up on their servers. */
@Module({
  imports: [LogsModule, RunsModule],
  controllers: [TrafficController],
  providers: [TrafficWatch],
})
export class TrafficModule {}
