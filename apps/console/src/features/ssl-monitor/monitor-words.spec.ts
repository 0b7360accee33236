/** covers: DOM-09 */
import {
  defaultSslMonitor,
  foundWords,
  noSslChecks,
  sslPhases,
  type RunView,
} from '@quarterdeck/projections';
import {
  countersInWords,
  countersOfRun,
  phaseWords,
  progressWords,
  reasonsOf,
  settingsInWords,
} from './monitor-words';

const counters = {
  ...noSslChecks,
  total: 1200,
  checked: 37,
  expiring: 3,
  renewed: 2,
  failed: 1,
  unreachable: 20,
  invalid: 5,
};
const step = (report?: Record<string, string>): RunView['steps'][number] => ({
  step: 'check',
  attempt: 1,
  state: 'succeeded',
  startedAt: '2026-11-20T12:00:00.000Z',
  ...(report && { report }),
});

describe('the SSL monitor in words', () => {
  it('names each phase as the specification does', () => {
    expect(sslPhases.map((phase) => phaseWords[phase].label)).toEqual([
      'Idle',
      'Fetching domains',
      'Checking each',
      'Renewing expired',
      'Complete',
      'Stopped',
      'Error',
    ]);
  });

  it('describes the progress', () => {
    const words = sslPhases.map((phase) => progressWords({ phase, counters }));
    expect(words).toEqual([
      'Idle: has not run yet',
      'Fetching domains',
      'Checking each: 37 of 1,200 domains checked, 3 expiring, 20 unreachable, 5 not valid',
      'Renewing expired: 2 renewed, 1 failed',
      'Complete: 37 of 1,200 domains checked, 3 expiring, 20 unreachable, 5 not valid',
      'Stopped: 37 of 1,200 domains checked, 3 expiring, 20 unreachable, 5 not valid',
      'Error: 37 of 1,200 domains checked, 3 expiring, 20 unreachable, 5 not valid',
    ]);
    expect(progressWords({ phase: 'error', counters: noSslChecks })).toBe('Error: no domain was checked');
    expect(progressWords({ phase: 'checking', counters: { ...noSslChecks, total: 1 } })).toBe(
      'Checking each: 0 of 1 domain checked',
    );
  });

  it('leaves zero counts out', () => {
    expect(countersInWords(counters)).toBe(
      '1,200 domains, 3 expiring, 20 unreachable, 5 not valid, 2 renewed, 1 renewal failed',
    );
    expect(countersInWords({ total: 1 })).toBe('1 domain');
  });

  it('takes the counters of a past run from its step reports, where later reports win', () => {
    const steps = [step({ total: '9' }), step(), step({ total: '9', checked: '9', expired: '2' })];
    expect(countersOfRun({ steps })).toEqual({ total: 9, checked: 9, expired: 2 });
    expect(countersOfRun({ steps: [step()] })).toBeUndefined();
  });

  it('does not call a certificate valid or expiring if browsers would refuse it', () => {
    const words = (label: 'valid' | 'expiring' | 'expired' | 'unchecked', valid: boolean) =>
      foundWords({ found: { label, valid } }).label;
    expect([words('valid', true), words('valid', false)]).toEqual(['valid', 'not valid']);
    expect([words('expiring', true), words('expiring', false)]).toEqual(['expiring', 'not valid']);
    expect([words('expired', false), words('unchecked', false)]).toEqual(['expired', 'unreachable']);
    expect(foundWords({}).label).toBe('waiting');
  });

  it('gives the reasons of the check and of the renewal as sentences', () => {
    const check = { domain: 'd', serverName: 'shop.example.org' };
    expect(reasonsOf(check)).toBe('');
    expect(
      reasonsOf({
        ...check,
        found: { label: 'expired', valid: false, reason: 'It has expired.' },
        renewal: { is: 'failed', reason: 'Nothing listens there' },
      }),
    ).toBe('It has expired. Nothing listens there.');
  });

  it('describes the settings', () => {
    expect(settingsInWords(defaultSslMonitor)).toBe(
      '100 ms between checks, 5 s between renewals, 4 at once, expiring below 30 days',
    );
    expect(settingsInWords({ ...defaultSslMonitor, checkPauseMs: 1500 })).toContain('1500 ms between checks');
  });
});
