import { Module } from '@nestjs/common';
import { BackupsModule } from '../backups';
import { deciderHandlers } from '../platform/decisions';
import { hook } from '../platform/hooks';
import { workflowActions } from '../workflows';
import { WorkspacesModule } from '../workspaces';
import { AlertSettings } from './alert-settings';
import { AlertUndo } from './alert-undo';
import { AlertWork } from './alert-work';
import { AlertsController, AlertSettingsController } from './alerts.controller';
import { alertsDecider } from './alerts.decider';
import { TellAction } from './tell-action';

export { RaiseAlert, ResolveAlert } from './alerts.decider';
export { listAlerts } from './alerts.queries';
export { DueWork, type Due } from './due-work';
export { failedSchedules, type FailedOutcome } from './outcome-watch';
export { maintenanceWindows, placeIn, type AlertPlace } from './maintenance';
export { Watch, type WatchDeps } from './watch';
export { WatchingWork, type Follower } from './watching-work';
export { DELIVERY_TIMEOUT_MS, MAX_ANSWER_BYTES, nextAttemptAfter } from './webhook-message';

@Module({
  imports: [BackupsModule, WorkspacesModule],
  controllers: [AlertsController, AlertSettingsController],
  providers: [
    AlertSettings,
    AlertUndo,
    AlertWork,
    TellAction,
    ...deciderHandlers(alertsDecider),
    hook({ on: workflowActions, by: TellAction, does: (action) => action }),
  ],
})
export class AlertsModule {}
