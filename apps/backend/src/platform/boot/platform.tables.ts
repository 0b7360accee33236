/** The tables of the platform's rooms. */
import { installationTables, type Tables } from '../database';
import { claimsTables } from '../decisions';
import { receiptsTables } from '../http';
import { leasesTables } from '../leases';
import { runOutputTables } from '../run-output';
import { sessionsTables } from '../sessions';
import { vaultTables } from '../vault';

export const platformTables: readonly Tables[] = [
  installationTables,
  claimsTables,
  leasesTables,
  receiptsTables,
  runOutputTables,
  sessionsTables,
  vaultTables,
];
