/** The installation as superadmins see it: shapes of answers, read where each thing is kept. */
import type { Position, Role } from '@quarterdeck/events';
import type { ForeignEventView } from './foreign-events';
import type { RunState } from './runs';

export interface WorkspaceSummary {
  id: string;
  name: string;
  createdAt: string;
  /** When somebody of it was last here, to the minute. */
  lastUsedAt?: string;
  people: number;
  servers: number;
  domains: number;
  runs: number;
}

export interface Membership {
  person: string;
  workspace: { id: string; name: string };
  role: Role;
  joinedAt: string;
  lastSignInAt?: string;
}

export interface PersonSummary {
  /** The e-mail, which is how one person in several workspaces is known; else the person's own id. */
  id: string;
  name?: string;
  email?: string;
  memberships: Membership[];
}

export interface RunSummary {
  id: string;
  workspace: { id: string; name: string };
  label: string;
  subject: string;
  state: RunState;
  requestedAt: string;
  /** Name of the person, else the actor as it is recorded. */
  requestedBy: string;
  startedAt?: string;
  endedAt?: string;
}

/** Something that was done to the installation itself. */
export interface InstallationEvent {
  position: Position;
  type: string;
  at: string;
  /** Name of the person, else the actor as it is recorded. */
  by: string;
  says: string;
}

export interface ProcessView {
  id: string;
  host: string;
  pid: number;
  version: string;
  startedAt: string;
  /** Since when it keeps the read models; one of all does. */
  leadingSince?: string;
}

export interface ChainState {
  /** `followed`: the engine keeps no chain; the one beside it has got so far. */
  state: 'unbroken' | 'followed' | 'broken';
  /** How many links at the end were computed anew for this answer. */
  checked: number;
  position: Position;
  hash?: string;
  problem?: string;
}

/** An event in the log that this console did not write, and why that is known. */
export interface ForeignEvent extends Omit<ForeignEventView, 'workspace'> {
  /** A superadmin has looked at it. `by`: name of the person, else the actor as it is recorded. */
  acknowledged?: { at: string; by: string; reason: string };
}

export interface EventLogFacts {
  engine: 'postgres' | 'eventstoredb';
  /** What a seal of this log is signed with: Ed25519, SPKI, base64. */
  identity?: { log: string; publicKey: string };
  /** What keeps the log from being written or read whole, in words. */
  problem?: string;
  /** Events that this console did not write: how many, how many nobody has looked at, and the newest of all. */
  foreign: { count: number; open: number; newest: ForeignEvent[] };
  head: Position;
  /** On disk, indexes included; unknown of another server's disk. */
  bytes?: number;
  /** Events of each of the last minutes, oldest first; the last one is not over. */
  perMinute: number[];
  seal?: { position: Position; hash: string; at: string };
  chain: ChainState;
  /** Streams that somebody has deleted or cut in the event log, and how. */
  truncated?: { stream: string; limits: string }[];
}

export interface InstallationView {
  version: string;
  eventLog: EventLogFacts;
  processes: ProcessView[];
  /** Newest first. */
  events: InstallationEvent[];
}

export interface Lag {
  /** Events that are in the log and not in the read models; unknown where positions are not contiguous. */
  events?: number;
  /** Age of the eldest of them; 0 when there is none. */
  ms: number;
}

export interface ParkedStream {
  projection: string;
  stream: string;
  position: Position;
  type: string;
  error: string;
  /** Later events of the stream that were set aside with it. */
  skipped: number;
  attempts: number;
  parkedAt: string;
}

export interface ProjectionStatus {
  name: string;
  /** As this program defines it. */
  version: number;
  /** As the table was made; 0 when it was never built. */
  storedVersion: number;
  state: 'live' | 'frozen';
  position: Position;
  parked: number;
  updatedAt: string;
}

export type MaintenanceKind = 'rebuild' | 'verify';

export interface MaintenanceProgress {
  kind: MaintenanceKind;
  projections: string[];
  phase: 'folding' | 'indexing' | 'catchingUp' | 'comparing';
  position: Position;
  /** Where it is heading for. */
  goal: Position;
  /** Folded so far. */
  events: number;
  /** To be folded; unknown where positions do not count events. */
  total?: number;
  eventsPerSecond: number;
  /** How much of the way to the goal is done, 0 to 1. */
  share: number;
  beganAt: string;
  /** By the pace so far; unknown at the very beginning. */
  secondsLeft?: number;
}

/** What was asked for and has no end yet. */
export interface Maintenance {
  maintenance: string;
  kind: MaintenanceKind;
  /** By name, or `all`. */
  readModel: string;
  /** How many processes began with it. */
  attempts: number;
  cancelRequested: boolean;
}

export interface ReadModelsView {
  position: Position;
  lag: Lag;
  projections: ProjectionStatus[];
  /** The first 100 by time. */
  parked: ParkedStream[];
  current?: Maintenance;
  /** Also of what nobody asked for: a newer program rebuilds by itself. */
  progress?: MaintenanceProgress;
  /** How the last one ended. */
  last?: InstallationEvent;
}
