/** What starts instances of workflows by itself. Adding, editing and removing triggers are calls of the kit. */
import { workflowTrigger } from '@quarterdeck/events';
import { byId, workflowData } from '@quarterdeck/events/inputs';
import { workflowTokenView } from '@quarterdeck/projections';
import { z } from 'zod';
import { ids } from './answers';
import { calls } from './call';
import { demo } from './demo';

const firing = z
  .strictObject({
    /** Id of the instance that was started, or would have been. */
    id: z.string(),
    at: z.string(),
    /** `missed`: occurrences of a schedule at which nothing could be started. */
    is: z.enum(['started', 'refused', 'missed']),
    /** The occurrence, the id of the delivery, or type and id of the event. */
    source: z.string(),
    reason: z.string().optional(),
    /** Of a schedule: when it was due. */
    occurrence: z.string().optional(),
  })
  .meta({ id: 'WorkflowFiring' });
export interface WorkflowFiring extends z.infer<typeof firing> {}

export const workflowTriggers = calls(workflowTrigger.path, 'admin', {
  states: {
    summary: 'For each trigger of a workflow: when its schedule is due next, and what came of it last',
    input: byId,
    example: { id: demo.workflow },
    answer: z.array(z.strictObject({ id: z.string(), next: z.string().optional(), last: firing.optional() })),
    shows: ['workflowTriggers', 'workflowInstances'],
    volatile: true,
    wide: true,
  },
  firings: {
    summary: 'When a trigger has fired lately, and what came of it, newest first',
    input: byId,
    example: { id: demo.workflowTrigger },
    answer: z.array(firing),
    shows: ['workflowTriggers', 'workflowInstances'],
    volatile: true,
    wide: true,
  },
  tokens: {
    summary: 'The tokens of a webhook that are not revoked, newest first',
    path: 'token/list',
    input: byId,
    example: { id: demo.workflowTrigger },
    answer: z.array(workflowTokenView.extend({ uses: z.int().optional() })),
    shows: 'workflowTokens',
    asOf: true,
    wide: true,
  },
  issue: {
    summary: 'A token for a webhook and a secret that signs its calls, until they are revoked; shown once',
    path: 'token/issue',
    input: byId,
    example: { id: demo.workflowTrigger },
    answer: z
      .strictObject({ id: z.string(), uuid: z.string(), token: z.string(), secret: z.string() })
      .meta({ id: 'IssuedWorkflowToken' }),
    stales: 'workflowTokens',
    wide: true,
    receipt: false,
  },
  revoke: {
    summary: 'Revokes a token and its secret',
    path: 'token/revoke',
    input: byId,
    example: { id: demo.workflowToken },
    answer: ids,
    stales: 'workflowTokens',
  },
});

/** The door for webhooks. Its call knows no session. */
export const workflowHook = calls('public/workflow', 'public', {
  start: {
    summary:
      'Starts an instance with the body as its data. Headers: `Authorization: Bearer <token>`; `X-Quarterdeck-Signature` (`t=<unix seconds>,v1=<HMAC-SHA256 of "t.body" in hexadecimal>`) if the trigger requires it; `X-Quarterdeck-Delivery` (an id: the same delivery again starts nothing)',
    access: 'public',
    input: workflowData,
    example: { order: 42 },
    answer: ids,
    stales: 'workflowInstances',
    wide: true,
    receipt: false,
  },
});
