/** A chunk of a run's output, in the form in which it is stored, sent and pushed. */
import { z } from 'zod';

export const outputChunk = z.strictObject({
  /** Counts from 1 in each run, without gaps. */
  seq: z.number(),
  at: z.string(),
  stream: z.enum(['out', 'err']),
  text: z.string(),
  /** The step that printed it. Absent in old runs of one step, recorded before output named its step. */
  step: z.string().optional(),
  attempt: z.number().optional(),
});
export interface OutputChunk extends z.infer<typeof outputChunk> {}
