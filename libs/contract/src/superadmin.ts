/** Calls about the whole installation, for superadmins only. Nothing else reads across workspaces. */
import {
  foreignAcknowledgement,
  listPage,
  maintenanceCancel,
  maintenanceStart,
  nothing,
  parkedRetry,
  superadminRuns,
} from '@quarterdeck/events/inputs';
import {
  installationView,
  listPageOf,
  personSummary,
  readModelsView,
  runSummary,
  workspaceSummary,
} from '@quarterdeck/projections';
import { z } from 'zod';
import { calls } from './call';

const runPage = z.strictObject({ runs: z.array(runSummary), next: z.string().optional() });

const maintenanceStarted = z.strictObject({ maintenance: z.string() });

const retried = z.union([
  z.strictObject({ ok: z.literal(true), rows: z.number() }),
  z.strictObject({ ok: z.literal(false), error: z.string() }),
]);

export const superadmin = calls('superadmin', {
  overview: {
    summary: 'Event log, processes and version of the installation',
    access: 'superadmin',
    input: nothing,
    answer: installationView,
    shows: [],
  },
  acknowledge: {
    summary: 'Acknowledges foreign events up to a position, with a reason',
    access: 'superadmin',
    path: 'foreign/acknowledge',
    input: foreignAcknowledgement,
    answer: z.strictObject({ upTo: z.string() }),
  },
  workspaces: {
    summary: 'One page of all workspaces, with counts',
    access: 'superadmin',
    input: listPage,
    answer: listPageOf(workspaceSummary),
    shows: [],
  },
  people: {
    summary: 'One page of the people of all workspaces',
    access: 'superadmin',
    input: listPage,
    answer: listPageOf(personSummary),
    shows: [],
  },
  runs: {
    summary: 'The runs of all workspaces, newest first, by pages',
    access: 'superadmin',
    input: superadminRuns,
    answer: runPage,
    shows: [],
  },
  projections: {
    summary: 'State of the read models, and their maintenance',
    access: 'superadmin',
    input: nothing,
    answer: readModelsView,
    shows: [],
  },
  rebuild: {
    summary: 'Rebuilds read models beside the ones in use',
    access: 'superadmin',
    path: 'projections/rebuild',
    input: maintenanceStart,
    answer: maintenanceStarted,
  },
  verify: {
    summary: 'Folds the log again beside the live read models and compares row by row',
    access: 'superadmin',
    path: 'projections/verify',
    input: maintenanceStart,
    answer: maintenanceStarted,
  },
  cancel: {
    summary: 'Cancels a rebuild or a verification',
    access: 'superadmin',
    path: 'projections/cancel',
    input: maintenanceCancel,
    answer: maintenanceStarted,
  },
  retry: {
    summary: 'Folds a parked stream again',
    access: 'superadmin',
    path: 'projections/retry',
    input: parkedRetry,
    answer: retried,
  },
});
