/** Schedules: what is started by itself at its times. */
import { Module } from '@nestjs/common';
import { schedule } from '@quarterdeck/events';
import { AlertsModule, failedSchedules } from '../alerts';
import { hook } from '../platform/hooks';
import { judgedFields, plain } from '../platform/kit';
import { RunsModule } from '../runs';
import { WorkflowsModule } from '../workflows';
import { ScheduleFirings } from './schedule-firings';
import { ScheduleRules } from './schedule-rules';
import { ScheduleStarts } from './schedule-starts';
import { ScheduleWork } from './schedule-work';
import { SchedulesController } from './schedules.controller';

const schedules = plain(schedule);

@Module({
  imports: [AlertsModule, RunsModule, WorkflowsModule],
  controllers: [...schedules.controllers, SchedulesController],
  providers: [
    ...schedules.providers,
    ScheduleFirings,
    ScheduleRules,
    ScheduleStarts,
    ScheduleWork,
    hook({ on: judgedFields(schedule), by: ScheduleRules, does: ({ judge }) => judge }),
    hook({ on: failedSchedules, by: ScheduleFirings, does: (firings) => () => firings.failed() }),
  ],
  exports: schedules.exports,
})
export class SchedulesModule {}
