import { Module } from '@nestjs/common';
import { maintenanceWindow } from '@quarterdeck/events';
import { ChosenChecks } from '../alert-rules';
import { hook } from '../platform/hooks';
import { judgedFields, plain } from '../platform/kit';

const windows = plain(maintenanceWindow);

@Module({
  ...windows,
  providers: [
    ...windows.providers,
    ChosenChecks,
    hook({ on: judgedFields(maintenanceWindow), by: ChosenChecks, does: ({ window }) => window }),
  ],
})
export class MaintenanceWindowsModule {}
