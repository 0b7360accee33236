/** A version of a workflow: one stream for each number, so two people cannot publish the same one. It never changes. */
import type { EventData, EventsOf } from '@quarterdeck/events';
import type { workflowVersionEvents } from '@quarterdeck/events/catalogue';
import { command, deciderOf } from '../platform/decider';
import { DomainError } from '../platform/errors';

type VersionEvent = EventsOf<typeof workflowVersionEvents>;
interface VersionState {
  is: 'unknown' | 'published';
}

export class PublishWorkflow extends command('PublishWorkflow', { opens: true })(
  (data: EventData<'WorkflowPublished'>, { is }: VersionState): VersionEvent[] => {
    if (is === 'published')
      throw new DomainError('conflict', `somebody else published version ${data.version} at the same time`);
    return [{ type: 'WorkflowPublished', data }];
  },
) {}

export const workflowVersionDecider = deciderOf<VersionState, VersionEvent>()({
  category: 'workflowVersion',
  commands: [PublishWorkflow],
  initial: { is: 'unknown' },
  evolve: { WorkflowPublished: () => ({ is: 'published' }) },
});
