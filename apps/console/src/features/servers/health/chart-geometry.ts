/** Where things stand in a chart. Pure. */
import type { HealthHistory, HealthPoint, HealthRange, UnreachablePeriod } from '@quarterdeck/projections';

export interface Frame {
  /** In milliseconds. */
  from: number;
  to: number;
  /** Value at the upper edge; the lower one is 0. */
  top: number;
  width: number;
  height: number;
}

/** The part of a range without any check that a chart leaves out at its beginning, at least. */
const LEFT_OUT = 0.05;

/** Where a chart begins: with its range, or with the first check if that came much later. */
export const beginOf = ({ from, to, points, unreachable }: HealthHistory): number => {
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

export type Quantity = 'load' | 'memory' | 'disk';

/** Stretches without a gap: a check that found nothing, or none for too long, ends one. */
export const stretches = (points: readonly HealthPoint[], quantity: Quantity, gapMs: number): Plotted[][] => {
  const found: Plotted[][] = [];
  let open: Plotted[] | undefined;
  for (const point of points) {
    const range = point[quantity];
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

/** What is usual, as a line; a lone value is a dot, which a line without length is with round ends. */
export const linePath = (frame: Frame, stretch: readonly Plotted[]): string =>
  `M${stretch.map(({ at, avg }) => to(frame, at, avg)).join('L')}${stretch.length === 1 ? 'h0' : ''}`;

/** From the least to the most. */
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

/** By how much the reader's clock is behind UTC then. */
const behindUtc = (at: number): number => new Date(at).getTimezoneOffset() * MINUTE;

/** Full hours and days of the reader's clock, which may be turned on or back in between. */
export const timeTicks = (from: number, until: number, most: number, behind = behindUtc): number[] => {
  const step = steps.find((candidate) => (until - from) / candidate <= most) ?? 30 * DAY;
  // The turn is a full hour: within one it moves nothing.
  const zone = step < HOUR ? () => behind(until) : behind;
  const ticks: number[] = [];
  for (let shown = Math.ceil((from - zone(from)) / step) * step; ; shown += step) {
    const at = shown + zone(shown + zone(shown));
    if (at > until) return ticks;
    // An hour that the clock leaves out is the next one.
    if (at >= from && at !== ticks.at(-1)) ticks.push(at);
  }
};

/** The point that is nearest to an instant. */
export const nearest = (points: readonly HealthPoint[], at: number): number => {
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
