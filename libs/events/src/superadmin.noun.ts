import { defineNoun } from './define-noun';
import type { superadminEvents } from './superadmin.events';
import { list, readModelsOf, seconds } from './placement-words';

export const maintenance = defineNoun<typeof superadminEvents>()({
  category: 'maintenance',
  stale: [],
  audience: 'superadmin',
  events: {
    MaintenanceRequested: (d) => `requested to ${d.kind} ${readModelsOf(d.readModel)}`,
    MaintenanceStarted: (d) => `started in ${d.process}${d.attempt > 1 ? `, attempt ${d.attempt}` : ''}`,
    MaintenanceCancelRequested: () => 'requested cancellation',
    RebuildFinished: (d) =>
      `rebuilt ${list(d.readModels)} from ${d.events} events in ${seconds(d.durationMs)}`,
    VerificationFinished: (d) => {
      const wrong = d.compared.filter((one) => one.differing > 0 || one.problem !== undefined);
      const found =
        wrong.length === 0
          ? 'no difference from the log'
          : `different from the log: ${list(wrong.map((w) => w.readModel))}`;
      return `verified ${list(d.compared.map((one) => one.readModel))} in ${seconds(d.durationMs)}: ${found}`;
    },
    MaintenanceFailed: (d) => `failed: ${d.reason}`,
    MaintenanceCancelled: () => 'cancelled; the read models are unchanged',
    ParkedStreamRetryRequested: (d) =>
      `requested to fold ${d.stream} into ${readModelsOf(d.readModel)} again`,
  },
});
