// covers: SRV-02, SRV-03, SRV-04, SRV-11, SRV-13
import { foldEvents } from '../platform/decider';
import { given, meta } from '../platform/decisions/decider-testing';
import {
  AcceptHostKey,
  EditServer,
  PinHostKey,
  RecordKeyDownload,
  RefuseHostKey,
  RegisterServer,
  RemoveServer,
  RestoreServer,
  ReplaceServerKey,
  ReturnHostKey,
  serversDecider,
  type ServerEvent,
} from './servers.decider';

const id = '0193f0a0-0000-7000-8000-000000000001';
const address = { host: '10.0.0.5', port: 22 };
const fields = {
  ...address,
  alias: 'web-1',
  username: 'root',
  root: '/root',
  path: '/root/volumes/static',
  nginxPath: '/root/volumes/nginx_config',
};
const key = {
  ref: '0193f0a0-0000-7000-8000-0000000000aa',
  fingerprint: 'SHA256:aaa',
  algorithm: 'ssh-ed25519',
};
const otherKey = { ...key, ref: '0193f0a0-0000-7000-8000-0000000000bb', fingerprint: 'SHA256:bbb' };
const hostKey = { algorithm: 'ssh-ed25519', fingerprint: 'SHA256:host' };
const changedKey = { algorithm: 'ssh-rsa', fingerprint: 'SHA256:changed' };

const registered: ServerEvent = { type: 'ServerRegistered', data: { ...fields, key } };
const pinned: ServerEvent = { type: 'ServerHostKeyPinned', data: hostKey };
const refused: ServerEvent = { type: 'ServerHostKeyRefused', data: { expected: hostKey, got: changedKey } };
const removed: ServerEvent = { type: 'ServerRemoved', data: { alias: 'web-1' } };
const on = (...events: ServerEvent[]) => given(serversDecider, events);

describe('registering', () => {
  test('registers a new server with a reference to its key', () =>
    on()
      .when(new RegisterServer(id, { ...fields, key }, meta))
      .then([registered]));
  test('refuses another server with an existing id', () =>
    on(registered)
      .when(new RegisterServer(id, { ...fields, key: otherKey }, meta))
      .thenRejected('conflict'));
  test('records only the fields of a server', () =>
    on()
      .when(new RegisterServer(id, { ...fields, key, privateKey: 'secret' } as never, meta))
      .then([registered]));
});

describe('editing', () => {
  const edit = (change: Partial<typeof fields>) =>
    new EditServer(id, { ...fields, ...change, nameClaimed: true }, meta);
  test('what is equal writes nothing', () => on(registered).when(edit({})).thenNothing());
  test('another alias is a rename and nothing else', () =>
    on(registered)
      .when(edit({ alias: 'web-2' }))
      .then([{ type: 'ServerRenamed', data: { alias: 'web-2' } }]));
  test('refuses another alias until it is reserved', () =>
    on(registered)
      .when(new EditServer(id, { ...fields, alias: 'web-2' }, meta))
      .thenRejected('conflict', 'not reserved'));
  test('records another account as a move', () =>
    on(registered)
      .when(edit({ username: 'deploy' }))
      .then([{ type: 'ServerMoved', data: { ...address, username: 'deploy' } }]));
  test('records an event of its own for each kind of change', () =>
    on(registered)
      .when(edit({ alias: 'web-2', port: 2222, root: '/srv' }))
      .then([
        { type: 'ServerRenamed', data: { alias: 'web-2' } },
        { type: 'ServerMoved', data: { host: '10.0.0.5', port: 2222, username: 'root' } },
        {
          type: 'ServerPathsChanged',
          data: { root: '/srv', path: fields.path, nginxPath: fields.nginxPath },
        },
      ]));
  test('cannot find an unknown server', () =>
    on().when(edit({})).thenRejected('notFound', 'server could not be found'));
  test('makes an edit stale only by changes of the same fields', () => {
    expect(serversDecider.clashes?.('ServerRenamed', edit({}))).toBe(true);
    expect(serversDecider.clashes?.('ServerHostKeyPinned', edit({}))).toBe(false);
  });
});

describe('the private key', () => {
  test('is replaced by reference', () =>
    on(registered)
      .when(new ReplaceServerKey(id, { key: otherKey }, meta))
      .then([{ type: 'ServerKeyReplaced', data: { key: otherKey } }]));
  test('has every download recorded', () =>
    on(registered, { type: 'ServerKeyDownloaded', data: { fingerprint: 'SHA256:aaa' } })
      .when(new RecordKeyDownload(id, { fingerprint: 'SHA256:aaa' }, meta))
      .then([{ type: 'ServerKeyDownloaded', data: { fingerprint: 'SHA256:aaa' } }]));
});

