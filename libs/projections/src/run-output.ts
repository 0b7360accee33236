/** A piece of what a run printed, as it is stored, answered and pushed. */
export interface OutputChunk {
  /** Counts from 1 in each run, without a gap. */
  seq: number;
  at: string;
  stream: 'out' | 'err';
  text: string;
  /** Which step printed it. Absent in runs of one step from before steps were told apart. */
  step?: string;
  attempt?: number;
}
