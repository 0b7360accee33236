/** Answers about the installation, for superadmins. They are read directly from the source of each kind of data. */
import { catalogue } from '@quarterdeck/events/catalogue';
import { z } from 'zod';
import type { ListColumn } from './listing';
import { foreignEventView } from './foreign-events';
import { runState } from './runs';

export const workspaceSummary = z.strictObject({
  id: z.string(),
  name: z.string(),
  createdAt: z.string(),
  /** When one of its members was last active, to the minute. */
  lastUsedAt: z.string().optional(),
  people: z.number(),
  servers: z.number(),
  domains: z.number(),
  runs: z.number(),
});
export interface WorkspaceSummary extends z.infer<typeof workspaceSummary> {}

const counted = (id: 'people' | 'servers' | 'domains' | 'runs') =>
  ({
    id,
    value: (workspace: WorkspaceSummary) => workspace[id],
    filter: 'number',
    unsearched: true,
  }) as const;

/** Columns for searching, filtering and sorting the list of all workspaces. */
export const allWorkspacesColumns = [
  { id: 'name', value: ({ name }) => name },
  { id: 'lastUsedAt', value: ({ lastUsedAt }) => lastUsedAt, unsearched: true },
  counted('people'),
  counted('servers'),
  counted('domains'),
  counted('runs'),
  { id: 'createdAt', value: ({ createdAt }) => createdAt, unsearched: true },
] as const satisfies ListColumn<WorkspaceSummary>[];

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
  /** The e-mail, which identifies a person across workspaces, or else the person's id. */
  id: z.string(),
  name: z.string().optional(),
  email: z.string().optional(),
  memberships: z.array(membership),
});
export interface PersonSummary extends z.infer<typeof personSummary> {}

const lastSignIn = ({ memberships }: PersonSummary): string | undefined =>
  memberships.map(({ lastSignInAt }) => lastSignInAt ?? '').reduce((a, b) => (a > b ? a : b), '') ||
  undefined;

/** Columns for searching and sorting the list of all people. */
export const allPeopleColumns = [
  { id: 'name', value: ({ name, email, id }) => name ?? email ?? id },
  { id: 'email', value: ({ email }) => email },
  {
    id: 'memberships',
    value: ({ memberships }) =>
      memberships.map(({ workspace, role }) => `${workspace.name} as ${role}`).join(', '),
  },
  { id: 'lastSignInAt', value: lastSignIn, unsearched: true },
] as const satisfies ListColumn<PersonSummary>[];

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
  /** Name of the person, or else the recorded actor. */
  requestedBy: z.string(),
  startedAt: z.string().optional(),
  endedAt: z.string().optional(),
});
export interface RunSummary extends z.infer<typeof runSummary> {}

/** An action on the installation itself. */
export const installationEvent = z.strictObject({
  position: z.string(),
  type: z.string(),
  at: z.string(),
  /** Name of the person, or else the recorded actor. */
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
    /** When this process became the leader, which keeps the read models. Absent for all other processes. */
    leadingSince: z.string().optional(),
  })
  .meta({ id: 'Process' });
export interface ProcessView extends z.infer<typeof processView> {}

export const chainState = z.strictObject({
  /** `followed`: the engine keeps no chain, so a read model computes it up to this position. */
  state: z.enum(['unbroken', 'followed', 'broken']),
  /** How many links at the end were recomputed for this answer. */
  checked: z.number(),
  position: z.string(),
  hash: z.string().optional(),
  problem: z.string().optional(),
});
export interface ChainState extends z.infer<typeof chainState> {}

/** An event that this console did not write, with the reason why it counts as foreign. */
export const foreignEvent = foreignEventView.omit({ workspace: true }).extend({
  /** A superadmin has reviewed it. `by`: name of the person, or else the recorded actor. */
  acknowledged: z.strictObject({ at: z.string(), by: z.string(), reason: z.string() }).optional(),
});
export interface ForeignEvent extends z.infer<typeof foreignEvent> {}

