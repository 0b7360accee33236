/**
 * Telling the administrators as the action of a workflow's node: an alert, in the banner and to the webhook. Its id is that of
 * the action, so it is raised once.
 */
import { Inject, Injectable } from '@nestjs/common';
import { Decisions } from '../platform/decisions';
import { DB, type Pool } from '../platform/tokens';
import type { ActionAsk, ActionOutcome, WorkflowAction } from '../workflows';
import { alertsDecider, RaiseAlert } from './alerts.decider';
import { withMaintenance } from './maintenance';

type Ask = ActionAsk<'notification'>;

@Injectable()
export class TellAction implements WorkflowAction<'notification'> {
  readonly is = 'notification';

  constructor(
    @Inject(DB) private readonly db: Pool,
    private readonly decisions: Decisions,
  ) {}

  problems(): Promise<[]> {
    return Promise.resolve([]);
  }

  async start({ id, does: { title, text = '' }, workflow, instance, meta }: Ask): Promise<void> {
    const subject = { kind: 'workflowInstance', id: instance, name: workflow.name };
    const says = text === '' ? title : `${title}: ${text}`;
    const raised = { subject, about: 'workflowTells', says } as const;
    const recorded = await withMaintenance(this.db, raised, meta.workspace);
    await this.decisions.execute(alertsDecider, new RaiseAlert(id, recorded, meta));
  }

  /** Whoever is told need not answer. */
  async outcome({ id, meta: { workspace } }: Ask): Promise<ActionOutcome | undefined> {
    const { state } = await this.decisions.load(alertsDecider, id, workspace);
    return state.is === 'unknown' ? undefined : { end: 'done', result: { alert: id } };
  }
}
