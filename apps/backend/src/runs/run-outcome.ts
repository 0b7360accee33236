/** Describes the end of a step, whatever its outcome. */
import { AS_ASKED } from '@quarterdeck/events';
import { StoreUnavailable } from '@quarterdeck/log/store';
import { faultIn, lastLineOf } from '@quarterdeck/projections';
import { DomainError } from '../platform/errors';
import { type RemoteEnd, SshFailure } from '../platform/ssh';
import type { Logger } from '../platform/tokens';
import type { Explanation, Report } from './run-kind';
import type { StepEnd } from './runs.decider';

/** The recorded result of a step, and the reason, which only the end of the run records. */
export type Judgement = Pick<StepEnd, 'outcome' | 'exitCode' | 'report'> & {
  why?: { code: string; reason: string };
};

const seconds = (ms: number): string => `${Math.round(ms / 100) / 10} s`;
const unseen = (mayStillRun: boolean): string =>
  mayStillRun ? '; it may still be running on the server' : '';
const withReport = (report: Report): Pick<Judgement, 'report'> =>
  Object.keys(report).length > 0 ? { report } : {};

/** @param tookMs from the recorded start of the step */
export const ofRemote = (
  end: Exclude<RemoteEnd, { is: 'left' }>,
  step: string,
  tookMs: number,
): Judgement => {
  const found = withReport(end.report);
  switch (end.is) {
    case 'exited':
      return end.exitCode === 0
        ? { ...found, outcome: 'succeeded', exitCode: 0 }
        : {
            ...found,
            outcome: 'failed',
            exitCode: end.exitCode,
            why: { code: 'exit', reason: `${step} ended with exit code ${end.exitCode}` },
          };
    case 'cancelled':
      return {
        ...found,
        outcome: 'cancelled',
        why: { code: 'cancelled', reason: `${AS_ASKED}${unseen(end.mayStillRun)}` },
      };
    case 'timedOut':
      return {
        ...found,
        outcome: 'timedOut',
        why: {
          code: 'timeout',
          reason: `${step} took longer than ${seconds(tookMs)} and was ended${unseen(end.mayStillRun)}`,
        },
      };
    case 'lost':
      return { ...found, outcome: 'lost', why: { code: end.why, reason: end.reason } };
  }
};

/** Describes a failure with the explanation of its kind of run, if there is one. */
export const explained = (
  judged: Judgement,
  explain: (failure: { exitCode: number; report: Report }) => Explanation | undefined,
): Judgement => {
  const { outcome, exitCode, report = {} } = judged;
  if (outcome !== 'failed' || exitCode === undefined) return judged;
  const found = explain({ exitCode, report });
  if (!found) return judged;
  const { code, reason, report: more } = found;
  return { ...judged, ...withReport({ ...report, ...more }), why: { code, reason } };
};

/** If only the exit code of a failure is known, takes the reason from the output. The step records the exit code. */
export const inWordsOf = (judged: Judgement, output: string): Judgement => {
  if (judged.why?.code !== 'exit') return judged;
  const last = lastLineOf(output);
  const printed = last === undefined ? judged.why.reason : `${judged.why.reason}; its last line is "${last}"`;
  return { ...judged, why: { code: 'exit', reason: faultIn(output) ?? printed } };
};

/** For a step that threw an error: either it has stopped, or it is unknown whether it is still running. */
export const ofFailure = (failure: unknown, logger: Logger): Judgement => {
  const failed = (code: string, reason: string): Judgement => ({ outcome: 'failed', why: { code, reason } });
  if (failure instanceof SshFailure) return failed(failure.code, failure.msg);
  if (failure instanceof StepCancelled)
    return {
      ...withReport(failure.report),
      outcome: 'cancelled',
      why: { code: 'cancelled', reason: failure.message },
    };
  if (failure instanceof StepLost)
    return { ...withReport(failure.report), outcome: 'lost', why: { code: 'lost', reason: failure.message } };
  if (failure instanceof StepFailed)
    return { ...withReport(failure.report), ...failed(failure.code, failure.message) };
  if (failure instanceof DomainError) return failed(failure.code, failure.msg);
  if (failure instanceof StoreUnavailable) return failed('notRecorded', 'the log could not be written');
  logger.error({ err: failure }, 'a step of a run failed unexpectedly');
  return failed('internal', 'something went wrong; see the server log');
};

/** For work on a server that another process started and that cannot be reached now: its end was not seen. */
export const unfollowed = (judged: Judgement): Judgement => {
  const { why } = judged;
  return why
    ? { ...judged, why: { ...why, reason: `${why.reason.replace(/\.$/, '')}${unseen(true)}` } }
    : judged;
};

/** A step in this process throws this to report its failure. */
export class StepFailed extends Error {
  override name = 'StepFailed';
  constructor(
    readonly code: string,
    /** A sentence for the operator. */
    reason: string,
    readonly report: Report = {},
  ) {
    super(reason);
  }
}

/**
 * A step in this process throws this if it cannot know whether its work was done, such as a request whose answer was lost.
 * Unless the step is repeatable, the run ends as interrupted.
 */
export class StepLost extends Error {
  override name = 'StepLost';
  constructor(
    /** A sentence for the operator. */
    reason: string,
    readonly report: Report = {},
  ) {
    super(reason);
  }
}

/** A step in this process throws this if work that it started was cancelled elsewhere, and none of that work failed. */
export class StepCancelled extends Error {
  override name = 'StepCancelled';
  constructor(
    /** Completes "The run was cancelled". */
    reason: string,
    readonly report: Report = {},
  ) {
    super(reason);
  }
}
