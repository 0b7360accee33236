/** Node only: keeps the read models in Postgres up to date with the log. */
export { asOf, readStreams, viewAt, type AsOfOptions } from './as-of';
export { chain } from './chain';
export type { Instant } from './as-of-streams';
export { AsOfTables } from './as-of-tables';
export { Progress, type ProjectedListener } from './progress';
export type { MaintenanceBook, MaintenanceOrder, MaintenanceOutcome } from './maintain';
export { RebuildRefused } from './maintenance-lock';
export type { RebuildResult } from './rebuild';
export type { RetryResult } from './retry-parked';
export { AnotherLog, followLog, leaveLog, sourceLog, takeUpLog, type SourceLog } from './source-log';
export { ProjectionRunner, type RunnerLogger, type RunnerOptions } from './runner';
export { ensureSchema } from './schema';
export type { RunnerStatus } from './status';
export { waitingPool } from './waiting-pool';
export type { RowDifference, VerifyResult } from './verify';
