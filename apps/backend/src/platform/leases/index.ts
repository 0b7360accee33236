export { LeasedRounds } from './leased-rounds';
export { LeasedWork } from './leased-work';
export { HELD, Leases } from './leases';
export { leasesTables } from './leases.tables';
export { ProcessLease } from './process-lease';