describe('the host key', () => {
  test('is pinned at first contact', () =>
    on(registered)
      .when(new PinHostKey(id, { ...address, key: hostKey }, meta))
      .then([pinned]));
  test('is not pinned over another one', () =>
    on(registered, pinned)
      .when(new PinHostKey(id, { ...address, key: changedKey }, meta))
      .thenRejected('conflict', 'another host key'));
  test('is not pinned if it was seen at an earlier address', () =>
    on(registered, { type: 'ServerMoved', data: { host: '10.0.0.6', port: 22, username: 'root' } })
      .when(new PinHostKey(id, { ...address, key: hostKey }, meta))
      .thenRejected('conflict', 'moved'));
  test('is refused if it has changed, which is recorded once', () =>
    on(registered, pinned)
      .when(new RefuseHostKey(id, { ...address, got: changedKey }, meta))
      .then([refused]));
  test('is not refused if it is the pinned one', () =>
    on(registered, pinned)
      .when(new RefuseHostKey(id, { ...address, got: hostKey }, meta))
      .thenNothing());
  test('clears the refusal when the pinned one is shown again, which is recorded once', () => {
    const shown = new ReturnHostKey(id, { ...address, key: hostKey }, meta);
    const returned: ServerEvent = {
      type: 'ServerHostKeyReturned',
      data: { ...hostKey, refused: changedKey },
    };
    on(registered, pinned, refused).when(shown).then([returned]);
    on(registered, pinned, refused, returned).when(shown).thenNothing();
    on(registered, pinned).when(shown).thenNothing();
    on(registered, pinned, refused, returned)
      .when(new AcceptHostKey(id, { fingerprint: 'SHA256:changed' }, meta))
      .thenRejected('invalid', 'not the host key that was refused');
    on(registered, pinned, refused, returned)
      .when(new RefuseHostKey(id, { ...address, got: changedKey }, meta))
      .then([refused]);
  });
  test('does not clear the refusal if it was seen at an earlier address or is not the pinned one', () => {
    const shown = (host: string, key: typeof hostKey) => new ReturnHostKey(id, { host, port: 22, key }, meta);
    on(registered, pinned, refused).when(shown('10.0.0.6', hostKey)).thenNothing();
    on(registered, pinned, refused).when(shown('10.0.0.5', changedKey)).thenNothing();
  });
  test('is accepted by its fingerprint after a refusal', () =>
    on(registered, pinned, refused)
      .when(new AcceptHostKey(id, { fingerprint: 'SHA256:changed' }, meta))
      .then([{ type: 'ServerHostKeyAccepted', data: { ...changedKey, previous: hostKey } }]));
  test('can be accepted only if it is the refused one', () =>
    on(registered, pinned, refused)
      .when(new AcceptHostKey(id, { fingerprint: 'SHA256:another' }, meta))
      .thenRejected('invalid', 'not the host key that was refused'));
  test('is dropped with another address, but not with another account', () => {
    const state = (host: string) =>
      [
        registered,
        pinned,
        { type: 'ServerMoved', data: { host, port: 22, username: 'deploy' } } as const,
      ].reduce(serversDecider.evolve, serversDecider.initial);
    expect(state('10.0.0.6')).not.toHaveProperty('hostKey');
    expect(state('10.0.0.5')).toHaveProperty('hostKey', hostKey);
  });
});

describe('keys to be destroyed', () => {
  const third = { ...key, ref: '0193f0a0-0000-7000-8000-0000000000cc' };
  const replaced = (by: typeof key): ServerEvent => ({ type: 'ServerKeyReplaced', data: { key: by } });
  const gone = (...events: ServerEvent[]) => {
    const state = foldEvents(serversDecider, [registered, ...events]);
    return state.is === 'removed' ? state.was.gone : state.is === 'registered' && state.gone;
  };
  test('are all earlier keys, and never the present one', () => {
    expect(gone()).toEqual([]);
    expect(gone(replaced(otherKey), replaced(third))).toEqual([key.ref, otherKey.ref]);
    expect(gone(replaced(otherKey), replaced(key))).toEqual([otherKey.ref]);
    expect(gone(replaced(otherKey), removed)).toEqual([key.ref, otherKey.ref]);
    const restored: ServerEvent = { type: 'ServerRestored', data: { alias: 'web-1', key } };
    expect(gone(replaced(otherKey), removed, restored)).toEqual([otherKey.ref]);
  });
});

describe('removing', () => {
  test('compares the typed alias, if there is one', () => {
    on(registered)
      .when(new RemoveServer(id, { alias: 'web-1' }, meta))
      .then([removed]);
    on(registered)
      .when(new RemoveServer(id, { alias: ' web-1' }, meta))
      .then([removed]);
    on(registered)
      .when(new RemoveServer(id, {}, meta))
      .then([removed]);
    on(registered)
      .when(new RemoveServer(id, { alias: 'web-2' }, meta))
      .thenRejected('invalid', 'alias');
  });
  test('can be undone with a new key', () => {
    const restored: ServerEvent = { type: 'ServerRestored', data: { alias: 'web-1', key: otherKey } };
    const restore = new RestoreServer(id, { key: otherKey }, meta);
    on(registered, removed).when(restore).then([restored]);
    on(registered).when(restore).thenRejected('conflict', 'server already exists');
    on().when(restore).thenRejected('notFound', 'server could not be found');
    const state = foldEvents(serversDecider, [registered, pinned, removed, restored]);
    const before = foldEvents(serversDecider, [registered, pinned]);
    expect(state).toEqual({ ...before, key: otherKey, gone: [key.ref] });
  });
  test('leaves nothing to be found', () => {
    for (const command of [
      new RemoveServer(id, {}, meta),
      new EditServer(id, fields, meta),
      new ReplaceServerKey(id, { key: otherKey }, meta),
      new RecordKeyDownload(id, { fingerprint: 'SHA256:aaa' }, meta),
      new PinHostKey(id, { ...address, key: hostKey }, meta),
      new RefuseHostKey(id, { ...address, got: changedKey }, meta),
      new ReturnHostKey(id, { ...address, key: hostKey }, meta),
      new AcceptHostKey(id, { fingerprint: 'SHA256:changed' }, meta),
    ])
      on(registered, removed).when(command).thenRejected('notFound', 'server could not be found');
  });
});
