/** covers: DOM-11 */
import { noSslChecks, type SslMonitorStatus } from '@quarterdeck/projections';
import { afterAnswer, afterMessage } from './ssl-monitor';

const status = (more: Partial<SslMonitorStatus> & { checked?: number } = {}): SslMonitorStatus => {
  const { checked = 0, ...rest } = more;
  return { run: 'a', phase: 'checking', counters: { ...noSslChecks, total: 9, checked }, ...rest };
};

describe('the state of the SSL monitor', () => {
  it('is the last message, with the next time kept from the last answer', () => {
    const answered = afterAnswer(null, status({ nextAt: '2026-11-22T03:17:00.000Z' }));
    expect(afterMessage(answered, status({ checked: 3 }))).toEqual(
      status({ checked: 3, nextAt: '2026-11-22T03:17:00.000Z' }),
    );
    expect(afterMessage(null, status({ checked: 3 }))).toEqual(status({ checked: 3 }));
  });

  it('does not go back to a run that has ended when a late message arrives', () => {
    for (const phase of ['complete', 'stopped', 'error'] as const) {
      const ended = status({ phase, checked: 9 });
      expect(afterMessage(ended, status({ checked: 8 }))).toBe(ended);
    }
  });

  it('moves on to another run, and to the end of the current one', () => {
    const ended = status({ phase: 'complete' });
    expect(afterMessage(ended, status({ run: 'b' })).run).toBe('b');
    expect(afterMessage(status(), status({ phase: 'stopped' })).phase).toBe('stopped');
  });

  it('keeps newer messages of the same run when an older answer arrives', () => {
    const told = status({ phase: 'renewing', checked: 9 });
    const answer = status({ checked: 4, nextAt: '2026-11-22T03:17:00.000Z' });
    expect(afterAnswer(told, answer)).toEqual({ ...told, nextAt: '2026-11-22T03:17:00.000Z' });
  });

  it('accepts an answer about another run, about the end, and about a run that continues after its end', () => {
    expect(afterAnswer(status({ checked: 5 }), status({ run: 'b' }))).toEqual(status({ run: 'b' }));
    expect(afterAnswer(status({ checked: 5 }), status({ phase: 'error', checked: 4 })).phase).toBe('error');
    expect(afterAnswer(status({ phase: 'error', checked: 5 }), status({ checked: 5 })).phase).toBe(
      'checking',
    );
  });
});
