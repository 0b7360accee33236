/** Created at the edge, so that the code behind it needs neither clock nor randomness. */
export interface CommandMeta {
  actor: string;
  workspace: string;
  correlationId: string;
  causationId: string;
  /** ISO instant at which the command arrived. */
  at: string;
  commandId: string;
  /**
   * The caller sent an Idempotency-Key: `commandId` is derived from it, and event ids must be derived from `commandId`.
   */
  keyed?: true;
  /** The caller wants the run to wait in line if another one changes its server. */
  waits?: true;
}
