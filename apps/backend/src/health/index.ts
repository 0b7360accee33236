import { Module } from '@nestjs/common';
import { ServersModule } from '../servers';
import { HealthChecksController } from './health-checks.controller';
import { Prober } from './prober';
import { Probes } from './one-probe';

export { changesAfter } from './health-changes';
export { rangeOf, spread } from './time-range';
export { newestSamples, samplesAfter } from './health-samples';

@Module({ imports: [ServersModule], controllers: [HealthChecksController], providers: [Prober, Probes] })
export class HealthModule {}
