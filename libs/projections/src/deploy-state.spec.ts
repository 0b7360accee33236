// covers: DEP-01
import { deployState } from './deploys';

test.each([
  [
    { state: 'served', serves: true, run: 'succeeded' },
    { is: 'serves', label: 'serves' },
  ],
  // A step after the switch failed.
  [
    { state: 'served', serves: true, run: 'failed' },
    { is: 'serves', label: 'serves' },
  ],
  [
    { state: 'served', serves: false, run: 'succeeded' },
    { is: 'served', label: 'served before' },
  ],
  [
    { state: 'served', serves: false, stopped: { at: '2026-11-20T12:00:00.000Z', by: 'x' }, run: 'failed' },
    { is: 'stopped' },
  ],
  [{ state: 'failed', serves: false, run: 'failed' }, { is: 'failed' }],
  [
    { state: 'requested', serves: false, run: 'running' },
    { is: 'running', label: 'deploying' },
  ],
  [{ state: 'requested', serves: false, run: 'cancelled' }, { is: 'cancelled' }],
  [
    {
      state: 'requested',
      serves: false,
      run: 'requested',
      behind: { id: 'x', label: 'Deploy 1', of: 'Orders' },
    },
    { is: 'requested', label: 'waiting' },
  ],
  [{ state: 'requested', serves: false, run: 'requested' }, { is: 'requested' }],
  [{ state: 'requested', serves: false }, { is: 'requested' }],
] as const)('%j is shown as %j', (release, shown) => {
  expect(deployState(release)).toEqual(shown);
});
