// covers: DOM-09
import { phaseOf } from './ssl-monitor';

describe('the phase of the monitor', () => {
  test.each([
    ['requested', null, 'fetching'],
    ['running', 'fetch', 'fetching'],
    ['running', 'check', 'checking'],
    ['running', 'renew', 'renewing'],
    // A step of a future version.
    ['running', 'unheard of', 'fetching'],
    ['succeeded', 'renew', 'complete'],
    ['succeeded', 'check', 'complete'],
    ['failed', 'fetch', 'error'],
    ['failed', 'check', 'error'],
    ['interrupted', 'renew', 'error'],
    ['cancelled', 'check', 'stopped'],
    ['cancelled', null, 'stopped'],
  ])('of a run that is %s, at step %s, is %s', (state, step, phase) => {
    expect(phaseOf({ state, step })).toBe(phase);
  });
});
