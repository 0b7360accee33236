/** Runs: the request, the requester, the progress and the outcome. */
import { runLabel, waitsInLine, type LoggedEvent } from '@quarterdeck/events';
import { catalogue } from '@quarterdeck/events/catalogue';
import { z } from 'zod';
import { defineProjection, rowPerStream } from './define-projection';

export const runState = z.enum(['requested', 'running', 'succeeded', 'failed', 'interrupted', 'cancelled']);
export type RunState = z.infer<typeof runState>;

export const runStepView = z
  .strictObject({
    step: z.string(),
    attempt: z.number(),
    state: z.enum(['running', 'succeeded', 'failed', 'timedOut', 'lost', 'cancelled']),
    startedAt: z.string(),
    durationMs: z.number().optional(),
    exitCode: z.number().optional(),
    signal: z.string().optional(),
    output: z
      .strictObject({
        bytes: z.number(),
        sha256: z.string(),
      })
      .optional(),
    /** Results of the step, as names and values. */
    report: z.record(z.string(), z.string()).optional(),
  })
  .meta({ id: 'RunStep' });
export interface RunStepView extends z.infer<typeof runStepView> {}

export const runView = z
  .strictObject({
    id: z.string(),
    uuid: z.string(),
    workspace: z.string(),
    kind: z.string(),
    /** Label of the kind. */
    label: z.string(),
    subject: z.strictObject({
      kind: z.string(),
      id: z.string(),
      name: z.string(),
    }),
    /** `subject.id` again, as a column for queries. */
    subjectId: z.string(),
    /** The server that the run works on, if that is not the subject itself. */
    server: z
      .strictObject({
        id: z.string(),
        name: z.string(),
      })
      .optional(),
    /** Id of the server that the run works on (subject or not), as a column for queries; empty if there is none. */
    serverId: z.string(),
    input: catalogue.RunRequested.schema.shape.input,
    state: runState,
    requestedBy: z.string(),
    requestedAt: z.string(),
    /** Position of the request. Lists page by it. */
    requestedPosition: z.string(),
    /** Cause: shared by everything that the same request caused. */
    correlationId: z.string(),
    startedAt: z.string().optional(),
    endedAt: z.string().optional(),
    durationMs: z.number().optional(),
    /** Why the run ended in this state, in words and as a stable code. */
    reason: z.string().optional(),
    code: z.string().optional(),
    /** The run that this run is a part of; empty for a run of its own. */
    parent: z.string(),
    /** While the run is in line for its server: the position since which, the time, and for how long at most. */
    linePosition: z.string().optional(),
    lineSince: z.string().optional(),
    waitMs: z.number().optional(),
    /**
     * In line: the run that is under way, or else the next one ahead, and the place in line. Found when the row is read.
     */
    waitsFor: z
      .strictObject({ id: z.string(), label: z.string(), of: z.string(), place: z.number() })
      .optional(),
    /** Somebody asked to cancel it, but it has not ended yet. */
    cancelRequested: z
      .strictObject({
        at: z.string(),
        by: z.string(),
      })
      .optional(),
    /** Earlier output was deleted, this many days after the end of the run. */
    outputRemoved: z
      .strictObject({
        at: z.string(),
        days: z.number(),
        bytes: z.number(),
      })
      .optional(),
    steps: z.array(runStepView),
    revision: z.number(),
    position: z.string(),
  })
  .meta({ id: 'Run' });
export interface RunView extends z.infer<typeof runView> {}

const ofStep = (step: RunStepView, data: { step: string; attempt: number }): boolean =>
  step.step === data.step && step.attempt === data.attempt;

const inLine = ({ position, meta, data }: LoggedEvent): Partial<RunView> => ({
  linePosition: position,
  lineSince: meta.at,
  waitMs: (data as { waitMs?: number }).waitMs,
});

const outOfLine = { linePosition: undefined, lineSince: undefined, waitMs: undefined };

const requested = (id: string, event: Extract<LoggedEvent, { type: 'RunRequested' }>): RunView => ({
  id,
  uuid: id,
  workspace: event.meta.workspace,
  kind: event.data.kind,
  label: runLabel(event.data.kind, event.data.input),
  subject: event.data.subject,
  subjectId: event.data.subject.id,
  ...(event.data.server && { server: event.data.server }),
  serverId: event.data.server?.id ?? (event.data.subject.kind === 'server' ? event.data.subject.id : ''),
  input: event.data.input,
  state: 'requested',
  requestedBy: event.meta.actor,
  requestedAt: event.meta.at,
  requestedPosition: event.position,
  correlationId: event.meta.correlationId,
  parent: event.data.parent ?? '',
  ...(waitsInLine(event.data) && inLine(event)),
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
      const startedAt = view.startedAt ?? at;
      return { ...outOfLine, state: 'running', startedAt, steps: [...view.steps, started] };
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
        ...(event.data.waitMs === undefined
          ? { state: 'running' }
          : { state: 'requested', ...inLine(event) }),
        endedAt: undefined,
        durationMs: undefined,
        reason: undefined,
        code: undefined,
        cancelRequested: undefined,
      };
    case 'RunSucceeded':
      return { ...outOfLine, state: 'succeeded', endedAt: at, durationMs: event.data.durationMs };
    case 'RunFailed':
      return { ...outOfLine, state: 'failed', endedAt: at, ...event.data };
    case 'RunInterrupted':
      return { ...outOfLine, state: 'interrupted', endedAt: at, reason: event.data.reason };
    case 'RunCancelled':
      return { ...outOfLine, state: 'cancelled', endedAt: at, ...event.data };
    case 'RunOutputRemoved':
      return { outputRemoved: { at, ...event.data } };
    default:
      return {};
  }
};

const OPEN = `state in ('requested', 'running')`;
const ENDED = `state not in ('requested', 'running')`;

/** The searched text. The index is used only for exactly this expression. */
const text = `((view->>'label') || ' ' || (view->'subject'->>'name') || ' ' || (view->>'state')
  || ' ' || coalesce(view->'server'->>'name', '') || ' ' || coalesce(view->>'reason', ''))`;

/**
 * Runs whose text contains all patterns. The index of texts has only ended runs: each step would write it again. Of the
 * others there are few.
 * @param patterns placeholders
 */
export const runsThatSay = (patterns: readonly string[]): string => {
  const all = patterns.map((pattern) => `${text} ilike ${pattern}`).join(' and ');
  return `(${ENDED} and ${all} or ${OPEN} and ${all})`;
};

export const runs = defineProjection<RunView>({
  name: 'runs',
  // Increase it when a label changes (`run-words.ts`), as for the subjects and the history.
  version: 9,
  madeBy: 'requestedPosition',
  columns: {
    kind: 'text',
    state: 'text',
    subjectId: 'text',
    serverId: 'text',
    parent: 'text',
    requestedPosition: 'bigint',
    linePosition: 'bigint',
  },
  indexes: [
    '(workspace, "requestedPosition")',
    '(workspace, "subjectId", "requestedPosition")',
    // For the last run and all runs of a server, whatever their subject is.
    `(workspace, "serverId", "requestedPosition") where "serverId" <> ''`,
    `(parent, "requestedPosition") where parent <> ''`,
    `using gin (${text} gin_trgm_ops, workspace) where ${ENDED}`,
    // Runs without an end: the watchdog and the runs drawer query them all the time.
    `(state) where ${OPEN}`,
  ],
  ...rowPerStream('run'),
  evolve: (view, event, key) => {
    if (event.type === 'RunRequested') return requested(key, event);
    if (!view) return undefined;
    return { ...view, ...changes(view, event), revision: event.revision, position: event.position };
  },
});
