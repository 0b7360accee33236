/** Another workflow as the action of a node: an instance of it, whose id is that of the action. */
import { Inject, Injectable } from '@nestjs/common';
import { streamName, workflow, type EventData } from '@quarterdeck/events';
import { DomainError } from '../platform/errors';
import { detailOf } from '../platform/kit';
import { DB, EVENT_STORE, type EventStore, type Pool } from '../platform/tokens';
import { WorkflowInstances, type ActionAsk, type ActionOutcome, type WorkflowAction } from '../workflows';

type Ask = ActionAsk<'workflow'>;

/** How deep instances may start each other. */
export const MAX_DEPTH = 10;

const isMissing = (error: unknown): boolean => error instanceof DomainError && error.code === 'notFound';

@Injectable()
export class StartedByWorkflow implements WorkflowAction<'workflow'> {
  readonly is = 'workflow';

  constructor(
    @Inject(DB) private readonly db: Pool,
    @Inject(EVENT_STORE) private readonly store: EventStore,
    private readonly instances: WorkflowInstances,
  ) {}

  async problems({ workflow: { id } }: Ask['does'], workspace: string) {
    return (await detailOf(workflow, this.db, workspace, id))
      ? []
      : [{ field: 'workflow', says: 'this workflow does not exist' }];
  }

  async start({ id, does, data, instance, visit, meta }: Ask): Promise<void> {
    const events = await this.store.readStream(streamName('workflowInstance', id));
    if (events.some(({ type }) => type === 'WorkflowInstanceRemoved'))
      throw new DomainError('conflict', 'the instance that this node had started was removed');
    if (events.length > 0) return;
    if ((await this.depthOf(instance)) >= MAX_DEPTH)
      throw new DomainError(
        'unprocessable',
        `workflows have started each other ${MAX_DEPTH} deep, so this might never end`,
      );
    await this.instances.start(
      { id, workflow: does.workflow.id, data, cause: { is: 'workflow', id: instance, visit } },
      meta,
    );
  }

  async outcome({ id, meta: { workspace } }: Ask): Promise<ActionOutcome | undefined> {
    try {
      const { is, data, reason } = await this.instances.detail(id, workspace);
      if (is === 'completed') return { end: 'done', result: data };
      const result = { is, instance: id, ...(reason !== undefined && { reason }) };
      return is === 'cancelled' ? { end: 'failed', result } : undefined;
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }

  async cancel({ id, meta }: Ask): Promise<void> {
    try {
      const { is } = await this.instances.detail(id, meta.workspace);
      if (is !== 'completed' && is !== 'cancelled') await this.instances.cancel(id, meta);
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
  }

  /** How many instances led to this one by nodes like this. */
  private async depthOf(instance: string): Promise<number> {
    let id: string | undefined = instance;
    for (let depth = 1; ; depth++) {
      const [first]: readonly { data: unknown }[] = await this.store.readStream(
        streamName('workflowInstance', id),
        { limit: 1 },
      );
      const { cause } = (first?.data ?? {}) as Partial<EventData<'WorkflowInstanceStarted'>>;
      if (cause?.is !== 'workflow' || cause.id === undefined || depth >= MAX_DEPTH) return depth;
      id = cause.id;
    }
  }
}
