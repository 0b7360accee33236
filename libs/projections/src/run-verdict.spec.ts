import { runVerdict } from './run-verdict';
import type { RunView } from './runs';

const run = (state: RunView['state'], report?: Record<string, string>, kind = 'fleet') => ({
  kind,
  state,
  steps: report ? [{ report } as unknown as RunView['steps'][number]] : [],
});

test('a run over many servers that succeeded on some is a state of its own', () => {
  expect(runVerdict(run('failed', { servers: '5', succeeded: '4', failed: '1' }))).toEqual({
    is: 'partial',
    label: '4 of 5 succeeded',
    tone: 'warn',
  });
  expect(runVerdict(run('failed', { servers: '5', failed: '5' })).label).toBe('failed');
});

test('a cancelled run is neither red nor failed', () => {
  expect(runVerdict(run('cancelled'))).toMatchObject({ label: 'cancelled', tone: 'quiet' });
  expect(runVerdict(run('cancelled', { servers: '5', succeeded: '3', cancelled: '2' }))).toEqual({
    is: 'partial',
    label: '3 of 5 succeeded',
    tone: 'quiet',
  });
});

test('a report of another kind of run counts no servers', () => {
  expect(runVerdict(run('failed', { servers: '5', succeeded: '4' }, 'script')).label).toBe('failed');
});

test('a wish to cancel counts until the run has ended', () => {
  const cancelRequested = { at: '', by: '' };
  expect(runVerdict({ ...run('running'), cancelRequested }).label).toBe('cancel requested');
  expect(runVerdict({ ...run('succeeded'), cancelRequested }).label).toBe('succeeded');
});
