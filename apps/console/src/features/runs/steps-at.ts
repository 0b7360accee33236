/** The steps of a run as they were at an instant of its replay. Pure. */
import type { RunStepView } from '@quarterdeck/projections';

export interface StepAt {
  step: RunStepView;
  /** Whether the step had not started yet. */
  later: boolean;
}

const startOf = (step: RunStepView): number => Date.parse(step.startedAt);

/** Leaves out what was not known yet: how a step ended and what it reported. */
export const stepsAt = (steps: readonly RunStepView[], instant: number | undefined): StepAt[] =>
  steps.map((step) => {
    const start = startOf(step);
    if (instant === undefined || instant >= start + (step.durationMs ?? Infinity))
      return { step, later: false };
    if (instant < start) return { step, later: true };
    const { step: name, attempt, startedAt } = step;
    // Elapsed time in whole seconds, so a fast-ticking replay does not change it on every tick.
    const durationMs = Math.floor((instant - start) / 1000) * 1000;
    return { step: { step: name, attempt, startedAt, state: 'running', durationMs }, later: false };
  });
