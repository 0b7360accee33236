/** The life cycle of a run: request, steps, one end. Late results do not change a run that has ended. */
import { waitsInLine, type EventData, type EventsOf } from '@quarterdeck/events';
import type { runEvents } from '@quarterdeck/events/catalogue';
import { command, deciderOf, foldsWhile } from '../platform/decider';
import { DomainError, notFound } from '../platform/errors';

export type RunEvent = EventsOf<typeof runEvents>;
export type RunRequest = EventData<'RunRequested'>;
export type StepEnd = EventData<'RunStepFinished'>;
type StepName = EventData<'RunStepStarted'>;

export type RunEnd =
  | { is: 'succeeded'; durationMs: number }
  | { is: 'failed'; durationMs: number; code: string; reason: string }
  | { is: 'interrupted'; reason: string }
  | { is: 'cancelled'; durationMs: number; reason: string };

export interface StepState extends StepName {
  /** Absent while the step is running. */
  finished?: StepEnd;
}

interface Progress {
  request: RunRequest;
  /** In the order in which they were started. */
  steps: readonly StepState[];
}

export type OpenRun = Progress & {
  is: 'open';
  cancelRequested?: true;
  /** Set by a retry: the step to repeat. */
  retryFrom?: string;
  /** It waits for its server. Its next step starts when its turn comes. */
  inLine?: true;
};
export type EndedRun = Progress & { is: 'ended'; end: RunEnd; outputRemoved?: true };
export type RunState = { is: 'unknown' } | OpenRun | EndedRun;

/** Whether both requests are for the same work. The name of the subject may have changed meanwhile. */
export const sameRequest = (a: RunRequest, b: RunRequest): boolean =>
  a.kind === b.kind &&
  a.subject.kind === b.subject.kind &&
  a.subject.id === b.subject.id &&
  JSON.stringify(a.input) === JSON.stringify(b.input);

const sameStep = (a: StepName, b: StepName): boolean => a.step === b.step && a.attempt === b.attempt;

/** A rule about runs that were requested. No other one is found. */
const ofKnown =
  <D>(rule: (data: D, run: OpenRun | EndedRun) => readonly RunEvent[]) =>
  (data: D, state: RunState): readonly RunEvent[] => {
    if (state.is === 'unknown') throw notFound('run');
    return rule(data, state);
  };

/** A rule about runs that have not ended. Late results change nothing. */
const ofOpen = <D>(rule: (data: D, run: OpenRun) => readonly RunEvent[]) =>
  ofKnown((data: D, run) => (run.is === 'open' ? rule(data, run) : []));

const endTypes = {
  succeeded: 'RunSucceeded',
  failed: 'RunFailed',
  interrupted: 'RunInterrupted',
  cancelled: 'RunCancelled',
} as const;

const endEvent = ({ is, ...data }: RunEnd): RunEvent => ({ type: endTypes[is], data }) as RunEvent;

export class RequestRun extends command('RequestRun', { opens: true, idempotent: true })(
  (data: RunRequest, state: RunState) => {
    if (state.is === 'unknown') return [{ type: 'RunRequested', data }];
    if (sameRequest(data, state.request)) return [];
    throw new DomainError('unprocessable', 'this run id belongs to another run');
  },
) {}

export class StartRunStep extends command('StartRunStep', { idempotent: true })(
  ofOpen((data: StepName, { request: { kind }, steps }) =>
    steps.some((known) => sameStep(known, data)) ? [] : [{ type: 'RunStepStarted', data: { ...data, kind } }],
  ),
) {}

/** `end`: this was the last step, so it ends the run. */
export class FinishRunStep extends command('FinishRunStep', { idempotent: true })(
  ofOpen(({ end, ...step }: StepEnd & { end?: RunEnd }, { request: { kind }, steps }) => {
    const open = steps.some((known) => sameStep(known, step) && !known.finished);
    return [
      ...(open ? [{ type: 'RunStepFinished', data: { ...step, kind } } as const] : []),
      ...(end ? [endEvent(end)] : []),
    ];
  }),
) {}

export class EndRun extends command('EndRun', { idempotent: true })(
  ofOpen((end: RunEnd) => [endEvent(end)]),
) {}

export class CancelRun extends command('CancelRun', { idempotent: true })(
  ofOpen((_: object, { cancelRequested }) =>
    cancelRequested ? [] : [{ type: 'RunCancelRequested', data: {} }],
  ),
) {}

/** `step`: the one that did not succeed. `waitMs`: the run waits in line for at most this long. */
export class RetryRun extends command('RetryRun', { idempotent: true })(
  ofKnown((data: EventData<'RunRetried'>, run) => {
    if (run.is === 'open') return [];
    if (run.end.is === 'succeeded')
      throw new DomainError('unprocessable', 'this run succeeded; there is nothing to retry');
    return [{ type: 'RunRetried', data: { ...data, kind: run.request.kind } }];
  }),
) {}

/** Records that the output is deleted, `days` after the end. Only for a run that has ended. */
export class RemoveRunOutput extends command('RemoveRunOutput', { idempotent: true })(
  ofKnown((data: EventData<'RunOutputRemoved'>, run) => {
    if (run.is === 'open')
      throw new DomainError('unprocessable', 'this run has not ended; its output cannot be removed');
    return run.outputRemoved ? [] : [{ type: 'RunOutputRemoved', data }];
  }),
) {}

const ended = ({ request, steps }: OpenRun, end: RunEnd): EndedRun => ({ is: 'ended', request, steps, end });

export const runsDecider = deciderOf<RunState, RunEvent>()({
  category: 'run',
  initial: { is: 'unknown' },
  commands: [RequestRun, StartRunStep, FinishRunStep, EndRun, CancelRun, RetryRun, RemoveRunOutput],
  evolve: {
    RunRequested: (_, request) => ({
      is: 'open',
      request,
      steps: [],
      ...(waitsInLine(request) && { inLine: true }),
    }),
    ...foldsWhile<RunState, RunEvent>()('ended', {
      RunRetried: ({ request, steps }, { step: retryFrom, waitMs }) => ({
        is: 'open',
        request,
        steps,
        retryFrom,
        ...(waitMs !== undefined && { inLine: true }),
      }),
      RunOutputRemoved: (run) => ({ ...run, outputRemoved: true }),
    }),
    ...foldsWhile<RunState, RunEvent>()('open', {
      RunStepStarted: ({ retryFrom: _taken, inLine: _over, ...run }, step) => ({
        ...run,
        steps: [...run.steps, step],
      }),
      RunStepFinished: (run, step) => ({
        ...run,
        steps: run.steps.map((known) => (sameStep(known, step) ? { ...known, finished: step } : known)),
      }),
      RunCancelRequested: (run) => ({ ...run, cancelRequested: true }),
      RunSucceeded: (run, data) => ended(run, { is: 'succeeded', ...data }),
      RunFailed: (run, data) => ended(run, { is: 'failed', ...data }),
      RunInterrupted: (run, data) => ended(run, { is: 'interrupted', ...data }),
      RunCancelled: (run, data) => ended(run, { is: 'cancelled', ...data }),
    }),
  },
});
