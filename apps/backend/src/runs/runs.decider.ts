/** The life cycle of a run: request, steps, one end. Late results do not change a run that has ended. */
import { waitsInLine, type EventData, type EventsOf } from '@quarterdeck/events';
import type { runEvents } from '@quarterdeck/events/catalogue';
import { command, type CommandOf, type Decider } from '../platform/decider';
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

export class RequestRun extends command('RequestRun', { opens: true, idempotent: true })<RunRequest>() {}
export class StartRunStep extends command('StartRunStep', { idempotent: true })<StepName>() {}
/** `end`: this was the last step, so it ends the run. */
export class FinishRunStep extends command('FinishRunStep', { idempotent: true })<
  StepEnd & { end?: RunEnd }
>() {}
export class EndRun extends command('EndRun', { idempotent: true })<RunEnd>() {}
export class CancelRun extends command('CancelRun', { idempotent: true })<object>() {}
/** `step`: the one that did not succeed. `waitMs`: the run waits in line for at most this long. */
export class RetryRun extends command('RetryRun', { idempotent: true })<EventData<'RunRetried'>>() {}

/** Records that the output is deleted, `days` after the end. Only for a run that has ended. */
export class RemoveRunOutput extends command('RemoveRunOutput', { idempotent: true })<
  EventData<'RunOutputRemoved'>
>() {}

const runCommands = [RequestRun, StartRunStep, FinishRunStep, EndRun, CancelRun, RetryRun, RemoveRunOutput];
export type RunCommand = CommandOf<typeof runCommands>;

/** Whether both requests are for the same work. The name of the subject may have changed meanwhile. */
export const sameRequest = (a: RunRequest, b: RunRequest): boolean =>
  a.kind === b.kind &&
  a.subject.kind === b.subject.kind &&
  a.subject.id === b.subject.id &&
  JSON.stringify(a.input) === JSON.stringify(b.input);

const request = ({ data }: RequestRun, state: RunState): RunEvent[] => {
  if (state.is === 'unknown') return [{ type: 'RunRequested', data }];
  if (sameRequest(data, state.request)) return [];
  throw new DomainError('unprocessable', 'this run id belongs to another run');
};

const sameStep = (a: StepName, b: StepName): boolean => a.step === b.step && a.attempt === b.attempt;

const endTypes = {
  succeeded: 'RunSucceeded',
  failed: 'RunFailed',
  interrupted: 'RunInterrupted',
  cancelled: 'RunCancelled',
} as const;

const endEvent = ({ is, ...data }: RunEnd): RunEvent => ({ type: endTypes[is], data }) as RunEvent;

const finish = ({ data: { end, ...step } }: FinishRunStep, { steps }: OpenRun): RunEvent[] => {
  const open = steps.some((known) => sameStep(known, step) && !known.finished);
  return [
    ...(open ? [{ type: 'RunStepFinished', data: step } as const] : []),
    ...(end ? [endEvent(end)] : []),
  ];
};

const retry = ({ data }: RetryRun, state: OpenRun | EndedRun): RunEvent[] => {
  if (state.is === 'open') return [];
  if (state.end.is === 'succeeded')
    throw new DomainError('unprocessable', 'this run succeeded; there is nothing to retry');
  return [{ type: 'RunRetried', data }];
};

const removeOutput = ({ data }: RemoveRunOutput, state: OpenRun | EndedRun): RunEvent[] => {
  if (state.is === 'open')
    throw new DomainError('unprocessable', 'this run has not ended; its output cannot be removed');
  return state.outputRemoved ? [] : [{ type: 'RunOutputRemoved', data }];
};

const decide = (given: RunCommand, state: RunState): readonly RunEvent[] => {
  if (given.type === 'RequestRun') return request(given, state);
  if (state.is === 'unknown') throw notFound('run');
  if (given.type === 'RetryRun') return retry(given, state);
  if (given.type === 'RemoveRunOutput') return removeOutput(given, state);
  if (state.is === 'ended') return [];
  switch (given.type) {
    case 'StartRunStep':
      return state.steps.some((known) => sameStep(known, given.data))
        ? []
        : [{ type: 'RunStepStarted', data: given.data }];
    case 'FinishRunStep':
      return finish(given, state);
    case 'EndRun':
      return [endEvent(given.data)];
    case 'CancelRun':
      return state.cancelRequested ? [] : [{ type: 'RunCancelRequested', data: {} }];
  }
};

const ended = ({ request, steps }: OpenRun, end: RunEnd): EndedRun => ({ is: 'ended', request, steps, end });

const evolve = (state: RunState, event: RunEvent): RunState => {
  if (event.type === 'RunRequested')
    return { is: 'open', request: event.data, steps: [], ...(waitsInLine(event.data) && { inLine: true }) };
  if (state.is === 'ended' && event.type === 'RunRetried') {
    const { request, steps } = state;
    const { step: retryFrom, waitMs } = event.data;
    return { is: 'open', request, steps, retryFrom, ...(waitMs !== undefined && { inLine: true }) };
  }
  if (state.is === 'ended' && event.type === 'RunOutputRemoved') return { ...state, outputRemoved: true };
  if (state.is !== 'open') return state;
  switch (event.type) {
    case 'RunStepStarted': {
      const { retryFrom: _taken, inLine: _over, ...rest } = state;
      return { ...rest, steps: [...state.steps, event.data] };
    }
    case 'RunStepFinished': {
      const steps = state.steps.map((known) =>
        sameStep(known, event.data) ? { ...known, finished: event.data } : known,
      );
      return { ...state, steps };
    }
    case 'RunCancelRequested':
      return { ...state, cancelRequested: true };
    case 'RunRetried':
    case 'RunOutputRemoved':
      return state;
    case 'RunSucceeded':
      return ended(state, { is: 'succeeded', ...event.data });
    case 'RunFailed':
      return ended(state, { is: 'failed', ...event.data });
    case 'RunInterrupted':
      return ended(state, { is: 'interrupted', ...event.data });
    case 'RunCancelled':
      return ended(state, { is: 'cancelled', ...event.data });
  }
};

export const runsDecider: Decider<RunState, RunCommand, RunEvent> = {
  category: 'run',
  commands: runCommands,
  initial: { is: 'unknown' },
  decide,
  evolve,
};
