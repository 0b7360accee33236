/**
 * From recorded facts to crossings: when a cause began to hold of a thing, and when it ceased. The watches of alerts use
 * these functions as facts arrive, and a rule that is tried on the past uses them on what was recorded. Pure.
 */
import type { AlertCause, LoggedEvent } from '@quarterdeck/events';
import { dnsInWords } from './domain-verdict';
import type { DomainView } from './domain-view';
import type { HealthFigures } from './health';
import { namesInWords } from './pointing';
import { strainsOf } from './server-verdict';
import type { ServerView } from './servers';

/** A cause that holds of a thing. */
export interface Ill {
  about: AlertCause;
  since: string;
  says: string;
}

export interface Crossing extends Ill {
  /** Absent while it holds. */
  until?: string;
}

const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);

/** What is wrong with a server, by its record. */
export const illsOfServer = ({ alias, health, refusedHostKey, removedAt }: ServerView): Ill[] => {
  if (removedAt !== undefined) return [];
  if (refusedHostKey) {
    const says = `${alias} shows another host key, ${refusedHostKey.fingerprint}. Nothing is run there until it shows the known one again or an administrator accepts the new one.`;
    return [{ about: 'hostKeyChanged', since: refusedHostKey.at, says }];
  }
  if (health?.state !== 'unreachable' || health.code === 'hostKeyChanged') return [];
  const says = sentence(`${alias} is unreachable${health.reason === undefined ? '' : `: ${health.reason}`}`);
  return [{ about: 'serverUnreachable', since: health.since, says }];
};

/** What is wrong with a site, by its record, that has no watch of its own. */
export const illsOfDomain = (
  domain: Pick<DomainView, 'serverName' | 'drift' | 'away' | 'dns' | 'removedAt'>,
): Ill[] => (domain.removedAt === undefined ? [...driftOf(domain), ...awayOf(domain)] : []);

const awayOf = ({ away, dns }: Pick<DomainView, 'away' | 'dns'>): Ill[] => {
  if (!away) return [];
  const lead = away.names.length === 1 ? 'does not lead' : 'do not lead';
  const says = `${namesInWords(away.names)} ${lead} to the server any more (${dnsInWords(dns)}).`;
  return [{ about: 'dnsMoved', since: away.at, says }];
};

const driftOf = ({ serverName, drift }: Pick<DomainView, 'serverName' | 'drift'>): Ill[] => {
  if (!drift) return [];
  const what = drift.found ? 'was changed' : 'was removed';
  return [
    {
      about: 'configDrifted',
      since: drift.at,
      says: `The configuration of ${serverName} ${what} on the server.`,
    },
  ];
};

interface Recorded<V> {
  /** Of one thing, in order. */
  events: readonly LoggedEvent[];
  evolve(view: V | undefined, event: LoggedEvent, id: string): V | undefined;
  illsOf(view: V): Ill[];
}

/** The crossings of one thing, from its events. */
export const crossingsIn = <V>(id: string, { events, evolve, illsOf }: Recorded<V>): Crossing[] => {
  const all: Crossing[] = [];
  let view: V | undefined;
  for (const event of events) {
    view = evolve(view, event, id);
    const ills = view === undefined ? [] : illsOf(view);
    const isOf =
      ({ about, since }: Ill) =>
      (other: Ill) =>
        other.about === about && other.since === since;
    for (const crossing of all)
      if (crossing.until === undefined && !ills.some(isOf(crossing))) crossing.until = event.meta.at;
    for (const ill of ills) if (!all.some(isOf(ill))) all.push({ ...ill });
  }
  return all;
};

export const measuredCauses = [
  'serverOverloaded',
  'memoryFull',
  'diskFull',
  'nginxStopped',
  'dockerStopped',
] as const satisfies readonly AlertCause[];
export type MeasuredCause = (typeof measuredCauses)[number];

/** What a probe measured, and when. */
export interface MeasuredProbe extends HealthFigures {
  at: string;
  ok: boolean;
}

/** What was never seen to run need not run. */
const runs: Partial<Record<MeasuredCause, (sample: MeasuredProbe) => boolean>> = {
  nginxStopped: ({ nginx }) => nginx === 'running',
  dockerStopped: ({ docker }) => docker === 'running',
};

const percent = (fraction: number): string => `${Math.round(fraction * 100)} percent`;

/** What one probe says about each cause: why it holds, or `false`. Absent: the probe says nothing. */
export const foundBy = (
  sample: MeasuredProbe,
  alias: string,
): Partial<Record<MeasuredCause, string | false>> => {
  if (!sample.ok) return {};
  const { load1, cores, memoryAvailable, diskAvailable, nginx, docker } = sample;
  const { overloaded, memory, memoryFull, disk, diskFull } = strainsOf(sample);
  return {
    ...(load1 !== undefined &&
      cores !== undefined && {
        serverOverloaded: overloaded && `${alias} is overloaded: its load is ${load1} on ${cores} cores.`,
      }),
    ...(memoryAvailable !== undefined && {
      memoryFull: memoryFull && `The memory of ${alias} is almost full: ${percent(memory)} are in use.`,
    }),
    ...(diskAvailable !== undefined && {
      diskFull: diskFull && `The disk of ${alias} is almost full: ${percent(disk)} are in use.`,
    }),
    ...(nginx !== undefined && { nginxStopped: nginx === 'stopped' && `nginx on ${alias} has stopped.` }),
    ...(docker !== undefined && {
      dockerStopped:
        docker !== 'running' && docker !== 'absent' && `Docker on ${alias} has stopped or does not answer.`,
    }),
  };
};

/** One probe says little: so many in a row begin a crossing, and end it. */
export const PROBES_IN_A_ROW = 2;

interface Measure {
  /** Probes in a row that say the opposite of the present state. */
  row: number;
  wasWell: boolean;
  open?: Crossing;
}

/** The crossings of one server, as its probes are taken in, oldest first. */
export class Measured {
  readonly crossings: Crossing[] = [];
  private readonly measures = new Map<MeasuredCause, Measure>();

  take(sample: MeasuredProbe, alias: string): void {
    const found = foundBy(sample, alias);
    for (const about of measuredCauses) {
      const says = found[about];
      if (says === undefined) continue;
      const measure = this.measures.get(about) ?? { row: 0, wasWell: false };
      this.measures.set(about, measure);
      if (says === false && (runs[about]?.(sample) ?? true)) measure.wasWell = true;
      const isCrossing = says !== false && (measure.wasWell || !runs[about]);
      measure.row = isCrossing === (measure.open === undefined) ? measure.row + 1 : 0;
      if (measure.row < PROBES_IN_A_ROW) continue;
      measure.row = 0;
      if (measure.open) {
        measure.open.until = sample.at;
        delete measure.open;
      } else if (says !== false) {
        measure.open = { about, since: sample.at, says };
        this.crossings.push(measure.open);
      }
    }
  }

  /** What holds now. `isFromStart`: it held when the first probe was taken in, so it may have begun before. */
  open(): (Crossing & { about: MeasuredCause; isFromStart: boolean })[] {
    return [...this.measures].flatMap(([about, { open, wasWell }]) =>
      open ? [{ ...open, about, isFromStart: !wasWell }] : [],
    );
  }

  /** Whether its probes say something about a cause. */
  knows(about: MeasuredCause): boolean {
    return this.measures.has(about);
  }
}
