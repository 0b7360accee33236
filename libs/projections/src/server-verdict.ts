/** The overall verdict about a server: whether it is reachable, and whether it is overloaded. Pure. */
import type { HealthFigures, NewestHealth } from './health';
import type { ServerView } from './servers';
import { lasting, type Verdict } from './verdict';

/** Fraction of memory or disk in use above which it counts as almost full. */
export const FULL = 0.9;
/** Load per core above which a server counts as overloaded. */
export const OVERLOAD = 2;

export const serverVerdicts = {
  healthy: { label: 'healthy', tone: 'good' },
  overloaded: { label: 'overloaded', tone: 'warn' },
  memoryFull: { label: 'memory almost full', tone: 'warn' },
  diskFull: { label: 'disk almost full', tone: 'warn' },
  unreachable: { label: 'unreachable', tone: 'bad' },
  hostKeyChanged: { label: 'host key changed', tone: 'bad' },
  notReached: { label: 'not reached yet', tone: 'warn' },
  notChecked: { label: 'not checked yet', tone: 'quiet' },
} as const satisfies Record<string, Verdict>;
export type ServerState = keyof typeof serverVerdicts;

const less = (total: number | undefined, available: number | undefined): number | undefined =>
  total === undefined || available === undefined ? undefined : total - available;

/** Fraction in use, computed as `df` does: space reserved for root counts as neither used nor available. */
const fullness = (used: number | undefined, available: number | undefined): number => {
  if (used === undefined || available === undefined || used + available <= 0) return 0;
  return used / (used + available);
};

/** Bytes in use; `undefined` if unknown. */
export const memoryUsed = ({ memoryTotal, memoryAvailable }: HealthFigures): number | undefined =>
  less(memoryTotal, memoryAvailable);
export const diskInUse = ({ diskUsed, diskTotal, diskAvailable }: HealthFigures): number | undefined =>
  diskUsed ?? less(diskTotal, diskAvailable);

/** Fractions from 0 to 1, and whether they are too high. Unknown figures are not. */
export const strainsOf = (figures: HealthFigures) => {
  const { load1, cores, memoryAvailable, diskAvailable } = figures;
  const memory = fullness(memoryUsed(figures), memoryAvailable);
  const disk = fullness(diskInUse(figures), diskAvailable);
  return {
    overloaded: load1 !== undefined && cores !== undefined && load1 > OVERLOAD * cores,
    memory,
    memoryFull: memory > FULL,
    disk,
    diskFull: disk > FULL,
  };
};

const strains = ['overloaded', 'memoryFull', 'diskFull'] as const;
const strainOf = (figures: HealthFigures) => {
  const is = strainsOf(figures);
  return strains.find((one) => is[one]);
};

export type JudgedServer = Pick<ServerView, 'health' | 'refusedHostKey'>;
/** The newest probe. */
export type Probed = HealthFigures & Pick<NewestHealth, 'ok'>;

export const serverStateOf = ({ health, refusedHostKey }: JudgedServer, newest?: Probed): ServerState => {
  if (refusedHostKey) return 'hostKeyChanged';
  // The recorded state counts. Before the first record, the verdict depends on whether a probe was tried.
  if (!health) return newest ? 'notReached' : 'notChecked';
  if (health.state === 'unreachable') return 'unreachable';
  return (newest?.ok === true ? strainOf(newest) : undefined) ?? 'healthy';
};

export interface ServerVerdict extends Verdict {
  is: ServerState;
  /** Start of the state, if the label includes its duration. */
  since?: string | undefined;
}

/** `healthy`, `unreachable for 44 min` */
export const serverVerdict = (
  server: JudgedServer,
  { now, newest }: { now: number; newest?: Probed | undefined },
): ServerVerdict => {
  const is = serverStateOf(server, newest);
  const { label, tone } = serverVerdicts[is];
  const since = is === 'unreachable' ? server.health?.since : undefined;
  return { is, label: lasting(label, since, now), tone, since };
};

export type HostKeyState = 'changed' | 'pinned' | 'unknown';

export const hostKeyState = ({
  hostKey,
  refusedHostKey,
}: Pick<ServerView, 'hostKey' | 'refusedHostKey'>): HostKeyState =>
  refusedHostKey ? 'changed' : hostKey ? 'pinned' : 'unknown';

export const hostKeyWords = { changed: 'changed', pinned: 'pinned', unknown: 'not contacted yet' } as const;
