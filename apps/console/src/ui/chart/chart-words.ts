/** Texts of a chart: at the cursor, on the axes and for screen readers. Pure. */
import type { HealthRange } from '@quarterdeck/projections';
import type { ChartHistory, PickRange } from './chart-geometry';

export interface Series<P> {
  /** In the legend, if a chart has several. */
  name: string;
  pick: PickRange<P>;
  /** CSS color. */
  color?: string;
}

export interface ChartKind<P extends { at: string }> {
  id: string;
  title: string;
  series: readonly [Series<P>, ...Series<P>[]];
  format: (value: number) => string;
  /** Formats a value on the axis. */
  scale: (value: number) => string;
  /** Value at the upper edge. */
  top: (points: readonly P[]) => number;
  /** Values above it are a problem. */
  threshold?: (points: readonly P[]) => number | undefined;
}

/** The largest of all values of a chart. */
export const mostIn = <P>(points: readonly P[], ...picks: readonly PickRange<P>[]): number =>
  Math.max(0, ...points.flatMap((point) => picks.map((pick) => pick(point)?.max ?? 0)));

const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });
const both = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
});

export const pointTime = (at: string): string => both.format(Date.parse(at));
/** Label of a tick: the day at midnight, otherwise the time. */
export const tickWords = (at: number): string => {
  const time = new Date(at);
  return time.getHours() === 0 && time.getMinutes() === 0 ? day.format(at) : clock.format(at);
};

export const rangeWords = ({ min, avg, max }: HealthRange, format: (value: number) => string): string => {
  const [least, usual, most] = [format(min), format(avg), format(max)];
  return least === most ? usual : `${usual}, from ${least} to ${most}`;
};

/** What a chart says about one point; nothing if it has no value. */
export const valueWords = <P extends { at: string }>(
  point: P,
  { series, format }: ChartKind<P>,
): string | undefined => {
  const [first, ...others] = series;
  if (others.length === 0) {
    const range = first.pick(point);
    return range && rangeWords(range, format);
  }
  const said = series.flatMap(({ name, pick }) => {
    const range = pick(point);
    return range ? [`${name} ${format(range.avg)}`] : [];
  });
  return said.length > 0 ? said.join(', ') : undefined;
};

/** Summary of the chart in one sentence. */
export const summaryWords = <P extends { at: string }>(
  { points }: ChartHistory<P>,
  { title, series, format }: ChartKind<P>,
): string => {
  const said = series.flatMap(({ name, pick }) => {
    const ranges = points.flatMap((point) => pick(point) ?? []);
    const newest = ranges.at(-1);
    if (!newest) return [];
    const least = format(Math.min(...ranges.map(({ min }) => min)));
    const most = format(Math.max(...ranges.map(({ max }) => max)));
    const words = `${format(newest.avg)} at the end, between ${least} and ${most}`;
    return [series.length > 1 ? `${name} ${words}` : words];
  });
  return `${title}: ${said.join('; ') || 'no figures in this range'}`;
};
