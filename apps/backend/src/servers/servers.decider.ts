/** Commands and events of a server. */
import { isTyped, type EventData, type EventsOf } from '@quarterdeck/events';
import type { serverEvents } from '@quarterdeck/events/catalogue';
import { command, deciderOf, foldsWhile } from '../platform/decider';
import { DomainError, invalidField, NameNotClaimed, notFound } from '../platform/errors';

export type ServerEvent = EventsOf<typeof serverEvents>;
export type Health = EventData<'ServerHealthChanged'>;
export type HostKey = EventData<'ServerHostKeyPinned'>;
export type KeyReference = EventData<'ServerKeyReplaced'>['key'];

export type OwnAddresses = EventData<'ServerAddressesChanged'>;

export interface Address {
  host: string;
  port: number;
}

/** The fields that an operator can edit. */
export interface ServerFields extends Address {
  alias: string;
  username: string;
  root: string;
  path: string;
  nginxPath: string;
}

export interface RegisteredServer extends ServerFields {
  is: 'registered';
  key: KeyReference;
  /** References to earlier keys, which the vault must destroy. */
  gone: readonly string[];
  hostKey?: HostKey;
  refusedHostKey?: HostKey;
  health?: Health['to'];
  /** What the server said at the last contact. */
  addresses?: OwnAddresses;
}

/** `was`: the state before the removal. Its key is listed in `gone`. */
export type ServerState = { is: 'unknown' } | { is: 'removed'; was: RegisteredServer } | RegisteredServer;

/** Copies the editable fields, and adds `more`. */
export const fieldsOf = <T extends object>(data: ServerFields, more: T): ServerFields & T => {
  const { alias, host, port, username, root, path, nginxPath } = data;
  return { alias, host, port, username, root, path, nginxPath, ...more };
};

/** A rule about registered servers. No other one is found. */
const ofRegistered =
  <D>(rule: (data: D, server: RegisteredServer) => readonly ServerEvent[]) =>
  (data: D, state: ServerState): readonly ServerEvent[] => {
    if (state.is !== 'registered') throw notFound('server');
    return rule(data, state);
  };

interface Keyed {
  key: KeyReference;
}

export class RegisterServer extends command('RegisterServer', { opens: true, idempotent: true })(
  (data: ServerFields & Keyed, state: ServerState) => {
    if (state.is === 'unknown')
      return [{ type: 'ServerRegistered', data: fieldsOf(data, { key: data.key }) }];
    if (state.is === 'registered' && state.key.ref === data.key.ref) return [];
    throw new DomainError('conflict', 'server is already registered');
  },
) {}

/** `nameClaimed`: the server holds the claim to its new alias. */
export class EditServer extends command('EditServer', { idempotent: true })(
  ofRegistered((data: ServerFields & { nameClaimed?: true }, server) => {
    if (data.alias !== server.alias && !data.nameClaimed) throw new NameNotClaimed('server', data.alias);
    const { alias, host, port, username, root, path, nginxPath } = data;
    const events: ServerEvent[] = [];
    if (alias !== server.alias) events.push({ type: 'ServerRenamed', data: { alias } });
    if (host !== server.host || port !== server.port || username !== server.username)
      events.push({ type: 'ServerMoved', data: { host, port, username } });
    if (root !== server.root || path !== server.path || nginxPath !== server.nginxPath)
      events.push({ type: 'ServerPathsChanged', data: { root, path, nginxPath } });
    return events;
  }),
) {}

export class ReplaceServerKey extends command('ReplaceServerKey', { idempotent: true })(
  ofRegistered((data: Keyed, { key }) =>
    data.key.ref === key.ref ? [] : [{ type: 'ServerKeyReplaced', data }],
  ),
) {}

export class RecordKeyDownload extends command('RecordKeyDownload')(
  ofRegistered((data: { fingerprint: string }) => [{ type: 'ServerKeyDownloaded', data }]),
) {}

const movedAway = (seenAt: Address, server: RegisteredServer): boolean =>
  seenAt.host !== server.host || seenAt.port !== server.port;

/** The address says where the key was seen: the server may have moved by the time it is recorded. */
export class PinHostKey extends command('PinHostKey', { idempotent: true })(
  ofRegistered((data: Address & { key: HostKey }, server) => {
    if (movedAway(data, server))
      throw new DomainError('conflict', 'server was moved to another address in the meantime');
    if (!server.hostKey) return [{ type: 'ServerHostKeyPinned', data: data.key }];
    if (server.hostKey.fingerprint === data.key.fingerprint) return [];
    throw new DomainError('conflict', 'another host key was pinned in the meantime');
  }),
) {}

/** Recorded once: repeated refusals of the same key add no information. */
export class RefuseHostKey extends command('RefuseHostKey', { idempotent: true })(
  ofRegistered((data: Address & { got: HostKey }, server) => {
    const { got } = data;
    const expected = server.hostKey;
    if (!expected || movedAway(data, server) || expected.fingerprint === got.fingerprint) return [];
    if (server.refusedHostKey?.fingerprint === got.fingerprint) return [];
    return [{ type: 'ServerHostKeyRefused', data: { expected, got } }];
  }),
) {}

/** The host has proved that it holds this key. Also recorded once, and only after a refusal. */
export class ReturnHostKey extends command('ReturnHostKey', { idempotent: true })(
  ofRegistered((data: Address & { key: HostKey }, server) => {
    const { hostKey, refusedHostKey: refused } = server;
    if (!refused || movedAway(data, server) || hostKey?.fingerprint !== data.key.fingerprint) return [];
    return [{ type: 'ServerHostKeyReturned', data: { ...hostKey, refused } }];
  }),
) {}

