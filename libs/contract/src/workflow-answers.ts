/** Answers about all workflows: what their list says besides their fields, and what waits for somebody. */
import { z } from 'zod';

export const workflowCount = z
  .strictObject({
    id: z.string(),
    /** The newest one; 0 if none is published. */
    version: z.int(),
    /** Instances that have not ended. Of each state, at most 10,000 are counted. */
    underWay: z.int(),
    /** Those of them that wait for a person. */
    asking: z.int(),
    /** Those of them that cannot go on by themselves. */
    stopped: z.int(),
  })
  .meta({ id: 'WorkflowCount' });
export interface WorkflowCount extends z.infer<typeof workflowCount> {}

/** What waits for somebody. Without the data, because members see it too. */
export const workflowsWaiting = z
  .strictObject({
    total: z.int(),
    instances: z.array(
      z.strictObject({
        id: z.string(),
        workflow: z.strictObject({ id: z.string(), name: z.string() }),
        node: z.strictObject({ id: z.string(), name: z.string() }),
        visit: z.int(),
        since: z.string(),
        due: z.string().optional(),
        dry: z.boolean(),
        role: z.string(),
        question: z.string().optional(),
        choices: z.array(z.string()),
      }),
    ),
  })
  .meta({ id: 'WorkflowsWaiting' });
export interface WorkflowsWaiting extends z.infer<typeof workflowsWaiting> {}
