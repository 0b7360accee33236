import { given, meta } from '../platform/decisions/decider-testing';
import {
  CancelRun,
  EndRun,
  FinishRunStep,
  RemoveRunOutput,
  RequestRun,
  RetryRun,
  runsDecider,
  StartRunStep,
} from './runs.decider';
import type { RunEvent } from './runs.decider';

const id = '0193f0a0-0000-7000-8000-000000000007';
const request = {
  kind: 'command',
  subject: { kind: 'server', id: '0193f0a0-0000-7000-8000-000000000001', name: 'web-1' },
  input: { cmdType: 2 },
};
const step = { step: 'command', attempt: 1 };
const output = { bytes: 3, sha256: 'ab' };
const finish = { ...step, outcome: 'succeeded' as const, exitCode: 0, durationMs: 5, output };

const requested: RunEvent = { type: 'RunRequested', data: request };
const { kind } = request;
const started: RunEvent = { type: 'RunStepStarted', data: { ...step, kind } };
const finished: RunEvent = { type: 'RunStepFinished', data: { ...finish, kind } };
const succeeded: RunEvent = { type: 'RunSucceeded', data: { durationMs: 5 } };
const interrupted: RunEvent = { type: 'RunInterrupted', data: { reason: 'lost' } };
const on = (...events: RunEvent[]) => given(runsDecider, events);

describe('a run', () => {
  test('is requested once: the same request again joins it', () =>
    on()
      .when(new RequestRun(id, request, meta))
      .then([requested]));
  test('refuses its id for other work', () => {
    on(requested)
      .when(new RequestRun(id, { ...request, input: { cmdType: 3 } }, meta))
      .thenRejected('unprocessable', 'another run');
    on(requested)
      .when(new RequestRun(id, { ...request, subject: { ...request.subject, id } }, meta))
      .thenRejected('unprocessable');
  });
  test('is joined even if the subject was renamed', () =>
    on(requested)
      .when(new RequestRun(id, { ...request, subject: { ...request.subject, name: 'web-one' } }, meta))
      .thenNothing());
  test('starts a step once', () =>
    on(requested)
      .when(new StartRunStep(id, step, meta))
      .then([started]));
  test('ends together with its last step', () =>
    on(requested, started)
      .when(new FinishRunStep(id, { ...finish, end: { is: 'succeeded', durationMs: 5 } }, meta))
      .then([finished, succeeded]));
  test('finishes a step and stays open if more steps follow', () =>
    on(requested, started)
      .when(new FinishRunStep(id, finish, meta))
      .then([finished]));
  test('has one end: later results change nothing', () => {
    on(requested, started, interrupted)
      .when(new FinishRunStep(id, { ...finish, end: { is: 'succeeded', durationMs: 5 } }, meta))
      .thenNothing();
    on(requested, started, finished, succeeded)
      .when(new EndRun(id, { is: 'interrupted', reason: 'lost' }, meta))
      .thenNothing();
  });
  test('is interrupted, with the reason, if nobody follows it any more', () =>
    on(requested, started)
      .when(new EndRun(id, { is: 'interrupted', reason: 'lost' }, meta))
      .then([interrupted]));
  test('cannot be found if it was never requested', () =>
    on()
      .when(new StartRunStep(id, step, meta))
      .thenRejected('notFound', 'run could not be found'));
  test('is cancelled once, and not after its end', () => {
    on(requested, started)
      .when(new CancelRun(id, {}, meta))
      .then([{ type: 'RunCancelRequested', data: {} }]);
    on(requested, started, finished, succeeded)
      .when(new CancelRun(id, {}, meta))
      .thenNothing();
  });
  test('continues from the failed step when somebody retries it', () => {
    on(requested, started, interrupted)
      .when(new RetryRun(id, { step: 'command' }, meta))
      .then([{ type: 'RunRetried', data: { step: 'command', kind } }]);
    on(requested, started, interrupted, { type: 'RunRetried', data: { step: 'command' } })
      .when(new StartRunStep(id, { ...step, attempt: 2 }, meta))
      .then([{ type: 'RunStepStarted', data: { ...step, attempt: 2, kind } }]);
  });
  test('has nothing to retry after a success', () =>
    on(requested, started, finished, succeeded)
      .when(new RetryRun(id, { step: 'command' }, meta))
      .thenRejected('unprocessable', 'succeeded'));
  test('loses its output once, and only after its end', () => {
    const removed: RunEvent = { type: 'RunOutputRemoved', data: { days: 30, bytes: 3 } };
    const remove = new RemoveRunOutput(id, { days: 30, bytes: 3 }, meta);
    on(requested, started).when(remove).thenRejected('unprocessable', 'has not ended');
    on(requested, started, finished, succeeded).when(remove).then([removed]);
    on(requested, started, finished, succeeded, removed).when(remove).thenNothing();
    const retried: RunEvent = { type: 'RunRetried', data: { step: 'command' } };
    on(requested, started, interrupted, removed, retried).when(remove).thenRejected('unprocessable');
    on(requested, started, interrupted, removed, retried, interrupted).when(remove).then([removed]);
  });
});
