export { LeasedRounds } from './leased-rounds';
export { HELD, ProcessLease } from './process-lease';
export { RunLeases } from './run-leases';
export { leasesTables } from './leases.tables';
