/** The servers of a workspace, as lists and details show them. */
import { streamParts, type EventData, type LoggedEvent, type Position } from '@quarterdeck/events';
import { defineProjection } from './define-projection';

export interface ServerView {
  id: string;
  uuid: string;
  workspace: string;
  alias: string;
  host: string;
  port: number;
  username: string;
  root: string;
  path: string;
  nginxPath: string;
  key: { fingerprint: string; algorithm: string; setAt: string };
  /** What the host showed at first contact, or what an admin accepted since. */
  hostKey?: { algorithm: string; fingerprint: string; since: string };
  /** Another key that the host showed later, until an admin accepts it or the host shows the pinned one again. */
  refusedHostKey?: { algorithm: string; fingerprint: string; at: string };
  registeredAt: string;
  registeredBy: string;
  changedAt: string;
  changedBy: string;
  /** Then nobody is shown it, until it is put back. */
  removedAt?: string;
  initialized?: EventData<'ServerInitialized'> & { at: string; run: string };
  docker?: EventData<'DockerInstalled'> & { at: string; run: string };
  /** As of the last change; the newest figures come from the probes. */
  health?: { state: 'reachable' | 'unreachable'; since: string; code?: string; reason?: string };
  /** Joined from the runs when read: a server's own stream does not know them. */
  lastRun?: { id: string; kind: string; label: string; state: string; at: string };
  /** Of the server's stream: what an editor sends back with a change. */
  revision: number;
  position: Position;
}

const keyOf = (key: { fingerprint: string; algorithm: string }, setAt: string): ServerView['key'] => ({
  fingerprint: key.fingerprint,
  algorithm: key.algorithm,
  setAt,
});

/** What an operator changed: these events say who changed the server last, the others only what was seen of it. */
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
      // A host key belongs to the address at which it was seen.
      const sameAddress = event.data.host === view.host && event.data.port === view.port;
      return sameAddress ? event.data : { ...event.data, hostKey: undefined, refusedHostKey: undefined };
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
    // The run is what set the event in motion.
    case 'ServerInitialized':
      return { initialized: { ...event.data, at, run: event.meta.causationId } };
    case 'DockerInstalled':
      return { docker: { ...event.data, at, run: event.meta.causationId } };
    case 'ServerHealthChanged': {
      const { to: state, ...why } = event.data;
      return { health: { state, since: at, ...why } };
    }
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
  keys: (event) => {
    const { category, id } = streamParts(event.stream);
    return category === 'server' ? [id] : [];
  },
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
