/**
 * Telling the administrators as the action of a workflow's node: an alert, in the banner and to the webhook. Its id is that of
 * the action, so it is raised once.
 */
import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { ActionAsk, ActionOutcome, WorkflowAction } from '../workflows';
import { RaiseAlert } from './alerts.decider';

type Ask = ActionAsk<'notification'>;

@Injectable()
export class TellAction implements WorkflowAction<'notification'> {
  readonly is = 'notification';

  constructor(private readonly commands: CommandBus) {}

  problems(): Promise<[]> {
    return Promise.resolve([]);
  }

  async start({ id, does: { title, text = '' }, workflow, instance, meta }: Ask): Promise<void> {
    const subject = { kind: 'workflowInstance', id: instance, name: workflow.name };
    const says = text === '' ? title : `${title}: ${text}`;
    await this.commands.execute(new RaiseAlert(id, { subject, about: 'workflowTells', says }, meta));
  }

  /** Whoever is told need not answer. */
  outcome({ id }: Ask): Promise<ActionOutcome> {
    return Promise.resolve({ end: 'done', result: { alert: id } });
  }
}
