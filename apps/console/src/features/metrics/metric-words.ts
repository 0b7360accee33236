/** Figures of a service as charts and texts. Pure. */
import { FULL, type MetricsProblem, type ServiceMetricPoint } from '@quarterdeck/projections';
import { bytesInWords } from '../../ui/bytes';
import { roundUp, type PickRange } from '../../ui/chart/chart-geometry';
import { mostIn, type ChartKind } from '../../ui/chart/chart-words';

/** 1 is 100 %. */
export const percentInWords = (part: number): string => {
  const percent = part * 100;
  return `${percent > 0 && percent < 9.95 ? percent.toFixed(1) : Math.round(percent)} %`;
};

export const rateInWords = (bytes: number): string => `${bytesInWords(bytes, 1000)}/s`;

/** The next round number of its unit. */
export const roundBytes = (bytes: number, base: 1000 | 1024): number => {
  const unit = base ** Math.max(0, Math.floor(Math.log(Math.max(1, bytes)) / Math.log(base)));
  const rounded = roundUp(bytes / unit);
  return (rounded >= 1000 ? base : rounded) * unit;
};

const limitOf = (points: readonly ServiceMetricPoint[]): number | undefined => points.at(-1)?.limit;

const cpu: PickRange<ServiceMetricPoint> = (point) => point.cpu;
const memory: PickRange<ServiceMetricPoint> = (point) => point.memory;
const received: PickRange<ServiceMetricPoint> = (point) => point.received;
const sent: PickRange<ServiceMetricPoint> = (point) => point.sent;
const restarts: PickRange<ServiceMetricPoint> = ({ restarts: count }) => ({
  min: count,
  avg: count,
  max: count,
});

export const serviceKinds: readonly ChartKind<ServiceMetricPoint>[] = [
  {
    id: 'cpu',
    title: 'Processor, 100 % is one core',
    series: [{ name: 'Processor', pick: cpu }],
    format: percentInWords,
    scale: percentInWords,
    top: (points) => roundUp(Math.max(0.1, mostIn(points, cpu))),
  },
  {
    id: 'memory',
    title: 'Memory',
    series: [{ name: 'Memory', pick: memory }],
    format: (value) => bytesInWords(value),
    scale: (value) => bytesInWords(value),
    top: (points) => limitOf(points) ?? roundBytes(mostIn(points, memory), 1024),
    threshold: (points) => {
      const limit = limitOf(points);
      return limit === undefined ? undefined : limit * FULL;
    },
  },
  {
    id: 'network',
    title: 'Network',
    series: [
      { name: 'received', pick: received },
      { name: 'sent', pick: sent, color: 'var(--qd-warn)' },
    ],
    format: rateInWords,
    scale: rateInWords,
    top: (points) => roundBytes(mostIn(points, received, sent), 1000),
  },
  {
    id: 'restarts',
    title: 'Restarts',
    series: [{ name: 'Restarts', pick: restarts, color: 'var(--qd-bad)' }],
    format: String,
    scale: (value) => (Number.isInteger(value) ? String(value) : ''),
    top: (points) => roundUp(Math.max(2, mostIn(points, restarts))),
  },
];

export const problemTitles: Readonly<Record<MetricsProblem, string>> = {
  noServer: 'Not deployed',
  noContainer: 'Not deployed',
  notChecked: 'No samples yet',
  unreachable: 'No newer figures',
  dockerAbsent: 'No Docker',
  dockerStopped: 'No newer figures',
  dockerSilent: 'No newer figures',
  noAccess: 'No access to Docker',
  noFigures: 'No figures',
};

/** @param server its alias */
export const problemWords = (problem: MetricsProblem, server: string): string =>
  ({
    noServer: 'This service names no server that it is deployed to.',
    noContainer: `The last check of ${server} found no container of this service.`,
    notChecked: `${server} has not been checked yet. Figures will appear here after its first check.`,
    unreachable: `${server} did not answer its last check.`,
    dockerAbsent: `Docker is not installed on ${server}.`,
    dockerStopped: `Docker is stopped on ${server}.`,
    dockerSilent: `Docker on ${server} does not answer.`,
    noAccess: `The account on ${server} may not use Docker. Add it to the group docker, or let it use sudo without a password.`,
    noFigures: `${server} does not show what containers use. That needs awk, and control groups in /sys/fs/cgroup.`,
  })[problem];
