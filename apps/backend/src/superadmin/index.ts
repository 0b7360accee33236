import { Module } from '@nestjs/common';
import { EventLog } from './event-log';
import { ForeignEvents } from './foreign';
import { MaintenanceWork } from './maintenance';
import { Processes } from './processes';
import { SuperadminController } from './superadmin.controller';

export { EndMaintenance, maintenanceDecider } from './maintenance.decider';
export { projectionsCommand } from './projections.command';

/** The installation itself, above all workspaces. */
@Module({
  controllers: [SuperadminController],
  providers: [EventLog, ForeignEvents, MaintenanceWork, Processes],
})
export class SuperadminModule {}
