/** Commands and events of a server. */
import { isTyped, type EventData, type EventsOf } from '@quarterdeck/events';
import type { serverEvents } from '@quarterdeck/events/catalogue';
import { command, type CommandOf, type Decider } from '../platform/decider';
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

export class RegisterServer extends command('RegisterServer', { opens: true, idempotent: true })<
  ServerFields & { key: KeyReference }
>() {}
/** `nameClaimed`: the server holds the claim to its new alias. */
export class EditServer extends command('EditServer', { idempotent: true })<
  ServerFields & { nameClaimed?: true }
>() {}
export class ReplaceServerKey extends command('ReplaceServerKey', { idempotent: true })<{
  key: KeyReference;
}>() {}
export class RecordKeyDownload extends command('RecordKeyDownload')<{ fingerprint: string }>() {}
/** The address says where the key was seen: the server may have moved by the time it is recorded. */
export class PinHostKey extends command('PinHostKey', { idempotent: true })<Address & { key: HostKey }>() {}
export class RefuseHostKey extends command('RefuseHostKey', { idempotent: true })<
  Address & { got: HostKey }
>() {}
/** The host has proved that it holds this key. */
export class ReturnHostKey extends command('ReturnHostKey', { idempotent: true })<
  Address & { key: HostKey }
>() {}
export class AcceptHostKey extends command('AcceptHostKey', { idempotent: true })<{
  fingerprint: string;
}>() {}
/** The facts that a run found at its end. */
export class RecordInitialized extends command('RecordInitialized')<EventData<'ServerInitialized'>>() {}
export class RecordDocker extends command('RecordDocker')<EventData<'DockerInstalled'>>() {}
/** State according to the probes, recorded if it differs from the last recorded state. */
export class RecordHealth extends command('RecordHealth', { idempotent: true })<Health>() {}
/** The server's own answer. Like a host key, it belongs to the address where it was given. */
export class RecordAddresses extends command('RecordAddresses', { idempotent: true })<
  Address & { own: OwnAddresses }
>() {}
/** `alias`: typed by the operator as confirmation. */
export class RemoveServer extends command('RemoveServer')<{ alias?: string | undefined }>() {}

/**
 * Restores the server in the state before its removal, except for its key, which was destroyed. The server has to hold
 * the claim to its alias.
 */
export class RestoreServer extends command('RestoreServer', { idempotent: true })<{ key: KeyReference }>() {}

const serverCommands = [
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
];
export type ServerCommand = CommandOf<typeof serverCommands>;

const register = ({ data }: RegisterServer, state: ServerState): ServerEvent[] => {
  if (state.is === 'unknown') return [{ type: 'ServerRegistered', data: fieldsOf(data, { key: data.key }) }];
  if (state.is === 'registered' && state.key.ref === data.key.ref) return [];
  throw new DomainError('conflict', 'server is already registered');
};

const edit = ({ data }: EditServer, server: RegisteredServer): ServerEvent[] => {
  if (data.alias !== server.alias && !data.nameClaimed) throw new NameNotClaimed('server', data.alias);
  const { alias, host, port, username, root, path, nginxPath } = data;
  const events: ServerEvent[] = [];
  if (alias !== server.alias) events.push({ type: 'ServerRenamed', data: { alias } });
  if (host !== server.host || port !== server.port || username !== server.username)
    events.push({ type: 'ServerMoved', data: { host, port, username } });
  if (root !== server.root || path !== server.path || nginxPath !== server.nginxPath)
    events.push({ type: 'ServerPathsChanged', data: { root, path, nginxPath } });
  return events;
};

const movedAway = (seenAt: Address, server: RegisteredServer): boolean =>
  seenAt.host !== server.host || seenAt.port !== server.port;

const pin = ({ data }: PinHostKey, server: RegisteredServer): ServerEvent[] => {
  if (movedAway(data, server))
    throw new DomainError('conflict', 'server was moved to another address in the meantime');
  if (!server.hostKey) return [{ type: 'ServerHostKeyPinned', data: data.key }];
  if (server.hostKey.fingerprint === data.key.fingerprint) return [];
  throw new DomainError('conflict', 'another host key was pinned in the meantime');
};

const refuse = ({ data }: RefuseHostKey, server: RegisteredServer): ServerEvent[] => {
  const { got } = data;
  const expected = server.hostKey;
  if (!expected || movedAway(data, server) || expected.fingerprint === got.fingerprint) return [];
  // Recorded once: repeated refusals of the same key add no information.
  if (server.refusedHostKey?.fingerprint === got.fingerprint) return [];
  return [{ type: 'ServerHostKeyRefused', data: { expected, got } }];
};

/** Also recorded once, and only after a refusal. */
const takeBack = ({ data }: ReturnHostKey, server: RegisteredServer): ServerEvent[] => {
  const { hostKey, refusedHostKey: refused } = server;
  if (!refused || movedAway(data, server) || hostKey?.fingerprint !== data.key.fingerprint) return [];
  return [{ type: 'ServerHostKeyReturned', data: { ...hostKey, refused } }];
};

