/** Node only: keeps the read models in Postgres up to date with the log. */
export { asOf, viewAt, type Moment, type PastOptions } from './as-of';
export { chain } from './chain';
export { Progress, type ProjectedListener } from './progress';
export { RebuildRefused, type RebuildProgress, type RebuildResult } from './rebuild';
export type { RetryResult } from './retry-parked';
export { ProjectionRunner, type RunnerLogger, type RunnerOptions } from './runner';
export { ensureSchema } from './schema';
export type { Lag, ParkedStream, ProjectionStatus, RunnerStatus } from './status';
export type { RowDifference, VerifyResult } from './verify';
