/** Runs: what was asked, by whom, how far it got and how it ended. */
import { runLabel, streamParts, type EventData, type LoggedEvent, type Position } from '@quarterdeck/events';
import { defineProjection } from './define-projection';

export type RunState = 'requested' | 'running' | 'succeeded' | 'failed' | 'interrupted' | 'cancelled';

export interface RunStepView {
  step: string;
  attempt: number;
  state: 'running' | 'succeeded' | 'failed' | 'timedOut' | 'lost' | 'cancelled';
  startedAt: string;
  durationMs?: number;
  exitCode?: number;
  signal?: string;
  output?: { bytes: number; sha256: string };
  /** What the step found, as names and values. */
  report?: Record<string, string>;
}

export interface RunView {
  id: string;
  uuid: string;
  workspace: string;
  kind: string;
  /** The kind in words. */
  label: string;
  subject: { kind: string; id: string; name: string };
  /** `subject.id` again, where a query can find it. */
  subjectId: string;
  /** Where it works, when the subject is not itself a server. */
  server?: { id: string; name: string };
  input: EventData<'RunRequested'>['input'];
  state: RunState;
  requestedBy: string;
  requestedAt: string;
  /** Of the request: lists page by it. */
  requestedPosition: Position;
  /** Why: shared with everything that the same request set in motion. */
  correlationId: string;
  startedAt?: string;
  endedAt?: string;
  durationMs?: number;
  /** Why it ended as it did, in words, and as a code that does not change. */
  reason?: string;
  code?: string;
  /** The run that this one is a part of; empty for a run of its own. */
  parent: string;
  /** Somebody asked for its end, which has not come yet. */
  cancelRequested?: { at: string; by: string };
  /** What was printed before is gone, so many days after the end of the run. */
  outputRemoved?: { at: string; days: number; bytes: number };
  steps: RunStepView[];
  revision: number;
  position: Position;
}

const ofStep = (step: RunStepView, data: { step: string; attempt: number }): boolean =>
  step.step === data.step && step.attempt === data.attempt;

const requested = (id: string, event: Extract<LoggedEvent, { type: 'RunRequested' }>): RunView => ({
  id,
  uuid: id,
  workspace: event.meta.workspace,
  kind: event.data.kind,
  label: runLabel(event.data.kind, event.data.input),
  subject: event.data.subject,
  subjectId: event.data.subject.id,
  ...(event.data.server && { server: event.data.server }),
  input: event.data.input,
  state: 'requested',
  requestedBy: event.meta.actor,
  requestedAt: event.meta.at,
  requestedPosition: event.position,
  correlationId: event.meta.correlationId,
  parent: event.data.parent ?? '',
  steps: [],
  revision: event.revision,
  position: event.position,
});

const changes = (view: RunView, event: LoggedEvent): Partial<RunView> => {
  const { at } = event.meta;
  switch (event.type) {
    case 'RunStepStarted': {
      const { step, attempt } = event.data;
      const started: RunStepView = { step, attempt, state: 'running', startedAt: at };
      return { state: 'running', startedAt: view.startedAt ?? at, steps: [...view.steps, started] };
    }
    case 'RunStepFinished': {
      const { outcome, exitCode, signal, durationMs, output, report } = event.data;
      const end = { state: outcome, durationMs, exitCode, signal, output, report };
      return { steps: view.steps.map((step) => (ofStep(step, event.data) ? { ...step, ...end } : step)) };
    }
    case 'RunCancelRequested':
      return { cancelRequested: { at, by: event.meta.actor } };
    case 'RunRetried':
      return {
        state: 'running',
        endedAt: undefined,
        durationMs: undefined,
        reason: undefined,
        code: undefined,
        cancelRequested: undefined,
      };
    case 'RunSucceeded':
      return { state: 'succeeded', endedAt: at, durationMs: event.data.durationMs };
    case 'RunFailed':
      return { state: 'failed', endedAt: at, ...event.data };
    case 'RunInterrupted':
      return { state: 'interrupted', endedAt: at, reason: event.data.reason };
    case 'RunCancelled':
      return { state: 'cancelled', endedAt: at, ...event.data };
    case 'RunOutputRemoved':
      return { outputRemoved: { at, ...event.data } };
    default:
      return {};
  }
};

export const runs = defineProjection<RunView>({
  name: 'runs',
  // Counted up when a label reads otherwise (`run-words.ts`), as for the subjects and the history.
  version: 4,
  madeBy: 'requestedPosition',
  columns: { kind: 'text', state: 'text', subjectId: 'text', parent: 'text', requestedPosition: 'bigint' },
  indexes: [
    '(workspace, "requestedPosition" desc)',
    '(workspace, "subjectId", "requestedPosition" desc)',
    `(parent, "requestedPosition") where parent <> ''`,
    // What has no end yet: the watchdog and the runs drawer ask for it all the time.
    `(state) where state in ('requested', 'running')`,
  ],
  keys: (event) => {
    const { category, id } = streamParts(event.stream);
    return category === 'run' ? [id] : [];
  },
  evolve: (view, event, key) => {
    if (event.type === 'RunRequested') return requested(key, event);
    if (!view) return undefined;
    return { ...view, ...changes(view, event), revision: event.revision, position: event.position };
  },
});
