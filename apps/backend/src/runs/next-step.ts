/** Determines the next action of a run, as a pure function of its recorded events. */
import { AS_ASKED } from '@quarterdeck/events';
import { startsRuns, type RunContext, type Step } from './run-kind';
import type { OpenRun, RunEnd, RunState, StepState } from './runs.decider';

export type NextMove =
  | { do: 'start'; step: Step; attempt: number }
  /** The step was started, by this process or a dead one, and has not ended. */
  | { do: 'follow'; step: Step; attempt: number }
  | { do: 'end'; end: RunEnd }
  | { do: 'nothing' };

/** Facts that are not in the events: the duration so far, and why the last step ended. */
export interface Circumstances {
  elapsedMs: number;
  why?: { code: string; reason: string };
}

/** Maximum number of consecutive attempts with a lost outcome. After that, the step is not repeated automatically. */
const MAX_LOST = 10;

/** The reports of the run's steps so far. Empty for a run that has ended. */
export const toldBy = (state: RunState): Pick<RunContext, 'reports' | 'attempts'> => {
  const steps = state.is === 'open' ? state.steps : [];
  return {
    reports: Object.fromEntries(
      steps.flatMap(({ step, finished }) =>
        finished?.outcome === 'succeeded' ? [[step, finished.report ?? {}]] : [],
      ),
    ),
    attempts: steps.flatMap(({ step, attempt, finished }) =>
      finished ? [{ step, attempt, outcome: finished.outcome, report: finished.report ?? {} }] : [],
    ),
  };
};

const attemptsAt = (state: OpenRun, step: string): number =>
  state.steps.filter((started) => started.step === step).length;

const lostInARow = (state: OpenRun, step: string): number => {
  const attempts = state.steps.filter((started) => started.step === step).toReversed();
  const other = attempts.findIndex(({ finished }) => finished?.outcome !== 'lost');
  return other < 0 ? attempts.length : other;
};

export const nextStep = (
  steps: readonly Step[],
  state: RunState,
  context: RunContext,
  { elapsedMs, why }: Circumstances,
): NextMove => {
  if (state.is !== 'open') return { do: 'nothing' };
  const end = (end: RunEnd): NextMove => ({ do: 'end', end });
  const failed = (code: string, reason: string): NextMove =>
    end({ is: 'failed', durationMs: elapsedMs, code, reason });
  const cancelled = (reason = why?.reason ?? AS_ASKED): NextMove => {
    const settling = steps.find(({ settles, when }) => settles && (when?.(context) ?? true));
    const begun = state.steps.at(-1);
    return settling && begun && begun.step !== settling.name
      ? start(settling)
      : end({ is: 'cancelled', durationMs: elapsedMs, reason });
  };
  const start = (step: Step): NextMove => ({ do: 'start', step, attempt: attemptsAt(state, step.name) + 1 });

  const named = (name: string): Step | undefined => steps.find((step) => step.name === name);
  const goOn = (from: number): NextMove => {
    if (state.cancelRequested) return cancelled();
    const next = steps.slice(from).find((step) => !step.settles && (step.when?.(context) ?? true));
    return next ? start(next) : end({ is: 'succeeded', durationMs: elapsedMs });
  };

  if (state.retryFrom !== undefined) {
    const ended = named(state.retryFrom);
    const before = named(ended?.retriesFrom ?? '');
    const step = before && (before.when?.(context) ?? true) ? before : ended;
    if (!step) return failed('unknownStep', `the console no longer knows a step ${state.retryFrom}`);
    return state.cancelRequested ? cancelled() : start(step);
  }
  const last: StepState | undefined = state.steps.at(-1);
  if (!last) return goOn(0);
  const step = named(last.step);
  if (!step) return failed('unknownStep', `the console no longer knows a step ${last.step}`);
  const { finished } = last;
  if (!finished) return { do: 'follow', step, attempt: last.attempt };
  if (step.settles && (finished.outcome === 'failed' || finished.outcome === 'timedOut'))
    return cancelled(`${AS_ASKED}; ${why?.reason ?? `${step.name} did not succeed`}`);
  switch (finished.outcome) {
    case 'succeeded':
      return goOn(steps.indexOf(step) + 1);
    case 'cancelled':
      return cancelled();
    case 'failed':
      return failed(
        why?.code ?? 'exit',
        why?.reason ?? `${step.name} ended with exit code ${finished.exitCode ?? 'unknown'}`,
      );
    case 'timedOut':
      return failed(why?.code ?? 'timeout', why?.reason ?? `${step.name} took too long and was ended`);
    case 'lost': {
      const mayRepeat = step.repeatable && lostInARow(state, step.name) < MAX_LOST;
      if (mayRepeat && (!state.cancelRequested || startsRuns(step) || step.settles)) return start(step);
      const isUnknown = step.on === 'console' && step.actsElsewhere === true && !step.repeatable;
      if (state.cancelRequested && !isUnknown) return cancelled();
      return end({
        is: 'interrupted',
        reason: why?.reason ?? `what became of ${step.name} on the server is not known`,
      });
    }
  }
};
