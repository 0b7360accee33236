/** Charts of a server's health. Pure. */
import { FULL, OVERLOAD, type HealthHistory, type HealthPoint } from '@quarterdeck/projections';
import { isUnreachable, roundUp } from '../../../ui/chart/chart-geometry';
import type { ChartKind } from '../../../ui/chart/chart-words';
import { diskPercent, loadInWords, percent } from './health-words';

type Quantity = 'load' | 'memory' | 'disk';

const mostOf = (points: readonly HealthPoint[], pick: (point: HealthPoint) => number | undefined): number =>
  Math.max(0, ...points.map((point) => pick(point) ?? 0));
const coresOf = (points: readonly HealthPoint[]): number => mostOf(points, ({ cores }) => cores);

const inUse = (
  quantity: Quantity,
  title: string,
  format: (part: number) => string,
): ChartKind<HealthPoint> => ({
  id: quantity,
  title,
  series: [{ name: title, pick: (point) => point[quantity] }],
  format,
  scale: percent,
  top: () => 1,
  threshold: () => FULL,
});

export const chartKinds: readonly ChartKind<HealthPoint>[] = [
  {
    id: 'load',
    title: 'Load',
    series: [{ name: 'Load', pick: ({ load }) => load }],
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

/** What else is to be said of a point. */
export const checkWords =
  ({ unreachable }: HealthHistory) =>
  ({ at, failed, samples }: HealthPoint): string[] =>
    [
      failed > 0 && `${failed} of ${samples} checks failed`,
      isUnreachable(unreachable, at) && 'unreachable',
    ].filter((words) => typeof words === 'string');
