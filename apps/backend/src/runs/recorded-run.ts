/** How a run ended. Pure. */
import type { Position } from '@quarterdeck/events';
import type { Loaded } from '../platform/decisions';
import type { EndedRun, RunState, StepEnd } from './runs.decider';

/** An ended run as recorded in the log: the same for every caller. */
export interface RecordedRun {
  id: string;
  end: EndedRun['end'];
  lastStep?: StepEnd;
  position: Position;
}

/** @returns undefined if it goes on, or was never requested */
export const endIn = (id: string, { state, position }: Loaded<RunState>): RecordedRun | undefined => {
  if (state.is !== 'ended') return undefined;
  const lastStep = state.steps.findLast(({ finished }) => finished)?.finished;
  return { id, end: state.end, ...(lastStep && { lastStep }), position };
};
