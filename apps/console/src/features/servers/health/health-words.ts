/** Health as texts and measures. Pure. */
import {
  diskInUse,
  FULL,
  memoryUsed,
  OVERLOAD,
  type HealthFigures,
  type HealthHistory,
} from '@quarterdeck/projections';
import { bytesInWords } from '../../../ui/bytes';
import { count } from '../../../ui/count';
import { durationInWords } from '../../../ui/RelativeTime';

export interface Measure {
  id: 'load' | 'memory' | 'disk';
  label: string;
  /** Filled part of the bar, from 0 to 1. */
  part: number;
  value: string;
  /** The total, such as `2 GiB of 8 GiB`. */
  detail: string;
  /** Set above the threshold. `short` is for places with little room. */
  warning?: { word: string; short: string };
}

export const percent = (part: number): string => `${Math.round(part * 100)} %`;

/** Rounds up like `df`. The subtraction is needed because 0.07 * 100 is slightly more than 7. */
export const diskPercent = (part: number): string => `${Math.ceil(part * 100 - 1e-9)} %`;

const usage = (
  id: 'memory' | 'disk',
  label: string,
  used: number | undefined,
  available: number | undefined,
  format: (part: number) => string,
): Measure[] => {
  if (used === undefined || available === undefined || used + available === 0) return [];
  const part = Math.min(1, Math.max(0, used / (used + available)));
  const detail = `${bytesInWords(used)} of ${bytesInWords(used + available)}`;
  return [
    {
      id,
      label,
      part,
      value: format(part),
      detail,
      ...(part > FULL && { warning: { word: 'almost full', short: 'full' } }),
    },
  ];
};

export const loadInWords = (load: number): string => load.toFixed(load < 10 ? 2 : 1);

export const measuresOf = (figures: HealthFigures): Measure[] => {
  const { load1, cores, memoryAvailable, diskAvailable } = figures;
  const load: Measure[] =
    load1 === undefined
      ? []
      : [
          {
            id: 'load',
            label: 'Load',
            part: Math.min(1, load1 / (OVERLOAD * (cores ?? 1))),
            value: loadInWords(load1),
            detail: `over 1 min${cores === undefined ? '' : ` on ${coresInWords(cores)}`}`,
            ...(cores !== undefined &&
              load1 > OVERLOAD * cores && { warning: { word: 'overloaded', short: 'high' } }),
          },
        ];
  return [
    ...load,
    ...usage('memory', 'Memory', memoryUsed(figures), memoryAvailable, percent),
    ...usage('disk', 'Disk', diskInUse(figures), diskAvailable, diskPercent),
  ];
};

export const coresInWords = (cores: number): string => count(cores, 'core');

export const uptimeInWords = (seconds: number): string => {
  const [days, hours, minutes] = [
    Math.floor(seconds / 86_400),
    Math.floor((seconds % 86_400) / 3600),
    Math.floor((seconds % 3600) / 60),
  ];
  if (days > 0) return `${days} d ${hours} h`;
  return hours > 0 ? `${hours} h ${minutes} min` : `${minutes} min`;
};

export interface Service {
  tone: 'good' | 'bad' | 'warn' | 'quiet';
  words: string;
}

const services = {
  absent: { tone: 'quiet', words: 'not installed' },
  stopped: { tone: 'warn', words: 'stopped' },
  silent: { tone: 'bad', words: 'does not answer' },
  running: { tone: 'good', words: 'running' },
} as const satisfies Record<string, Service>;

export const dockerWords = ({ docker, containers }: HealthFigures): Service | undefined => {
  if (docker !== 'running' || containers === undefined) return docker && services[docker];
  return { ...services.running, words: `running, ${count(containers, 'container')}` };
};

export const nginxWords = ({ nginx }: HealthFigures): Service | undefined => nginx && services[nginx];

/** How much of the range was covered by checks, without the gaps. */
const coveredMs = ({ from, to, gapSeconds, points }: HealthHistory): number => {
  const instants = [from, ...points.map(({ at }) => at), to].map((at) => Date.parse(at));
  const stretches = instants.slice(1).map((at, index) => at - (instants[index] ?? at));
  return stretches.filter((ms) => ms <= gapSeconds * 1000).reduce((sum, ms) => sum + ms, 0);
};

/** For a history without an outage; claims only the time that was checked. @param words e.g. `the last 7 days` */
export const noOutageInWords = (history: HealthHistory, words: string): string => {
  const covered = coveredMs(history);
  if (covered >= Date.parse(history.to) - Date.parse(history.from)) return `no outage in ${words}`;
  if (covered > 0) return `no outage while it was checked: ${durationInWords(covered)} of ${words}`;
  const checks = history.points.reduce((sum, { samples }) => sum + samples, 0);
  return `no outage in ${checks === 1 ? 'its one check' : `its ${checks} checks`}, too few to speak for ${words}`;
};
