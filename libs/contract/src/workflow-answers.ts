/** What lists of workflows are answered besides their fields. */
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
