/** The actions that features have registered. */
import { Injectable } from '@nestjs/common';
import type { WorkflowDoes, WorkflowDoesIs } from '@quarterdeck/events';
import { v7 as uuidv7 } from 'uuid';
import { Hooks } from '../platform/hooks';
import { DomainError } from '../platform/errors';
import { workflowActions, type ActionAsk, type WorkflowAction } from './workflow-action';
import type { ReadInstance } from './instance-reader';

export const unknownAction = (is: string): string =>
  `this version of the console does not know the action ${is}`;

@Injectable()
export class ActionRegistry {
  constructor(private readonly hooks: Hooks) {}

  /** It is asked only about nodes that do what it is for. */
  find(is: WorkflowDoesIs): WorkflowAction | undefined {
    return this.hooks.of(workflowActions).find((action) => action.is === is) as WorkflowAction | undefined;
  }

  /** @throws DomainError that stops the instance */
  of(is: WorkflowDoesIs): WorkflowAction {
    const found = this.find(is);
    if (!found) throw new DomainError('unprocessable', unknownAction(is));
    return found;
  }

  /** As whoever started the instance. */
  ask(
    { id: instance, workspace, by, correlationId, state }: ReadInstance,
    { action, does, visit }: { action: string; does: WorkflowDoes; visit: number },
  ): ActionAsk {
    const { workflow } = state.started;
    const meta = {
      actor: by,
      workspace,
      correlationId,
      causationId: instance,
      at: new Date().toISOString(),
      commandId: uuidv7(),
      waits: true as const,
    };
    return { id: action, does, data: state.data, workflow, instance, visit, meta };
  }
}
