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
import { demo, page, position } from './demo';

const runPage = z.strictObject({ runs: z.array(runSummary), next: z.string().optional() });

const maintenanceStarted = z.strictObject({ maintenance: z.string() });

const retried = z.union([
  z.strictObject({ ok: z.literal(true), rows: z.number() }),
  z.strictObject({ ok: z.literal(false), error: z.string() }),
]);

export const superadmin = calls('superadmin', 'superadmin', {
  overview: {
    summary: 'Event log, processes and version of the installation',
    input: nothing,
    answer: installationView,
    shows: [],
  },
  acknowledge: {
    summary: 'Acknowledges foreign events up to a position, with a reason',
    path: 'foreign/acknowledge',
    input: foreignAcknowledgement,
    example: { upTo: position, reason: 'known' },
    answer: z.strictObject({ upTo: z.string() }),
  },
  workspaces: {
    summary: 'One page of all workspaces, with counts',
    input: listPage,
    example: page,
    answer: listPageOf(workspaceSummary),
    shows: [],
  },
  people: {
    summary: 'One page of the people of all workspaces',
    input: listPage,
    example: page,
    answer: listPageOf(personSummary),
    shows: [],
  },
  runs: {
    summary: 'The runs of all workspaces, newest first, by pages',
    input: superadminRuns,
    example: { state: 'running', search: 'docker', before: position },
    answer: runPage,
    shows: [],
  },
  projections: {
    summary: 'State of the read models, and their maintenance',
    input: nothing,
    answer: readModelsView,
    shows: [],
  },
  rebuild: {
    summary: 'Rebuilds read models beside the ones in use',
    path: 'projections/rebuild',
    input: maintenanceStart,
    example: { readModel: 'servers' },
    answer: maintenanceStarted,
  },
  verify: {
    summary: 'Folds the log again beside the live read models and compares row by row',
    path: 'projections/verify',
    input: maintenanceStart,
    example: { readModel: 'servers' },
    answer: maintenanceStarted,
  },
  cancel: {
    summary: 'Cancels a rebuild or a verification',
    path: 'projections/cancel',
    input: maintenanceCancel,
    example: { maintenance: demo.maintenance },
    answer: maintenanceStarted,
  },
  retry: {
    summary: 'Folds a parked stream again',
    path: 'projections/retry',
    input: parkedRetry,
    example: { readModel: 'servers', stream: `server-${demo.server}` },
    answer: retried,
  },
});
