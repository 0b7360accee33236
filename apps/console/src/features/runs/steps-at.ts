/** The steps of a run as they stood at an instant of its replay. Pure. */
import type { RunStepView } from '@quarterdeck/projections';

export interface StepAt {
  step: RunStepView;
  /** It had not begun by then. */
  later: boolean;
}

const startOf = (step: RunStepView): number => Date.parse(step.startedAt);

/** What was not known yet is left out: how a step ended, what it found. */
export const stepsAt = (steps: readonly RunStepView[], instant: number | undefined): StepAt[] =>
  steps.map((step) => {
    const start = startOf(step);
    if (instant === undefined || instant >= start + (step.durationMs ?? Infinity))
      return { step, later: false };
    if (instant < start) return { step, later: true };
    const { step: name, attempt, startedAt } = step;
    // How long it has taken by then, to the whole second: it is told at each of many ticks.
    const durationMs = Math.floor((instant - start) / 1000) * 1000;
    return { step: { step: name, attempt, startedAt, state: 'running', durationMs }, later: false };
  });
