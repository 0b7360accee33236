import { Module } from '@nestjs/common';
import { BackupsModule } from '../backups';
import { deciderHandlers } from '../platform/decisions';
import { WorkspacesModule } from '../workspaces';
import { AlertSettings } from './alert-settings';
import { AlertUndo } from './alert-undo';
import { AlertWork } from './alert-work';
import { AlertsController, AlertSettingsController } from './alerts.controller';
import { alertsDecider } from './alerts.decider';

export { listAlerts } from './alerts.queries';

@Module({
  imports: [BackupsModule, WorkspacesModule],
  controllers: [AlertsController, AlertSettingsController],
  providers: [AlertSettings, AlertUndo, AlertWork, ...deciderHandlers(alertsDecider)],
})
export class AlertsModule {}