const accept = ({ data }: AcceptHostKey, server: RegisteredServer): ServerEvent[] => {
  const { hostKey: previous, refusedHostKey: refused } = server;
  if (refused && refused.fingerprint === data.fingerprint)
    return [{ type: 'ServerHostKeyAccepted', data: previous ? { ...refused, previous } : refused }];
  if (previous?.fingerprint === data.fingerprint) return [];
  throw invalidField('fingerprint', 'this is not the host key that was refused');
};

const remove = ({ data }: RemoveServer, server: RegisteredServer): ServerEvent[] => {
  if (data.alias !== undefined && !isTyped(server.alias, data.alias))
    throw invalidField('alias', 'this is not the alias of the server');
  return [{ type: 'ServerRemoved', data: { alias: server.alias } }];
};

const restore = ({ data }: RestoreServer, state: ServerState): ServerEvent[] => {
  if (state.is === 'removed')
    return [{ type: 'ServerRestored', data: { alias: state.was.alias, key: data.key } }];
  if (state.is === 'registered' && state.key.ref === data.key.ref) return [];
  throw state.is === 'registered' ? new DomainError('conflict', 'server already exists') : notFound('server');
};

const inWords = (own: OwnAddresses | undefined): string | undefined =>
  own && [...own.addresses.map(({ address }) => address), ...own.private].join(' ');

const recordAddresses = ({ data }: RecordAddresses, server: RegisteredServer): ServerEvent[] =>
  movedAway(data, server) || inWords(data.own) === inWords(server.addresses)
    ? []
    : [{ type: 'ServerAddressesChanged', data: data.own }];

const decide = (given: ServerCommand, state: ServerState): readonly ServerEvent[] => {
  if (given.type === 'RegisterServer') return register(given, state);
  if (given.type === 'RestoreServer') return restore(given, state);
  if (state.is !== 'registered') throw notFound('server');
  switch (given.type) {
    case 'EditServer':
      return edit(given, state);
    case 'ReplaceServerKey':
      return given.data.key.ref === state.key.ref ? [] : [{ type: 'ServerKeyReplaced', data: given.data }];
    case 'RecordKeyDownload':
      return [{ type: 'ServerKeyDownloaded', data: given.data }];
    case 'PinHostKey':
      return pin(given, state);
    case 'RefuseHostKey':
      return refuse(given, state);
    case 'ReturnHostKey':
      return takeBack(given, state);
    case 'AcceptHostKey':
      return accept(given, state);
    case 'RecordInitialized':
      return [{ type: 'ServerInitialized', data: given.data }];
    case 'RecordDocker':
      return [{ type: 'DockerInstalled', data: given.data }];
    case 'RecordHealth':
      return given.data.to === state.health ? [] : [{ type: 'ServerHealthChanged', data: given.data }];
    case 'RecordAddresses':
      return recordAddresses(given, state);
    case 'RemoveServer':
      return remove(given, state);
  }
};

/** Copies the editable fields, and adds `more`. */
export const fieldsOf = <T extends object>(data: ServerFields, more: T): ServerFields & T => {
  const { alias, host, port, username, root, path, nginxPath } = data;
  return { alias, host, port, username, root, path, nginxPath, ...more };
};

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

const evolve = (state: ServerState, event: ServerEvent): ServerState => {
  if (event.type === 'ServerRegistered') return { is: 'registered', ...event.data, gone: [] };
  if (event.type === 'ServerRestored')
    return state.is === 'removed' ? withKey(state.was, event.data.key) : state;
  if (state.is !== 'registered') return state;
  switch (event.type) {
    case 'ServerRenamed':
    case 'ServerPathsChanged':
      return { ...state, ...event.data };
    case 'ServerKeyReplaced':
      return withKey({ ...state, gone: [...state.gone, state.key.ref] }, event.data.key);
    case 'ServerMoved': {
      const moved = { ...state, ...event.data };
      if (!movedAway(event.data, state)) return moved;
      // Host key and own addresses belong to the address where they were seen.
      const { addresses: _, ...elsewhere } = withHostKey(moved, undefined);
      return elsewhere;
    }
    case 'ServerKeyDownloaded':
    case 'ServerInitialized':
    case 'DockerInstalled':
      return state;
    case 'ServerHealthChanged':
      return { ...state, health: event.data.to };
    case 'ServerAddressesChanged':
      return { ...state, addresses: event.data };
    case 'ServerHostKeyPinned':
      return withHostKey(state, event.data);
    case 'ServerHostKeyRefused':
      return { ...state, refusedHostKey: event.data.got };
    case 'ServerHostKeyReturned':
      return withHostKey(state, state.hostKey);
    case 'ServerHostKeyAccepted': {
      const { algorithm, fingerprint } = event.data;
      return withHostKey(state, { algorithm, fingerprint });
    }
    case 'ServerRemoved':
      return { is: 'removed', was: { ...state, gone: [...state.gone, state.key.ref] } };
  }
};

const edits: readonly ServerEvent['type'][] = [
  'ServerRenamed',
  'ServerMoved',
  'ServerPathsChanged',
  'ServerRemoved',
  'ServerRestored',
];

export const serversDecider: Decider<ServerState, ServerCommand, ServerEvent> = {
  category: 'server',
  commands: serverCommands,
  initial: { is: 'unknown' },
  decide,
  evolve,
  // Pinning a host key or replacing a key does not conflict with an edit of the paths.
  clashes: (type) => edits.includes(type),
};