export const eventLogFacts = z.strictObject({
  engine: z.enum(['postgres', 'eventstoredb']),
  /** The public key for seals of this log: Ed25519, SPKI, base64. */
  identity: z
    .strictObject({
      log: z.string(),
      publicKey: z.string(),
    })
    .optional(),
  /** Why the log cannot be written, or not be read completely. */
  problem: z.string().optional(),
  /** Events that this console did not write: how many, how many were not reviewed yet, and the newest of all. */
  foreign: z.strictObject({
    count: z.number(),
    open: z.number(),
    newest: z.array(foreignEvent),
  }),
  head: z.string(),
  /** Size on disk, including indexes. Unknown if the disk belongs to another server. */
  bytes: z.number().optional(),
  /** Number of events in each of the last minutes, oldest first. The last minute is not over. */
  perMinute: z.array(z.number()),
  seal: z
    .strictObject({
      position: z.string(),
      hash: z.string(),
      at: z.string(),
    })
    .optional(),
  chain: chainState,
  /** Streams that somebody has deleted or truncated in the event log, and how. */
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

/** So far all calls to the process came from this address, which may be a proxy that hides the callers. */
export const hiddenCallers = z.strictObject({
  address: z.string(),
  /** Whether its header X-Forwarded-For is believed. */
  trusted: z.boolean(),
  /** Whether its calls have a header X-Forwarded-For. */
  reports: z.boolean(),
});
export interface HiddenCallers extends z.infer<typeof hiddenCallers> {}

export const installationView = z
  .strictObject({
    version: z.string(),
    eventLog: eventLogFacts,
    processes: z.array(processView),
    hiddenCallers: hiddenCallers.optional(),
    /** Newest first. */
    events: z.array(installationEvent),
  })
  .meta({ id: 'Installation' });
export interface InstallationView extends z.infer<typeof installationView> {}

export const lag = z.strictObject({
  /** Events of the log that are not in the read models yet. Unknown if positions are not contiguous. */
  events: z.number().optional(),
  /** Age of the oldest of them; 0 if there is none. */
  ms: z.number(),
});
export interface Lag extends z.infer<typeof lag> {}

export const parkedStream = z.strictObject({
  projection: z.string(),
  stream: z.string(),
  position: z.string(),
  type: z.string(),
  error: z.string(),
  /** Number of later events of the stream that were set aside with it. */
  skipped: z.number(),
  attempts: z.number(),
  parkedAt: z.string(),
});
export interface ParkedStream extends z.infer<typeof parkedStream> {}

export const projectionStatus = z.strictObject({
  name: z.string(),
  /** Version in this program. */
  version: z.number(),
  /** Version of the table; 0 if it was never built. */
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
  /** Position to reach. */
  goal: z.string(),
  /** Number of events folded so far. */
  events: z.number(),
  /** Number of events to fold. Unknown if positions do not count events. */
  total: z.number().optional(),
  eventsPerSecond: z.number(),
  /** Progress towards the goal, from 0 to 1. */
  share: z.number(),
  beganAt: z.string(),
  /** Estimated from the pace so far. Unknown at the very beginning. */
  secondsLeft: z.number().optional(),
});
export interface MaintenanceProgress extends z.infer<typeof maintenanceProgress> {}

/** Requested maintenance that has not ended yet. */
export const maintenance = z.strictObject({
  maintenance: z.string(),
  kind: maintenanceKind,
  /** Name of a read model, or `all`. */
  readModel: z.string(),
  /** How many processes have begun it. */
  attempts: z.number(),
  cancelRequested: z.boolean(),
});
export interface Maintenance extends z.infer<typeof maintenance> {}

export const readModelsView = z
  .strictObject({
    position: z.string(),
    lag: lag,
    projections: z.array(projectionStatus),
    /** The first 100, by time. */
    parked: z.array(parkedStream),
    current: maintenance.optional(),
    /** Also set for maintenance that nobody requested: a newer version of the program rebuilds by itself. */
    progress: maintenanceProgress.optional(),
    /** How the last maintenance ended. */
    last: installationEvent.optional(),
  })
  .meta({ id: 'ReadModels' });
export interface ReadModelsView extends z.infer<typeof readModelsView> {}
