import type { AppEvent } from '@quarterdeck/events';
import { runs } from './runs';
import { logOf, viewOf } from './testing/log';

const ID = '0193f0a0-0000-7000-8000-000000000009';
const STREAM = `run-${ID}`;
const SERVER = '0193f0a0-0000-7000-8000-000000000001';
const requested: AppEvent = {
  type: 'RunRequested',
  data: { kind: 'command', subject: { kind: 'server', id: SERVER, name: 'web-1' }, input: { cmdType: 2 } },
};
const started: AppEvent = { type: 'RunStepStarted', data: { step: 'dockerPs', attempt: 1 } };
const output = { bytes: 3, sha256: 'abc' };
const finished: AppEvent = {
  type: 'RunStepFinished',
  data: { step: 'dockerPs', attempt: 1, outcome: 'failed', exitCode: 127, durationMs: 90, output },
};
const view = (...events: AppEvent[]) =>
  viewOf(runs, STREAM, logOf(...events.map((e) => [STREAM, e] as [string, AppEvent])));

describe('the runs read model', () => {
  test('a requested run shows kind, subject and time', () => {
    const seen = view(requested);
    expect(seen).toMatchObject({
      state: 'requested',
      label: 'Docker containers',
      subjectId: SERVER,
      steps: [],
    });
    expect(seen?.requestedPosition).toBe('1');
  });

  test('a started step is running, an ended one keeps its exit code and the digest of its output', () => {
    expect(view(requested, started)).toMatchObject({
      state: 'running',
      startedAt: '2026-11-20T12:00:01.000Z',
    });
    expect(view(requested, started, finished)?.steps).toEqual([
      {
        step: 'dockerPs',
        attempt: 1,
        state: 'failed',
        startedAt: '2026-11-20T12:00:01.000Z',
        durationMs: 90,
        exitCode: 127,
        signal: undefined,
        output,
      },
    ]);
  });

  test('a run waits in line from its request, or its retry, until its next step starts', () => {
    const waits = { ...requested, data: { ...requested.data, waitMs: 60_000 } } as AppEvent;
    const failed: AppEvent = { type: 'RunFailed', data: { durationMs: 90, code: 'exit', reason: 'no' } };
    const retried: AppEvent = { type: 'RunRetried', data: { step: 'dockerPs', waitMs: 5000 } };
    expect(view(waits)).toMatchObject({ state: 'requested', linePosition: '1', waitMs: 60_000 });
    expect(view(waits, started)?.linePosition).toBeUndefined();
    expect(view(waits, failed)?.linePosition).toBeUndefined();
    const again = view(requested, started, finished, failed, retried);
    expect(again).toMatchObject({ state: 'requested', linePosition: '5', waitMs: 5000 });
    expect(again?.endedAt).toBeUndefined();
    // Without a limit, as deploys of earlier versions.
    const deploy = { ...requested, data: { ...requested.data, kind: 'deployService' } } as AppEvent;
    expect(view(deploy)).toMatchObject({ linePosition: '1', waitMs: undefined });
    expect(view(requested)?.linePosition).toBeUndefined();
  });

  test('only the ended attempt is marked', () => {
    const again: AppEvent = { type: 'RunStepStarted', data: { step: 'dockerPs', attempt: 2 } };
    expect(view(requested, started, finished, again)?.steps.map((s) => s.state)).toEqual([
      'failed',
      'running',
    ]);
  });

  test.each([
    [
      { type: 'RunSucceeded', data: { durationMs: 100 } },
      { state: 'succeeded', durationMs: 100 },
    ],
    [
      { type: 'RunFailed', data: { durationMs: 100, code: 'exitCode', reason: 'exit code 127' } },
      { state: 'failed', code: 'exitCode', reason: 'exit code 127' },
    ],
    [
      { type: 'RunInterrupted', data: { reason: 'gone' } },
      { state: 'interrupted', reason: 'gone' },
    ],
    [
      { type: 'RunCancelled', data: { durationMs: 1, reason: 'by Ada' } },
      { state: 'cancelled', reason: 'by Ada' },
    ],
  ] as [AppEvent, object][])('ends as %p', (end, expected) => {
    expect(view(requested, started, end)).toMatchObject({ ...expected, endedAt: '2026-11-20T12:00:02.000Z' });
  });

  test('a run without its output says when it was removed, and keeps the digests', () => {
    const ended: AppEvent = {
      type: 'RunFailed',
      data: { durationMs: 90, code: 'exit', reason: 'exit code 127' },
    };
    const removed: AppEvent = { type: 'RunOutputRemoved', data: { days: 30, bytes: 3 } };
    expect(view(requested, started, finished, ended, removed)).toMatchObject({
      state: 'failed',
      outputRemoved: { at: '2026-11-20T12:00:04.000Z', days: 30, bytes: 3 },
      steps: [{ output }],
    });
  });
});
