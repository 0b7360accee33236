/** One command over many servers. It has no events of its own: what it does are runs, and it lives on theirs. */
import { Module } from '@nestjs/common';
import { RunsModule } from '../runs';
import { ScriptsModule } from '../scripts';
import { FleetController } from './fleet.controller';
import { FleetRuns } from './fleet.kind';

@Module({ imports: [RunsModule, ScriptsModule], controllers: [FleetController], providers: [FleetRuns] })
export class FleetModule {}
