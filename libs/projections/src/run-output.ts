/** A piece of what a run printed, as it is stored, answered and pushed. */
import { z } from 'zod';

export const outputChunk = z.strictObject({
  /** Counts from 1 in each run, without a gap. */
  seq: z.number(),
  at: z.string(),
  stream: z.enum(['out', 'err']),
  text: z.string(),
  /** Which step printed it. Absent in runs of one step from before steps were told apart. */
  step: z.string().optional(),
  attempt: z.number().optional(),
});
export interface OutputChunk extends z.infer<typeof outputChunk> {}
