import { foldEvents } from '../platform/decider';
import { nextStep, toldBy, type NextMove } from './next-step';
import type { RunContext, Step } from './run-kind';
import { runsDecider, type RunEvent, type StepEnd } from './runs.decider';

const remote = (name: string, more: Partial<Step> = {}): Step =>
  ({ on: 'server', name, script: 'true', timeoutMs: 1000, repeatable: false, ...more }) as Step;
const steps = [
  remote('look', { repeatable: true }),
  remote('only on debian', { when: ({ reports }) => reports.look?.os === 'debian' }),
  remote('install'),
];

const id = '0193f0a0-0000-7000-8000-000000000001';
const request = { kind: 'test', subject: { kind: 'server', id, name: 'web-1' }, input: {} };
const requested: RunEvent = { type: 'RunRequested', data: request };
const started = (step: string, attempt = 1): RunEvent => ({
  type: 'RunStepStarted',
  data: { step, attempt },
});
const finished = (step: string, outcome: StepEnd['outcome'], more: Partial<StepEnd> = {}): RunEvent => ({
  type: 'RunStepFinished',
  data: { step, attempt: 1, outcome, durationMs: 5, output: { bytes: 0, sha256: '' }, ...more },
});
const succeeded = (step: string, report?: Record<string, string>): RunEvent[] => [
  started(step),
  finished(step, 'succeeded', { exitCode: 0, ...(report && { report }) }),
];
const cancelRequested: RunEvent = { type: 'RunCancelRequested', data: {} };

const after = (...events: RunEvent[]): NextMove => {
  const state = foldEvents(runsDecider, [requested, ...events]);
  const context: RunContext = { run: id, request, ...toldBy(state) };
  return nextStep(steps, state, context, { elapsedMs: 9 });
};
const starts = (step: string, attempt = 1) => ({ do: 'start', step: { name: step }, attempt });

describe('a run', () => {
  test('begins with its first step', () => expect(after()).toMatchObject(starts('look')));
  test('follows a started step that has not ended', () =>
    expect(after(started('look'))).toMatchObject({ do: 'follow', step: { name: 'look' }, attempt: 1 }));
  test('depends on what earlier steps found', () => {
    expect(after(...succeeded('look', { os: 'debian' }))).toMatchObject(starts('only on debian'));
    expect(after(...succeeded('look', { os: 'alpine' }))).toMatchObject(starts('install'));
  });
  test('succeeds after its last step', () =>
    expect(after(...succeeded('look'), ...succeeded('install'))).toEqual({
      do: 'end',
      end: { is: 'succeeded', durationMs: 9 },
    }));
  test('fails with its failed step, and names the exit code', () =>
    expect(after(started('look'), finished('look', 'failed', { exitCode: 3 }))).toMatchObject({
      do: 'end',
      end: { is: 'failed', code: 'exit', reason: 'look ended with exit code 3' },
    }));
  test('does nothing more after its end', () =>
    expect(
      after(...succeeded('look'), { type: 'RunFailed', data: { durationMs: 1, code: 'x', reason: 'y' } }),
    ).toEqual({ do: 'nothing' }));
});

describe('a step of unknown outcome', () => {
  const lost = (step: string, attempt: number): RunEvent[] => [
    started(step, attempt),
    finished(step, 'lost', { attempt }),
  ];
  test('is repeated if that is harmless, but not for ever', () => {
    expect(after(...lost('look', 1))).toMatchObject(starts('look', 2));
    const often = Array.from({ length: 10 }, (_, i) => lost('look', i + 1)).flat();
    expect(after(...often)).toMatchObject({ end: { is: 'interrupted' } });
  });
  test('is not repeated otherwise: an operator decides', () =>
    expect(after(...succeeded('look'), ...lost('install', 1))).toMatchObject({ end: { is: 'interrupted' } }));
});

