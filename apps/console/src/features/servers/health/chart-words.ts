/** Texts of a chart: at the cursor, on the axes and for screen readers. Pure. */
import {
  FULL,
  OVERLOAD,
  type HealthHistory,
  type HealthPoint,
  type HealthRange,
} from '@quarterdeck/projections';
import { isUnreachable, roundUp, type Quantity } from './chart-geometry';
import { diskPercent, loadInWords, percent } from './health-words';

export interface ChartKind {
  quantity: Quantity;
  title: string;
  format: (value: number) => string;
  /** Formats a value on the axis. */
  scale: (value: number) => string;
  /** Value at the upper edge. */
  top: (points: readonly HealthPoint[]) => number;
  /** Values above it are a problem. */
  threshold: (points: readonly HealthPoint[]) => number | undefined;
}

const mostOf = (points: readonly HealthPoint[], pick: (point: HealthPoint) => number | undefined): number =>
  Math.max(0, ...points.map((point) => pick(point) ?? 0));
const coresOf = (points: readonly HealthPoint[]): number => mostOf(points, ({ cores }) => cores);

const inUse = (quantity: 'memory' | 'disk', title: string, format: (part: number) => string): ChartKind => ({
  quantity,
  title,
  format,
  scale: percent,
  top: () => 1,
  threshold: () => FULL,
});

export const chartKinds: readonly ChartKind[] = [
  {
    quantity: 'load',
    title: 'Load',
    format: loadInWords,
    scale: String,
    top: (points) =>
      roundUp(
        Math.max(
          coresOf(points),
          mostOf(points, ({ load }) => load?.max),
        ),
      ),
    threshold: (points) => OVERLOAD * coresOf(points) || undefined,
  },
  inUse('memory', 'Memory in use', percent),
  inUse('disk', 'Disk in use', diskPercent),
];

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

/** Text for one point. */
export const pointWords = (history: HealthHistory, point: HealthPoint, kind: ChartKind): string => {
  const range = point[kind.quantity];
  const said = [
    range && rangeWords(range, kind.format),
    point.failed > 0 && `${point.failed} of ${point.samples} checks failed`,
    isUnreachable(history.unreachable, point.at) && 'unreachable',
  ].filter((words) => typeof words === 'string');
  return said.length > 0 ? said.join('; ') : 'not sent';
};

/** Summary of the chart in one sentence. */
export const summaryWords = ({ points }: HealthHistory, kind: ChartKind): string => {
  const ranges = points.flatMap((point) => point[kind.quantity] ?? []);
  const newest = ranges.at(-1);
  if (!newest) return `${kind.title}: no figures in this range`;
  const least = kind.format(Math.min(...ranges.map(({ min }) => min)));
  const most = kind.format(Math.max(...ranges.map(({ max }) => max)));
  return `${kind.title}: ${kind.format(newest.avg)} at the end, between ${least} and ${most}`;
};
