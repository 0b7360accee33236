import { Module } from '@nestjs/common';
import { workflow, workflowNode, workflowTransition } from '@quarterdeck/events';
import { deciderHandlers } from '../platform/decisions';
import { plain } from '../platform/kit';
import { AbandonedActions } from './abandoned-actions';
import { ActionRegistry } from './action-registry';
import { WorkflowConditions } from './conditions';
import { DraftFindings } from './draft-findings';
import { InstanceReader } from './instance-reader';
import { instanceDecider } from './instances.decider';
import { OrphanedInstances } from './orphaned-instances';
import { WorkflowCounts } from './workflow-counts';
import { WorkflowDrafts } from './workflow-drafts';
import { WorkflowInstances } from './workflow-instances';
import { WorkflowLibrary } from './workflow-library';
import { WorkflowPump } from './workflow-pump';
import { workflowVersionDecider } from './workflow-versions.decider';
import { WorkflowsController } from './workflows.controller';

export { outcomeOfRun } from './run-outcome';
export { WorkflowInstances } from './workflow-instances';
export {
  workflowActions,
  type ActionAsk,
  type ActionOutcome,
  type DoesOf,
  type WorkflowAction,
} from './workflow-action';

const nouns = [plain(workflow), plain(workflowNode), plain(workflowTransition)];

@Module({
  controllers: [...nouns.flatMap(({ controllers }) => controllers), WorkflowsController],
  providers: [
    ...nouns.flatMap(({ providers }) => providers),
    ...deciderHandlers(instanceDecider),
    ...deciderHandlers(workflowVersionDecider),
    AbandonedActions,
    ActionRegistry,
    DraftFindings,
    InstanceReader,
    OrphanedInstances,
    WorkflowConditions,
    WorkflowCounts,
    WorkflowDrafts,
    WorkflowInstances,
    WorkflowLibrary,
    WorkflowPump,
  ],
  exports: [...nouns.flatMap(({ exports }) => exports), WorkflowConditions, WorkflowInstances],
})
export class WorkflowsModule {}