export class AcceptHostKey extends command('AcceptHostKey', { idempotent: true })(
  ofRegistered(({ fingerprint }: { fingerprint: string }, { hostKey: previous, refusedHostKey: refused }) => {
    if (refused && refused.fingerprint === fingerprint)
      return [{ type: 'ServerHostKeyAccepted', data: previous ? { ...refused, previous } : refused }];
    if (previous?.fingerprint === fingerprint) return [];
    throw invalidField('fingerprint', 'this is not the host key that was refused');
  }),
) {}

/** The facts that a run found at its end. */
export class RecordInitialized extends command('RecordInitialized')(
  ofRegistered((data: EventData<'ServerInitialized'>) => [{ type: 'ServerInitialized', data }]),
) {}

export class RecordDocker extends command('RecordDocker')(
  ofRegistered((data: EventData<'DockerInstalled'>) => [{ type: 'DockerInstalled', data }]),
) {}

/** State according to the probes, recorded if it differs from the last recorded state. */
export class RecordHealth extends command('RecordHealth', { idempotent: true })(
  ofRegistered((data: Health, { health }) =>
    data.to === health ? [] : [{ type: 'ServerHealthChanged', data }],
  ),
) {}

const inWords = (own: OwnAddresses | undefined): string | undefined =>
  own && [...own.addresses.map(({ address }) => address), ...own.private].join(' ');

/** The server's own answer. Like a host key, it belongs to the address where it was given. */
export class RecordAddresses extends command('RecordAddresses', { idempotent: true })(
  ofRegistered((data: Address & { own: OwnAddresses }, server) =>
    movedAway(data, server) || inWords(data.own) === inWords(server.addresses)
      ? []
      : [{ type: 'ServerAddressesChanged', data: data.own }],
  ),
) {}

/** `alias`: typed by the operator as confirmation. */
export class RemoveServer extends command('RemoveServer')(
  ofRegistered(({ alias: typed }: { alias?: string | undefined }, { alias }) => {
    if (typed !== undefined && !isTyped(alias, typed))
      throw invalidField('alias', 'this is not the alias of the server');
    return [{ type: 'ServerRemoved', data: { alias } }];
  }),
) {}

/**
 * Restores the server in the state before its removal, except for its key, which was destroyed. The server has to hold
 * the claim to its alias.
 */
export class RestoreServer extends command('RestoreServer', { idempotent: true })(
  ({ key }: Keyed, state: ServerState) => {
    if (state.is === 'unknown') throw notFound('server');
    if (state.is === 'removed') return [{ type: 'ServerRestored', data: { alias: state.was.alias, key } }];
    if (state.key.ref === key.ref) return [];
    throw new DomainError('conflict', 'server already exists');
  },
) {}

const withHostKey = (server: RegisteredServer, hostKey: HostKey | undefined): RegisteredServer => {
  const { hostKey: _pinned, refusedHostKey: _refused, ...rest } = server;
  return hostKey ? { ...rest, hostKey } : rest;
};

/** A key that is in use again must not be destroyed. */
const withKey = (server: RegisteredServer, key: KeyReference): RegisteredServer => ({
  ...server,
  key,
  gone: server.gone.filter((ref) => ref !== key.ref),
});

const edits: readonly ServerEvent['type'][] = [
  'ServerRenamed',
  'ServerMoved',
  'ServerPathsChanged',
  'ServerRemoved',
  'ServerRestored',
];

export const serversDecider = deciderOf<ServerState, ServerEvent>()({
  category: 'server',
  initial: { is: 'unknown' },
  commands: [
    RegisterServer,
    EditServer,
    ReplaceServerKey,
    RecordKeyDownload,
    PinHostKey,
    RefuseHostKey,
    ReturnHostKey,
    AcceptHostKey,
    RecordInitialized,
    RecordDocker,
    RecordHealth,
    RecordAddresses,
    RemoveServer,
    RestoreServer,
  ],
  // Pinning a host key or replacing a key does not conflict with an edit of the paths.
  clashes: (type) => edits.includes(type),
  evolve: {
    ServerRegistered: (_, data) => ({ is: 'registered', ...data, gone: [] }),
    ServerRestored: (state, { key }) => (state.is === 'removed' ? withKey(state.was, key) : state),
    ...foldsWhile<ServerState, ServerEvent>()('registered', {
      ServerRenamed: (server, data) => ({ ...server, ...data }),
      ServerPathsChanged: (server, data) => ({ ...server, ...data }),
      ServerKeyReplaced: (server, { key }) =>
        withKey({ ...server, gone: [...server.gone, server.key.ref] }, key),
      ServerMoved: (server, data) => {
        const moved = { ...server, ...data };
        if (!movedAway(data, server)) return moved;
        // Host key and own addresses belong to the address where they were seen.
        const { addresses: _, ...elsewhere } = withHostKey(moved, undefined);
        return elsewhere;
      },
      ServerHealthChanged: (server, { to }) => ({ ...server, health: to }),
      ServerAddressesChanged: (server, addresses) => ({ ...server, addresses }),
      ServerHostKeyPinned: withHostKey,
      ServerHostKeyRefused: (server, { got }) => ({ ...server, refusedHostKey: got }),
      ServerHostKeyReturned: (server) => withHostKey(server, server.hostKey),
      ServerHostKeyAccepted: (server, { algorithm, fingerprint }) =>
        withHostKey(server, { algorithm, fingerprint }),
      ServerRemoved: (server) => ({
        is: 'removed',
        was: { ...server, gone: [...server.gone, server.key.ref] },
      }),
    }),
  },
});
