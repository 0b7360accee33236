/** The installation as superadmins see it: shapes of answers, read where each thing is kept. */
import { catalogue } from '@quarterdeck/events/catalogue';
import { z } from 'zod';
import { foreignEventView } from './foreign-events';
import { runState } from './runs';

export const workspaceSummary = z.strictObject({
  id: z.string(),
  name: z.string(),
  createdAt: z.string(),
  /** When somebody of it was last here, to the minute. */
  lastUsedAt: z.string().optional(),
  people: z.number(),
  servers: z.number(),
  domains: z.number(),
  runs: z.number(),
});
export interface WorkspaceSummary extends z.infer<typeof workspaceSummary> {}

export const membership = z.strictObject({
  person: z.string(),
  workspace: z.strictObject({
    id: z.string(),
    name: z.string(),
  }),
  role: catalogue.PersonJoined.schema.shape.role,
  joinedAt: z.string(),
  lastSignInAt: z.string().optional(),
});
export interface Membership extends z.infer<typeof membership> {}

export const personSummary = z.strictObject({
  /** The e-mail, which is how one person in several workspaces is known; else the person's own id. */
  id: z.string(),
  name: z.string().optional(),
  email: z.string().optional(),
  memberships: z.array(membership),
});
export interface PersonSummary extends z.infer<typeof personSummary> {}

export const runSummary = z.strictObject({
  id: z.string(),
  workspace: z.strictObject({
    id: z.string(),
    name: z.string(),
  }),
  label: z.string(),
  subject: z.string(),
  state: runState,
  requestedAt: z.string(),
  /** Name of the person, else the actor as it is recorded. */
  requestedBy: z.string(),
  startedAt: z.string().optional(),
  endedAt: z.string().optional(),
});
export interface RunSummary extends z.infer<typeof runSummary> {}

/** Something that was done to the installation itself. */
export const installationEvent = z.strictObject({
  position: z.string(),
  type: z.string(),
  at: z.string(),
  /** Name of the person, else the actor as it is recorded. */
  by: z.string(),
  says: z.string(),
});
export interface InstallationEvent extends z.infer<typeof installationEvent> {}

export const processView = z
  .strictObject({
    id: z.string(),
    host: z.string(),
    pid: z.number(),
    version: z.string(),
    startedAt: z.string(),
    /** Since when it keeps the read models; one of all does. */
    leadingSince: z.string().optional(),
  })
  .meta({ id: 'Process' });
export interface ProcessView extends z.infer<typeof processView> {}

export const chainState = z.strictObject({
  /** `followed`: the engine keeps no chain; the one beside it has got so far. */
  state: z.enum(['unbroken', 'followed', 'broken']),
  /** How many links at the end were computed anew for this answer. */
  checked: z.number(),
  position: z.string(),
  hash: z.string().optional(),
  problem: z.string().optional(),
});
export interface ChainState extends z.infer<typeof chainState> {}

/** An event in the log that this console did not write, and why that is known. */
export const foreignEvent = foreignEventView.omit({ workspace: true }).extend({
  /** A superadmin has looked at it. `by`: name of the person, else the actor as it is recorded. */
  acknowledged: z.strictObject({ at: z.string(), by: z.string(), reason: z.string() }).optional(),
});
export interface ForeignEvent extends z.infer<typeof foreignEvent> {}

