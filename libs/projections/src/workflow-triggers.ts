/** The tokens with which webhooks start instances of workflows. The read model of triggers is the kit's. */
import { z } from 'zod';
import { tokenRows, tokenView } from './token-rows';

const one = z.strictObject({ id: z.string(), name: z.string() });

export const workflowTokenView = z.strictObject({ ...tokenView, trigger: one }).meta({ id: 'WorkflowToken' });
export interface WorkflowTokenView extends z.infer<typeof workflowTokenView> {}

interface StoredWorkflowToken extends WorkflowTokenView {
  workspace: string;
  revision: number;
  position: string;
  /** Copy of the trigger's id. */
  triggerId: string;
}

export const workflowTokens = tokenRows<'WorkflowToken', StoredWorkflowToken>({
  name: 'workflow_tokens',
  category: 'workflowtoken',
  stem: 'WorkflowToken',
  owner: 'triggerId',
  fields: ({ trigger }) => ({ trigger, triggerId: trigger.id }),
});
