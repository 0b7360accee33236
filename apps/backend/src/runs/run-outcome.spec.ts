import { DomainError } from '../platform/errors';
import type { Logger } from '../platform/tokens';
import { explained, inWordsOf, ofFailure, ofRemote, StepFailed, unfollowed } from './run-outcome';

const failed = ofRemote({ is: 'exited', exitCode: 11, report: { error: 'no' } }, 'Apply', 5);

describe('a failure', () => {
  test('is described by its exit code', () => {
    expect(failed).toEqual({
      outcome: 'failed',
      exitCode: 11,
      report: { error: 'no' },
      why: { code: 'exit', reason: 'Apply ended with exit code 11' },
    });
  });

  test('is described in the words of its kind if there are any, with its report', () => {
    const seen: unknown[] = [];
    const told = explained(failed, (failure) => {
      seen.push(failure);
      return { code: 'refused', reason: 'nginx refuses it.', report: { field: 'url' } };
    });
    expect(seen).toEqual([{ exitCode: 11, report: { error: 'no' } }]);
    expect(told).toEqual({
      outcome: 'failed',
      exitCode: 11,
      report: { error: 'no', field: 'url' },
      why: { code: 'refused', reason: 'nginx refuses it.' },
    });
  });

  test('without such words is described by the line of its output that names the fault', () => {
    expect(inWordsOf(failed, 'looking\nno space left on device\nbye\n')).toEqual({
      ...failed,
      why: { code: 'exit', reason: 'no space left on device' },
    });
    expect(inWordsOf(failed, '')).toEqual(failed);
    expect(inWordsOf(failed, 'copied 3 files\n').why?.reason).toBe(
      'Apply ended with exit code 11; its last line is "copied 3 files"',
    );
    const known = explained(failed, () => ({ code: 'refused', reason: 'nginx refuses it.' }));
    expect(inWordsOf(known, 'error: other words\n')).toBe(known);
  });

  test('without such words stays unchanged', () => {
    expect(explained(failed, () => undefined)).toBe(failed);
  });
});

test.each([
  ofRemote({ is: 'exited', exitCode: 0, report: {} }, 'Apply', 5),
  ofRemote({ is: 'cancelled', report: {}, mayStillRun: false }, 'Apply', 5),
  ofRemote({ is: 'timedOut', report: {}, mayStillRun: true }, 'Apply', 5),
  ofRemote({ is: 'lost', report: {}, why: 'vanished', reason: 'gone' }, 'Apply', 5),
])('only a failure is explained, not $outcome', (judged) => {
  const never = (): never => {
    throw new Error('was asked');
  };
  expect(explained(judged, never)).toBe(judged);
});

describe('a step that threw an error', () => {
  const errors: unknown[] = [];
  const logger = { error: (what: unknown) => errors.push(what) } as unknown as Logger;

  test('reports the reason and its results', () => {
    expect(ofFailure(new StepFailed('probe', 'The site is silent.', { http: 'silent' }), logger)).toEqual({
      outcome: 'failed',
      report: { http: 'silent' },
      why: { code: 'probe', reason: 'The site is silent.' },
    });
    expect(ofFailure(new DomainError('notFound', 'server could not be found'), logger)).toEqual({
      outcome: 'failed',
      why: { code: 'notFound', reason: 'server could not be found' },
    });
    expect(errors).toEqual([]);
  });

  test('says that it may still be running if nobody saw its end', () => {
    const gone = ofFailure(new DomainError('notFound', 'server could not be found'), logger);
    expect(unfollowed(gone).why).toEqual({
      code: 'notFound',
      reason: 'server could not be found; it may still be running on the server',
    });
  });

  test('hides unexpected errors, except in the log', () => {
    expect(ofFailure(new TypeError('secret of the house'), logger).why).toEqual({
      code: 'internal',
      reason: 'something went wrong; see the server log',
    });
    expect(errors).toHaveLength(1);
  });
});
