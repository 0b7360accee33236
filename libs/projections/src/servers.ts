/** The servers of a workspace, as lists and details show them. */
import type { LoggedEvent } from '@quarterdeck/events';
import { catalogue } from '@quarterdeck/events/catalogue';
import { z } from 'zod';
import { defineProjection, rowPerStream } from './define-projection';

export const serverView = z
  .strictObject({
    id: z.string(),
    uuid: z.string(),
    workspace: z.string(),
    alias: z.string(),
    host: z.string(),
    port: z.number(),
    username: z.string(),
    root: z.string(),
    path: z.string(),
    nginxPath: z.string(),
    key: z.strictObject({
      fingerprint: z.string(),
      algorithm: z.string(),
      setAt: z.string(),
    }),
    /** The key that the host showed at first contact, or that an admin has accepted since. */
    hostKey: z
      .strictObject({
        algorithm: z.string(),
        fingerprint: z.string(),
        since: z.string(),
      })
      .optional(),
    /**
     * Another key that the host showed later. Kept until an admin accepts it, or until the host shows the pinned key
     * again.
     */
    refusedHostKey: z
      .strictObject({
        algorithm: z.string(),
        fingerprint: z.string(),
        at: z.string(),
      })
      .optional(),
    registeredAt: z.string(),
    registeredBy: z.string(),
    changedAt: z.string(),
    changedBy: z.string(),
    /** If set, the server is hidden until it is restored. */
    removedAt: z.string().optional(),
    initialized: catalogue.ServerInitialized.schema
      .extend({
        at: z.string(),
        run: z.string(),
      })
      .optional(),
    docker: catalogue.DockerInstalled.schema
      .extend({
        at: z.string(),
        run: z.string(),
      })
      .optional(),
    /** What the server says about its own addresses. Absent before the first contact. */
    addresses: catalogue.ServerAddressesChanged.schema.extend({ at: z.string() }).optional(),
    /** State at the last change. The newest figures come from the probes. */
    health: z
      .strictObject({
        state: z.enum(['reachable', 'unreachable']),
        since: z.string(),
        code: z.string().optional(),
        reason: z.string().optional(),
      })
      .optional(),
    /** Joined from the runs when read: the server's own stream does not contain them. */
    lastRun: z
      .strictObject({
        id: z.string(),
        kind: z.string(),
        label: z.string(),
        state: z.string(),
        at: z.string(),
      })
      .optional(),
    /** Revision of the server's stream. An editor sends it back with a change. */
    revision: z.number(),
    position: z.string(),
  })
  .meta({ id: 'Server' });
export interface ServerView extends z.infer<typeof serverView> {}

const keyOf = (key: { fingerprint: string; algorithm: string }, setAt: string): ServerView['key'] => ({
  fingerprint: key.fingerprint,
  algorithm: key.algorithm,
  setAt,
});

/** Edits by operators. Only these events change who edited the server last. All others only record observations. */
const edits = new Set<LoggedEvent['type']>([
  'ServerRenamed',
  'ServerMoved',
  'ServerPathsChanged',
  'ServerKeyReplaced',
  'ServerHostKeyAccepted',
  'ServerRestored',
]);

const changes = (view: ServerView, event: LoggedEvent): Partial<ServerView> => {
  const { at } = event.meta;
  switch (event.type) {
    case 'ServerRenamed':
    case 'ServerPathsChanged':
      return event.data;
    case 'ServerMoved': {
      // A host key belongs to the address where it was seen.
      const sameAddress = event.data.host === view.host && event.data.port === view.port;
      return sameAddress
        ? event.data
        : { ...event.data, hostKey: undefined, refusedHostKey: undefined, addresses: undefined };
    }
    case 'ServerKeyReplaced':
      return { key: keyOf(event.data.key, at) };
    case 'ServerRemoved':
      return { removedAt: at };
    case 'ServerRestored':
      return { key: keyOf(event.data.key, at), removedAt: undefined };
    case 'ServerHostKeyPinned':
    case 'ServerHostKeyAccepted': {
      const { algorithm, fingerprint } = event.data;
      return { hostKey: { algorithm, fingerprint, since: at }, refusedHostKey: undefined };
    }
    // The causation id of the event is the run.
    case 'ServerInitialized':
      return { initialized: { ...event.data, at, run: event.meta.causationId } };
    case 'DockerInstalled':
      return { docker: { ...event.data, at, run: event.meta.causationId } };
    case 'ServerHealthChanged': {
      const { to: state, ...why } = event.data;
      return { health: { state, since: at, ...why } };
    }
    case 'ServerAddressesChanged':
      return { addresses: { ...event.data, at } };
    case 'ServerHostKeyRefused':
      return { refusedHostKey: { ...event.data.got, at } };
    case 'ServerHostKeyReturned':
      return { refusedHostKey: undefined };
    default:
      return {};
  }
};

export const servers = defineProjection<ServerView>({
  name: 'servers',
  version: 4,
  columns: { alias: 'text', host: 'text', removedAt: 'timestamptz' },
  hiddenBy: 'removedAt',
  indexes: ['(workspace, lower(alias))'],
  ...rowPerStream('server'),
  evolve: (view, event, key) => {
    const { at, actor, workspace } = event.meta;
    const place = { revision: event.revision, position: event.position };
    if (event.type === 'ServerRegistered') {
      const { key: reference, ...data } = event.data;
      const by = { registeredAt: at, registeredBy: actor, changedAt: at, changedBy: actor };
      return { id: key, uuid: key, workspace, ...data, key: keyOf(reference, at), ...by, ...place };
    }
    if (!view) return undefined;
    const by = edits.has(event.type) ? { changedAt: at, changedBy: actor } : {};
    return { ...view, ...changes(view, event), ...by, ...place };
  },
});