describe('a cancelled run', () => {
  test('starts nothing more, and is cancelled when its step ends', () => {
    expect(after(cancelRequested)).toMatchObject({ end: { is: 'cancelled' } });
    expect(after(...succeeded('look'), cancelRequested)).toMatchObject({ end: { is: 'cancelled' } });
    expect(after(started('look'), cancelRequested, finished('look', 'cancelled'))).toMatchObject({
      end: { is: 'cancelled' },
    });
  });
  test('repeats a lost step once if it starts runs, so that it ends them, and no other step', () => {
    const lost = (step: string): RunEvent[] => [started(step), finished(step, 'lost'), cancelRequested];
    expect(after(...lost('look'))).toMatchObject({ end: { is: 'cancelled' } });
    const parts = { ...steps[0], on: 'console', startsRuns: true } as Step;
    const state = foldEvents(runsDecider, [requested, ...lost('look')]);
    const context: RunContext = { run: id, request, ...toldBy(state) };
    expect(nextStep([parts], state, context, { elapsedMs: 9 })).toMatchObject(starts('look', 2));
  });
  test('waits for the end of the running step', () =>
    expect(after(started('look'), cancelRequested)).toMatchObject({ do: 'follow' }));
  test('settles what its steps left, once, and is cancelled whatever comes of that', () => {
    const settle = remote('settle', { repeatable: true, settles: true });
    const next = (...events: RunEvent[]) => {
      const state = foldEvents(runsDecider, [requested, ...events]);
      const context: RunContext = { run: id, request, ...toldBy(state) };
      return nextStep([...steps, settle], state, context, { elapsedMs: 9 });
    };
    expect(next(cancelRequested)).toMatchObject({ end: { is: 'cancelled' } });
    const cancelled = [started('look'), cancelRequested, finished('look', 'cancelled')];
    expect(next(...cancelled)).toMatchObject(starts('settle', 1));
    for (const outcome of ['succeeded', 'failed', 'timedOut'] as const)
      expect(next(...cancelled, started('settle'), finished('settle', outcome))).toMatchObject({
        end: { is: 'cancelled' },
      });
    const lost = [started('settle'), finished('settle', 'lost')];
    expect(next(...cancelled, ...lost)).toMatchObject(starts('settle', 2));
    const all = [...succeeded('look'), ...succeeded('install')];
    expect(next(...all)).toMatchObject({ end: { is: 'succeeded' } });
  });
});

describe('a retried run', () => {
  const failedAtInstall: RunEvent[] = [
    ...succeeded('look', { os: 'alpine' }),
    started('install'),
    finished('install', 'failed', { exitCode: 1, report: { changed: 'installed curl' } }),
    { type: 'RunFailed', data: { durationMs: 5, code: 'exit', reason: 'install ended with exit code 1' } },
    { type: 'RunRetried', data: { step: 'install' } },
  ];
  test('repeats the failed step, and not those before it', () =>
    expect(after(...failedAtInstall)).toMatchObject(starts('install', 2)));
  test('keeps what earlier steps found', () => {
    const state = foldEvents(runsDecider, [requested, ...failedAtInstall]);
    expect(toldBy(state).reports).toEqual({ look: { os: 'alpine' } });
  });
  test('keeps the reports of all ended attempts, including failed ones', () => {
    const again = [
      started('install', 2),
      finished('install', 'succeeded', { attempt: 2, exitCode: 0, report: { changed: 'installed nginx' } }),
      started('tidy'),
    ];
    const state = foldEvents(runsDecider, [requested, ...failedAtInstall, ...again]);
    expect(toldBy(state)).toEqual({
      reports: { look: { os: 'alpine' }, install: { changed: 'installed nginx' } },
      attempts: [
        { step: 'look', attempt: 1, outcome: 'succeeded', report: { os: 'alpine' } },
        { step: 'install', attempt: 1, outcome: 'failed', report: { changed: 'installed curl' } },
        { step: 'install', attempt: 2, outcome: 'succeeded', report: { changed: 'installed nginx' } },
      ],
    });
  });
});

test('a retry begins with the step that prepared what cannot be used twice, where that applies', () => {
  for (const [applies, begun] of [
    [true, 'prepare'],
    [false, 'use'],
  ] as const) {
    const events = [...succeeded('prepare'), started('use'), finished('use', 'failed')];
    const failed: RunEvent = { type: 'RunFailed', data: { durationMs: 1, code: 'x', reason: 'y' } };
    const retried: RunEvent = { type: 'RunRetried', data: { step: 'use' } };
    const state = foldEvents(runsDecider, [requested, ...events, failed, retried]);
    const prepared = [remote('prepare', { when: () => applies }), remote('use', { retriesFrom: 'prepare' })];
    const next = nextStep(prepared, state, { run: id, request, ...toldBy(state) }, { elapsedMs: 9 });
    expect(next).toMatchObject(starts(begun, 2));
  }
});
