/** Geometry of charts over time. Pure. */
import type { HealthRange, UnreachablePeriod } from '@quarterdeck/projections';

/** What a chart shows: points of a range, oldest first. */
export interface ChartHistory<P extends { at: string }> {
  from: string;
  to: string;
  /** Points further apart than this have a gap between them. */
  gapSeconds: number;
  points: readonly P[];
  unreachable?: readonly UnreachablePeriod[];
}

export interface Frame {
  /** In milliseconds. */
  from: number;
  to: number;
  /** Value at the upper edge. The lower edge is 0. */
  top: number;
  width: number;
  height: number;
}

/** If a larger part of the range than this has no checks at its start, the chart leaves that part out. */
const LEFT_OUT = 0.05;

/** Start of a chart: the start of its range, or the first check if that came much later. */
export const beginOf = <P extends { at: string }>({
  from,
  to,
  points,
  unreachable = [],
}: ChartHistory<P>): number => {
  const [asked, end] = [Date.parse(from), Date.parse(to)];
  const first = Math.min(
    end,
    ...[points[0]?.at, unreachable[0]?.from].flatMap((at) => (at ? Date.parse(at) : [])),
  );
  return first - asked > (end - asked) * LEFT_OUT && first < end ? first : asked;
};

export interface Plotted extends HealthRange {
  at: number;
}

export const xOf = ({ from, to, width }: Frame, at: number): number =>
  to > from ? ((at - from) / (to - from)) * width : 0;

export const yOf = ({ top, height }: Frame, value: number): number =>
  height - (Math.min(value, top) / (top || 1)) * height;

export type PickRange<P> = (point: P) => HealthRange | undefined;

/** Splits points into stretches. A point without a value, or more than `gapMs` between points, ends a stretch. */
export const stretches = <P extends { at: string }>(
  points: readonly P[],
  pick: PickRange<P>,
  gapMs: number,
): Plotted[][] => {
  const found: Plotted[][] = [];
  let open: Plotted[] | undefined;
  for (const point of points) {
    const range = pick(point);
    const at = Date.parse(point.at);
    const before = open?.at(-1);
    if (!range || (before && at - before.at > gapMs)) open = undefined;
    if (!range) continue;
    if (!open) found.push((open = []));
    open.push({ at, ...range });
  }
  return found;
};

const round = (value: number): string => value.toFixed(1);
const to = (frame: Frame, at: number, value: number): string =>
  `${round(xOf(frame, at))} ${round(yOf(frame, value))}`;

/** Path of the averages. A single value becomes a line of zero length, which round line caps draw as a dot. */
export const linePath = (frame: Frame, stretch: readonly Plotted[]): string =>
  `M${stretch.map(({ at, avg }) => to(frame, at, avg)).join('L')}${stretch.length === 1 ? 'h0' : ''}`;

/** Path of the band from minimum to maximum. */
export const bandPath = (frame: Frame, stretch: readonly Plotted[]): string => {
  const upper = stretch.map(({ at, max }) => to(frame, at, max));
  const lower = stretch.map(({ at, min }) => to(frame, at, min)).reverse();
  return `M${[...upper, ...lower].join('L')}Z`;
};

/** The next round number: 1, 2, 5, 10, 20 … */
export const roundUp = (value: number): number => {
  if (value <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  const step = [1, 2, 5, 10].find((factor) => factor * power >= value * (1 - 1e-9)) ?? 10;
  return step * power;
};

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const steps = [5, 10, 15, 30]
  .map((minutes) => minutes * MINUTE)
  .concat([1, 2, 3, 6, 12].map((hours) => hours * HOUR))
  .concat([1, 2, 3, 5, 7, 14, 30].map((days) => days * DAY));

/** How far the viewer's time zone is behind UTC at that instant. */
const behindUtc = (at: number): number => new Date(at).getTimezoneOffset() * MINUTE;

/** Ticks at round times of the viewer's time zone, whose offset may change within the range. */
export const timeTicks = (from: number, until: number, most: number, behind = behindUtc): number[] => {
  const step = steps.find((candidate) => (until - from) / candidate <= most) ?? 30 * DAY;
  // Clock changes are a full hour, so they do not move ticks closer than an hour.
  const zone = step < HOUR ? () => behind(until) : behind;
  const ticks: number[] = [];
  for (let shown = Math.ceil((from - zone(from)) / step) * step; ; shown += step) {
    const at = shown + zone(shown + zone(shown));
    if (at > until) return ticks;
    // A tick in an hour skipped by the clock change coincides with the next tick, so only one is kept.
    if (at >= from && at !== ticks.at(-1)) ticks.push(at);
  }
};

/** Index of the point nearest to an instant; -1 without points. */
export const nearest = (points: readonly { at: string }[], at: number): number => {
  let best = -1;
  let distance = Infinity;
  points.forEach((point, index) => {
    const away = Math.abs(Date.parse(point.at) - at);
    if (away < distance) [best, distance] = [index, away];
  });
  return best;
};

export const isUnreachable = (periods: readonly UnreachablePeriod[], at: string): boolean =>
  periods.some((period) => at >= period.from && (period.to === undefined || at < period.to));
