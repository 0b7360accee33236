/**
 * Actions of nodes. The feature whose work it is registers each one with a hook, and workflows know none of them:
 *
 * ```ts
 * hook({ on: workflowActions, by: ScriptAction, does: (action) => action })
 * ```
 */
import type { Json, WorkflowDoes, WorkflowDoesIs } from '@quarterdeck/events';
import { moment } from '../platform/hooks';
import type { CommandMeta } from '../platform/sessions';

export type DoesOf<I extends WorkflowDoesIs> = Extract<WorkflowDoes, { is: I }>;

export interface ActionAsk<I extends WorkflowDoesIs = WorkflowDoesIs> {
  /** Made from the instance, the visit and the attempt. What is started twice under it must be done once. */
  id: string;
  /** With values of the data in its texts. */
  does: DoesOf<I>;
  data: Json;
  workflow: { id: string; name: string };
  instance: string;
  visit: number;
  /** As whoever started the instance; caused by it. Runs wait in line for their server. */
  meta: CommandMeta;
}

export interface ActionOutcome {
  end: 'done' | 'failed';
  /** What conditions read as `result`. At most 64 kB of JSON together with the data, if the node keeps it. */
  result: Json;
}

export interface WorkflowAction<I extends WorkflowDoesIs = WorkflowDoesIs> {
  readonly is: I;
  /** What does not exist, when the workflow is published. Texts may still have `{{data.…}}`. */
  problems(does: DoesOf<I>, workspace: string): Promise<readonly { field: string; says: string }[]>;
  /**
   * Starts it, or joins what was started under this id before.
   *
   * @throws DomainError why it cannot be started, in one sentence: the instance stops with it. After `unavailable` and
   * `tooMany` it is tried again by itself.
   */
  start(ask: ActionAsk<I>): Promise<void>;
  /** What came of it; undefined as long as it is under way. */
  outcome(ask: ActionAsk<I>): Promise<ActionOutcome | undefined>;
  /** The instance was cancelled, or the node skipped. What has ended already stays as it is. */
  cancel?(ask: ActionAsk<I>): Promise<void>;
}

export type AnyWorkflowAction = { [I in WorkflowDoesIs]: WorkflowAction<I> }[WorkflowDoesIs];

export const workflowActions = moment<AnyWorkflowAction>('actions of workflows');
