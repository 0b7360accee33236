/** Figures of a site as charts and texts. Pure. */
import type { TrafficPoint, TrafficProblem } from '@quarterdeck/projections';
import { bytesInWords } from '../../ui/bytes';
import { roundUp, type PickRange } from '../../ui/chart/chart-geometry';
import { mostIn, type ChartKind } from '../../ui/chart/chart-words';
import { count } from '../../ui/count';
import { rateInWords, roundBytes } from './metric-words';

const figure = (value: number): string =>
  value === 0 || value >= 100 ? String(Math.round(value)) : String(Number(value.toPrecision(2)));

export const requestsPerSecond = (value: number): string => `${figure(value)}/s`;

export const requestsInWords = (requests: number): string => count(requests, 'request');

/** "0 %", "less than 0.1 %", "12 %" */
export const partInWords = (part: number, all: number): string => {
  const percent = (part / all) * 100;
  if (percent > 0 && percent < 0.1) return 'less than 0.1 %';
  return `${percent > 0 && percent < 9.95 ? percent.toFixed(1) : Math.round(percent)} %`;
};

export const timeInWords = (seconds: number): string => {
  if (seconds < 0.001) return 'less than 1 ms';
  return seconds < 1 ? `${figure(seconds * 1000)} ms` : `${figure(seconds)} s`;
};

const class2: PickRange<TrafficPoint> = (point) => point.ok;
const class3: PickRange<TrafficPoint> = (point) => point.redirected;
const class4: PickRange<TrafficPoint> = (point) => point.refused;
const class5: PickRange<TrafficPoint> = (point) => point.failed;
const bytes: PickRange<TrafficPoint> = (point) => point.bytes;
const at =
  (name: 'p50' | 'p95'): PickRange<TrafficPoint> =>
  ({ [name]: value }) =>
    value === undefined ? undefined : { min: value, avg: value, max: value };

export const trafficKinds: readonly ChartKind<TrafficPoint>[] = [
  {
    id: 'requests',
    title: 'Requests a second',
    series: [
      { name: '2xx', pick: class2, color: 'var(--qd-good)' },
      { name: '3xx', pick: class3 },
      { name: '4xx', pick: class4, color: 'var(--qd-warn)' },
      { name: '5xx', pick: class5, color: 'var(--qd-bad)' },
    ],
    format: requestsPerSecond,
    scale: requestsPerSecond,
    top: (points) => roundUp(Math.max(0.1, mostIn(points, class2, class3, class4, class5))),
  },
  {
    id: 'times',
    title: 'Time of a request',
    series: [
      { name: 'half within', pick: at('p50') },
      { name: '95 % within', pick: at('p95'), color: 'var(--qd-warn)' },
    ],
    format: timeInWords,
    scale: (value) => (value === 0 ? '0' : timeInWords(value)),
    top: (points) => roundUp(Math.max(0.01, mostIn(points, at('p95')))),
  },
  {
    id: 'bytes',
    title: 'Sent',
    series: [{ name: 'Sent', pick: bytes }],
    format: rateInWords,
    scale: (value) => `${bytesInWords(value, 1000)}/s`,
    top: (points) => roundBytes(mostIn(points, bytes), 1000),
  },
];

export const trafficProblemTitles: Readonly<Record<TrafficProblem, string>> = {
  noLog: 'No log yet',
  noAccess: 'No access to the log',
  noAwk: 'No figures',
  notLooked: 'No samples yet',
  unreachable: 'No newer figures',
};

/** @param server its alias */
export const trafficProblemWords = (problem: TrafficProblem, server: string): string =>
  ({
    noLog: `${server} has no access log of this site. Apply its configuration to begin one.`,
    noAccess: `The account on ${server} may not read the access log of this site. Let it use sudo without a password.`,
    noAwk: `${server} has no awk, which is needed to sum up the access log.`,
    notLooked: `The access log of this site was not read yet. ${server} is asked once a minute while it is healthy.`,
    unreachable: `${server} was not asked for the last minutes, or did not answer.`,
  })[problem];
