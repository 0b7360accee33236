/** What probes found. Plain rows that age and go, no folds of events: the events say only when the state changed. */

export type DockerState = 'absent' | 'stopped' | 'running' | 'silent';
export type NginxState = 'absent' | 'stopped' | 'running';

/** What a server told of itself. Whatever it could not tell is left out. */
export interface HealthFigures {
  /** Over 1, 5 and 15 minutes. */
  load1?: number;
  load5?: number;
  load15?: number;
  cores?: number;
  memoryTotal?: number;
  memoryAvailable?: number;
  /** In bytes, of the file system that holds the server's `root`. */
  diskTotal?: number;
  /** Without what the file system reserves, as `df` counts it. Older samples lack it: it is the total less the available. */
  diskUsed?: number;
  diskAvailable?: number;
  uptimeSeconds?: number;
  /** `silent`: its daemon runs and does not answer. */
  docker?: DockerState;
  /** Running ones. */
  containers?: number;
  nginx?: NginxState;
}

/** One probe of one server. */
export interface HealthSample extends HealthFigures {
  server: string;
  at: string;
  ok: boolean;
  tookMs: number;
  /** Why the server was not reached, as code and in words. */
  code?: string;
  reason?: string;
}

/** The newest probe of a server, as lists tell it. */
export interface NewestHealth extends HealthSample {
  /** When it was last reached, if ever. */
  seenAt?: string;
}

export interface HealthRange {
  min: number;
  avg: number;
  max: number;
}

/** What a stretch of time comes to. */
export interface HealthPoint {
  at: string;
  samples: number;
  failed: number;
  load?: HealthRange;
  cores?: number;
  /** In use, from 0 to 1. */
  memory?: HealthRange;
  disk?: HealthRange;
}

export interface UnreachablePeriod {
  from: string;
  /** Absent: still so. */
  to?: string;
  reason?: string;
}

export interface HealthHistory {
  id: string;
  from: string;
  to: string;
  /** Points that are further apart than this have a gap between them. */
  gapSeconds: number;
  points: HealthPoint[];
  unreachable: UnreachablePeriod[];
}
