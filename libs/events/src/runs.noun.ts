import type { EventData } from './catalogue';
import { defineNoun } from './define-noun';
import type { runEvents } from './runs.events';
import { inDays, seconds } from './placement-words';
import { anyStepLabel, runLabel, reasonBesideAsking, stepLabel } from './run-words';

/** A step in the words of the run's page. */
const stepOf = ({ kind, step }: { kind?: string | undefined; step: string }): string =>
  `the step "${kind === undefined ? anyStepLabel(step) : stepLabel(kind, step)}"`;

/** How a step ended, before its name. */
const stepEnds: Readonly<Record<EventData<'RunStepFinished'>['outcome'], string>> = {
  succeeded: 'finished',
  failed: 'failed in',
  timedOut: 'ran out of time in',
  lost: 'lost the connection in',
  cancelled: 'cancelled',
};

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
    RunStepStarted: (d) => `started ${stepOf(d)}`,
    RunStepFinished: (d) =>
      `${stepEnds[d.outcome]} ${stepOf(d)}${d.exitCode ? ` with exit code ${d.exitCode}` : ''} after ${seconds(d.durationMs)}`,
    RunCancelRequested: () => 'requested cancellation',
    RunRetried: { stale: ['runs', 'servers'], says: (d) => `retried from ${stepOf(d)}` },
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
