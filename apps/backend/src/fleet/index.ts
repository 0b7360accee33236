/** One command on many servers. This feature has no own events: its work consists of runs. */
import { Module } from '@nestjs/common';
import { RunsModule } from '../runs';
import { ScriptsModule } from '../scripts';
import { FleetController } from './fleet.controller';
import { FleetRuns } from './fleet.kind';

export { fleetInput } from './fleet-request';

@Module({ imports: [RunsModule, ScriptsModule], controllers: [FleetController], providers: [FleetRuns] })
export class FleetModule {}
