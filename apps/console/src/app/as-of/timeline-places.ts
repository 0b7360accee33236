/** Maps the stretches of a timeline to steps of a slider. Pure. */
import type { InstantStretch, InstantTimeline } from '@quarterdeck/projections';

export const STEPS = 1000;

export interface Mark {
  /** From 0 to STEPS. */
  step: number;
  /** From 0 to 1, relative to the busiest stretch; logarithmic, so that small numbers remain distinguishable. */
  height: number;
  stretch: InstantStretch;
}

export const marksOf = ({ from, to, stretches }: InstantTimeline): Mark[] => {
  const [begin, end] = [Date.parse(from), Date.parse(to)];
  const most = Math.max(1, ...stretches.map(({ events }) => events));
  return stretches.map((stretch) => ({
    step: Math.round(((Date.parse(stretch.at) - begin) / Math.max(1, end - begin)) * STEPS),
    height: Math.log1p(stretch.events) / Math.log1p(most),
    stretch,
  }));
};

/** Step of an instant, limited to the ends of the timeline. */
export const stepOf = ({ from, to }: InstantTimeline, at: string | undefined): number => {
  if (at === undefined) return STEPS;
  const [begin, end, time] = [Date.parse(from), Date.parse(to), Date.parse(at)];
  return Math.min(STEPS, Math.max(0, Math.round(((time - begin) / Math.max(1, end - begin)) * STEPS)));
};

/** The mark at a step, or the last one before it, or else the first mark. */
export const markBy = (marks: readonly Mark[], step: number): Mark | undefined =>
  marks.findLast((mark) => mark.step <= step) ?? marks[0];

/** The mark `by` marks away from a step; negative counts go left. Undefined beyond the last mark, meaning now. */
export const markOn = (marks: readonly Mark[], step: number, by: number): Mark | undefined => {
  const here = marks.findLastIndex((mark) => mark.step <= step);
  const between = here >= 0 && (marks[here]?.step ?? 0) < step;
  const wanted = here + by + (between && by < 0 ? 1 : 0);
  return wanted >= marks.length ? undefined : marks[Math.max(0, wanted)];
};
