/** What starts instances of workflows by itself: schedules, webhooks, events of the log, and other workflows. */
import { Module } from '@nestjs/common';
import { workflowTrigger } from '@quarterdeck/events';
import { AlertsModule } from '../alerts';
import { hook } from '../platform/hooks';
import { afterRemoval, judgedFields, plain } from '../platform/kit';
import { workflowActions, WorkflowsModule } from '../workflows';
import { EventTriggers } from './event-triggers';
import { ScheduleTriggers } from './schedule-triggers';
import { StartedByWorkflow } from './started-by-workflow';
import { TriggerFirings } from './trigger-firings';
import { TriggerRules } from './trigger-rules';
import { WorkflowTokens } from './workflow-tokens';
import { WorkflowTriggersController } from './workflow-triggers.controller';

const triggers = plain(workflowTrigger);

@Module({
  imports: [AlertsModule, WorkflowsModule],
  controllers: [...triggers.controllers, WorkflowTriggersController],
  providers: [
    ...triggers.providers,
    EventTriggers,
    ScheduleTriggers,
    StartedByWorkflow,
    TriggerFirings,
    TriggerRules,
    WorkflowTokens,
    hook({ on: judgedFields(workflowTrigger), by: TriggerRules, does: (rules) => rules.judge }),
    // A restored trigger gets new tokens.
    hook({
      on: afterRemoval(workflowTrigger),
      by: WorkflowTokens,
      does: (tokens) => (id, meta) => tokens.revokeAll(id, meta),
    }),
    hook({ on: workflowActions, by: StartedByWorkflow, does: (action) => action }),
  ],
  exports: triggers.exports,
})
export class WorkflowTriggersModule {}
