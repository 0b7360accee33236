/** covers: AUD-02 */
import type { RunStepView } from '@quarterdeck/projections';
import { stepsAt } from './steps-at';

const START = Date.parse('2026-11-20T10:00:00Z');
const at = (seconds: number): number => START + seconds * 1000;
const step = (name: string, from: number, rest: Partial<RunStepView> = {}): RunStepView => ({
  step: name,
  attempt: 1,
  state: 'succeeded',
  startedAt: new Date(at(from)).toISOString(),
  ...rest,
});

const steps = [
  step('first', 0, { durationMs: 5000, exitCode: 0, report: { system: 'debian' } }),
  step('second', 5, { durationMs: 10_000, state: 'failed', exitCode: 3 }),
];

describe('steps at an instant of a replay', () => {
  it('are in their final state when no instant is given', () => {
    expect(stepsAt(steps, undefined).map(({ step: one }) => one)).toEqual(steps);
  });

  it('do not reveal a later outcome or report', () => {
    const [first, second] = stepsAt(steps, at(2.7));
    expect(first).toEqual({
      later: false,
      step: { ...step('first', 0), state: 'running', durationMs: 2000 },
    });
    expect(second).toEqual({ later: true, step: steps[1] });
  });

  it('start and end at their exact instants', () => {
    const [first, second] = stepsAt(steps, at(5));
    expect([first?.step.state, second?.step.state, second?.later]).toEqual(['succeeded', 'running', false]);
    expect(stepsAt(steps, at(15)).map((one) => one.step.state)).toEqual(['succeeded', 'failed']);
  });

  it('keep running to the end of the replay when their end was never recorded', () => {
    expect(stepsAt([step('lost', 0, { state: 'running' })], at(3600))).toMatchObject([
      { later: false, step: { state: 'running', durationMs: 3_600_000 } },
    ]);
  });
});