export const eventLogFacts = z.strictObject({
  engine: z.enum(['postgres', 'eventstoredb']),
  /** What a seal of this log is signed with: Ed25519, SPKI, base64. */
  identity: z
    .strictObject({
      log: z.string(),
      publicKey: z.string(),
    })
    .optional(),
  /** What keeps the log from being written or read whole, in words. */
  problem: z.string().optional(),
  /** Events that this console did not write: how many, how many nobody has looked at, and the newest of all. */
  foreign: z.strictObject({
    count: z.number(),
    open: z.number(),
    newest: z.array(foreignEvent),
  }),
  head: z.string(),
  /** On disk, indexes included; unknown of another server's disk. */
  bytes: z.number().optional(),
  /** Events of each of the last minutes, oldest first; the last one is not over. */
  perMinute: z.array(z.number()),
  seal: z
    .strictObject({
      position: z.string(),
      hash: z.string(),
      at: z.string(),
    })
    .optional(),
  chain: chainState,
  /** Streams that somebody has deleted or cut in the event log, and how. */
  truncated: z
    .array(
      z.strictObject({
        stream: z.string(),
        limits: z.string(),
      }),
    )
    .optional(),
});
export interface EventLogFacts extends z.infer<typeof eventLogFacts> {}

export const installationView = z
  .strictObject({
    version: z.string(),
    eventLog: eventLogFacts,
    processes: z.array(processView),
    /** Newest first. */
    events: z.array(installationEvent),
  })
  .meta({ id: 'Installation' });
export interface InstallationView extends z.infer<typeof installationView> {}

export const lag = z.strictObject({
  /** Events that are in the log and not in the read models; unknown where positions are not contiguous. */
  events: z.number().optional(),
  /** Age of the eldest of them; 0 when there is none. */
  ms: z.number(),
});
export interface Lag extends z.infer<typeof lag> {}

export const parkedStream = z.strictObject({
  projection: z.string(),
  stream: z.string(),
  position: z.string(),
  type: z.string(),
  error: z.string(),
  /** Later events of the stream that were set aside with it. */
  skipped: z.number(),
  attempts: z.number(),
  parkedAt: z.string(),
});
export interface ParkedStream extends z.infer<typeof parkedStream> {}

export const projectionStatus = z.strictObject({
  name: z.string(),
  /** As this program defines it. */
  version: z.number(),
  /** As the table was made; 0 when it was never built. */
  storedVersion: z.number(),
  state: z.enum(['live', 'frozen']),
  position: z.string(),
  parked: z.number(),
  updatedAt: z.string(),
});
export interface ProjectionStatus extends z.infer<typeof projectionStatus> {}

export const maintenanceKind = z.enum(['rebuild', 'verify']);
export type MaintenanceKind = z.infer<typeof maintenanceKind>;

export const maintenanceProgress = z.strictObject({
  kind: maintenanceKind,
  projections: z.array(z.string()),
  phase: z.enum(['folding', 'indexing', 'catchingUp', 'comparing']),
  position: z.string(),
  /** Where it is heading for. */
  goal: z.string(),
  /** Folded so far. */
  events: z.number(),
  /** To be folded; unknown where positions do not count events. */
  total: z.number().optional(),
  eventsPerSecond: z.number(),
  /** How much of the way to the goal is done, 0 to 1. */
  share: z.number(),
  beganAt: z.string(),
  /** By the pace so far; unknown at the very beginning. */
  secondsLeft: z.number().optional(),
});
export interface MaintenanceProgress extends z.infer<typeof maintenanceProgress> {}

/** What was asked for and has no end yet. */
export const maintenance = z.strictObject({
  maintenance: z.string(),
  kind: maintenanceKind,
  /** By name, or `all`. */
  readModel: z.string(),
  /** How many processes began with it. */
  attempts: z.number(),
  cancelRequested: z.boolean(),
});
export interface Maintenance extends z.infer<typeof maintenance> {}

export const readModelsView = z
  .strictObject({
    position: z.string(),
    lag: lag,
    projections: z.array(projectionStatus),
    /** The first 100 by time. */
    parked: z.array(parkedStream),
    current: maintenance.optional(),
    /** Also of what nobody asked for: a newer program rebuilds by itself. */
    progress: maintenanceProgress.optional(),
    /** How the last one ended. */
    last: installationEvent.optional(),
  })
  .meta({ id: 'ReadModels' });
export interface ReadModelsView extends z.infer<typeof readModelsView> {}
