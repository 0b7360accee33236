export { LeasedRounds } from './leased-rounds';
export { ProcessLease } from './process-lease';
export { RunLeases } from './run-leases';
