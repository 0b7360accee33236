/** The range of a history of samples: at most 300 points, whatever its length. Pure. */
const MAX_POINTS = 300;
const HOUR_MS = 3_600_000;
/** Older samples are thinned to one an hour. */
export const FULL_DAYS = 30;

export interface RangeQuery {
  hours: number;
  /** Interval of the samples. */
  everySeconds: number;
}

export interface TimeRange {
  from: string;
  to: string;
  /** Seconds of one point. */
  step: number;
  gapSeconds: number;
}

/** @param now in milliseconds */
export const rangeOf = ({ hours, everySeconds }: RangeQuery, now: number): TimeRange => {
  const step = (hours * 3600) / MAX_POINTS;
  const thinned = hours > FULL_DAYS * 24 ? 3600 : 0;
  return {
    from: new Date(now - hours * HOUR_MS).toISOString(),
    to: new Date(now).toISOString(),
    step,
    // Half as much again as the longest regular distance between two points.
    gapSeconds: Math.ceil(2.5 * Math.max(step, everySeconds, thinned)),
  };
};

/** SQL: least, usual and most of a value, or nothing. */
export const spread = (name: string, value: string): string => `
  case when min(${value}) is not null then jsonb_build_object(
    'min', min(${value}), 'avg', avg(${value}), 'max', max(${value})) end as ${name}`;
