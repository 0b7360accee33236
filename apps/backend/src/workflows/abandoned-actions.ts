/**
 * Cancels the actions of visits that were skipped, and of instances that were cancelled. The pump does it, so it is done
 * also if the process that recorded the wish died at once, or the action was about to start.
 */
import { Inject, Injectable } from '@nestjs/common';
import { workflowInstances, type StoredWorkflowInstance } from '@quarterdeck/projections';
import { isTransient } from '../platform/database';
import { LOGGER, type Logger } from '../platform/tokens';
import { ActionRegistry } from './action-registry';
import type { ReadInstance, RecordedInstanceEvent } from './instance-reader';
import { nodeOf, type InstanceEvent } from './instance-state';

@Injectable()
export class AbandonedActions {
  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly actions: ActionRegistry,
  ) {}

  /**
   * @returns what is to be recorded
   * @throws errors that pass: then the next round tries again
   */
  async cancel(found: ReadInstance): Promise<readonly InstanceEvent[]> {
    const visits = abandonedOf(found);
    for (const visit of visits) await this.cancelOne(found, visit);
    return visits.map((visit) => ({ type: 'WorkflowActionCancelled', data: { visit } }));
  }

  private async cancelOne(found: ReadInstance, visit: number): Promise<void> {
    const { events, state, id } = found;
    const entered = events.flatMap((event) =>
      event.type === 'WorkflowNodeEntered' && event.data.visit === visit ? [event.data] : [],
    );
    const [{ node, action } = { node: '' }] = entered;
    const does = nodeOf(state.started.graph, node)?.does;
    if (!does || action === undefined) return;
    const ask = this.actions.ask(found, { action, does, visit });
    const actor = events.find((event) => abandons(event, visit))?.meta.actor ?? ask.meta.actor;
    try {
      await this.actions.find(does.is)?.cancel?.({ ...ask, meta: { ...ask.meta, actor } });
    } catch (error) {
      if (isTransient(error)) throw error;
      // The instance has gone on or ended all the same; its run is shown.
      this.logger.warn({ err: error, instance: id }, 'the action of an instance could not be cancelled');
    }
  }
}

/** As the read model says it, so what is recorded always takes it out of there. */
const abandonedOf = ({ events, id }: ReadInstance): readonly number[] =>
  events.reduce<StoredWorkflowInstance | undefined>(
    (view, event) => workflowInstances.evolve(view, event, id),
    undefined,
  )?.abandoned ?? [];

const abandons = ({ type, data }: RecordedInstanceEvent, visit: number): boolean =>
  type === 'WorkflowNodeLeft'
    ? data.visit === visit && data.end === 'skipped'
    : type === 'WorkflowInstanceEnded' && data.is === 'cancelled';
