import { defineNoun } from './define-noun';
import type { runEvents } from './runs.events';
import { inDays, seconds } from './placement-words';
import { anyStepLabel, runLabel, reasonBesideAsking } from './run-words';

export const run = defineNoun<typeof runEvents>()({
  category: 'run',
  words: { many: 'Runs', one: 'One run' },
  rows: 'runs',
  audience: 'admin',
  named: { RunRequested: (d) => `${runLabel(d.kind, d.input)} on ${d.subject.name}` },
  events: {
    RunRequested: {
      stale: ['runs', 'servers'],
      says: (d) => `requested ${runLabel(d.kind, d.input)} on ${d.subject.name}`,
    },
    RunStepStarted: (d) => `started ${anyStepLabel(d.step)}`,
    RunStepFinished: (d) =>
      `${anyStepLabel(d.step)} ${d.outcome}${d.exitCode === undefined ? '' : ` with exit code ${d.exitCode}`} after ${seconds(d.durationMs)}`,
    RunCancelRequested: () => 'requested cancellation',
    RunRetried: { stale: ['runs', 'servers'], says: (d) => `retried from ${anyStepLabel(d.step)}` },
    RunSucceeded: { stale: ['runs', 'servers'], says: (d) => `succeeded after ${seconds(d.durationMs)}` },
    RunFailed: { stale: ['runs', 'servers'], says: (d) => `failed: ${d.reason}` },
    RunInterrupted: { stale: ['runs', 'servers'], says: (d) => `interrupted: ${d.reason}` },
    RunCancelled: {
      stale: ['runs', 'servers'],
      says: (d) => ['cancelled', reasonBesideAsking(d.reason)].filter(Boolean).join(': '),
    },
    RunOutputRemoved: (d) => `removed its output (${d.bytes} bytes) after ${inDays(d.days)}`,
  },
});
