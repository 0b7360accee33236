/**
 * Telling the administrators as the action of a workflow's node: an alert, in the banner and to the webhook. Its id is that of
 * the action, so it is raised once.
 */
import { Injectable } from '@nestjs/common';
import { Decisions } from '../platform/decisions';
import type { ActionAsk, ActionOutcome, WorkflowAction } from '../workflows';
import { alertsDecider, RaiseAlert } from './alerts.decider';

type Ask = ActionAsk<'notification'>;

@Injectable()
export class TellAction implements WorkflowAction<'notification'> {
  readonly is = 'notification';

  constructor(private readonly decisions: Decisions) {}

  problems(): Promise<[]> {
    return Promise.resolve([]);
  }

  async start({ id, does: { title, text = '' }, workflow, instance, meta }: Ask): Promise<void> {
    const subject = { kind: 'workflowInstance', id: instance, name: workflow.name };
    const says = text === '' ? title : `${title}: ${text}`;
    const raise = new RaiseAlert(id, { subject, about: 'workflowTells', says }, meta);
    await this.decisions.execute(alertsDecider, raise);
  }

  /** Whoever is told need not answer. */
  async outcome({ id, meta: { workspace } }: Ask): Promise<ActionOutcome | undefined> {
    const { state } = await this.decisions.load(alertsDecider, id, workspace);
    return state.is === 'unknown' ? undefined : { end: 'done', result: { alert: id } };
  }
}
