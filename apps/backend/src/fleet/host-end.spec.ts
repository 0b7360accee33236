// covers: SRV-15
import type { RunView } from '@quarterdeck/projections';
import { cancelledOf, countsOf, endByEvent, endByView, failureOf, lineOf, type HostEnd } from './host-end';

describe('the outcome on a server', () => {
  test.each([
    [{ is: 'succeeded', durationMs: 412, exitCode: 0 }, 'web-1 succeeded after 0.41 s, exit code 0'],
    [
      { is: 'failed', durationMs: 12_400, exitCode: 3, reason: 'script ended with exit code 3' },
      'web-1 failed after 12 s, exit code 3',
    ],
    [
      { is: 'failed', durationMs: 20, reason: 'Nothing listens at 10.0.0.3 port 22' },
      'web-1 failed after 0.02 s: Nothing listens at 10.0.0.3 port 22',
    ],
    [
      { is: 'cancelled', durationMs: 900, reason: 'as an operator asked' },
      'web-1 was cancelled after 0.90 s',
    ],
    [{ is: 'interrupted', reason: 'not known' }, 'web-1 was interrupted: not known'],
    [
      { is: 'notStarted', reason: 'Docker prune is under way' },
      'web-1 was not started: Docker prune is under way',
    ],
  ] as [HostEnd, string][])('%j is written as one line', (end, line) =>
    expect(lineOf('web-1', end)).toBe(line),
  );

  test('is the same from the events of its run and from its view', () => {
    const failed = { durationMs: 20, code: 'exit', reason: 'ended with exit code 3' };
    const end = { is: 'failed', durationMs: 20, exitCode: 3, reason: 'ended with exit code 3' };
    expect(endByEvent({ type: 'RunFailed', data: failed }, 3)).toEqual(end);
    expect(endByView({ state: 'failed', ...failed, steps: [{ exitCode: 3 }] } as RunView)).toEqual(end);
  });

  test('is undefined before the end', () => {
    expect(endByEvent({ type: 'RunStepStarted', data: {} }, undefined)).toBeUndefined();
    expect(endByView({ state: 'running', steps: [] } as unknown as RunView)).toBeUndefined();
  });
});

describe('the outcome on all servers', () => {
  const all: HostEnd[] = [
    { is: 'succeeded' },
    { is: 'failed' },
    { is: 'succeeded' },
    { is: 'notStarted' },
    { is: 'succeeded' },
  ];
  test('is counted', () =>
    expect(countsOf(all)).toEqual({ servers: '5', succeeded: '3', failed: '1', notStarted: '1' }));
  test('is a failure if any server failed', () => {
    expect(failureOf(all)).toBe('2 of 5 servers failed');
    expect(failureOf([{ is: 'succeeded' }])).toBeUndefined();
  });
  test('is no failure because of a cancelled one', () => {
    const cancelled: HostEnd[] = [{ is: 'succeeded' }, { is: 'cancelled' }];
    expect(failureOf(cancelled)).toBeUndefined();
    expect(cancelledOf(cancelled)).toBe('1 of 2 servers was cancelled');
    expect(failureOf([...cancelled, { is: 'failed' }])).toBe('1 of 3 servers failed, 1 was cancelled');
    expect(cancelledOf(all)).toBeUndefined();
  });
});
