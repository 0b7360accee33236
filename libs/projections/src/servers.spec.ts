// covers: SRV-01, SRV-03, SRV-13
import type { AppEvent } from '@quarterdeck/events';
import { servers } from './servers';
import { ALICE, logOf, viewOf, WORKSPACE } from './testing/log';

const ID = '0193f0a0-0000-7000-8000-000000000001';
const STREAM = `server-${ID}`;
const key = { ref: ID, fingerprint: 'SHA256:key', algorithm: 'ssh-ed25519' };
const paths = { root: '/root', path: '/root/volumes/static', nginxPath: '/root/volumes/nginx_config' };
const registered: AppEvent = {
  type: 'ServerRegistered',
  data: { alias: 'web-1', host: '192.0.2.1', port: 22, username: 'root', ...paths, key },
};
const pinned: AppEvent = {
  type: 'ServerHostKeyPinned',
  data: { algorithm: 'ssh-ed25519', fingerprint: 'SHA256:host' },
};
const refused: AppEvent = {
  type: 'ServerHostKeyRefused',
  data: {
    expected: { algorithm: 'ssh-ed25519', fingerprint: 'SHA256:host' },
    got: { algorithm: 'ssh-ed25519', fingerprint: 'SHA256:other' },
  },
};
const view = (...events: AppEvent[]) =>
  viewOf(servers, STREAM, logOf(...events.map((e) => [STREAM, e] as [string, AppEvent])));

describe('the servers read model', () => {
  test('shows a registered server with its key by fingerprint only', () => {
    expect(view(registered)).toEqual({
      id: ID,
      uuid: ID,
      workspace: WORKSPACE,
      alias: 'web-1',
      host: '192.0.2.1',
      port: 22,
      username: 'root',
      ...paths,
      key: { fingerprint: 'SHA256:key', algorithm: 'ssh-ed25519', setAt: '2026-11-20T12:00:00.000Z' },
      registeredAt: '2026-11-20T12:00:00.000Z',
      registeredBy: ALICE,
      changedAt: '2026-11-20T12:00:00.000Z',
      changedBy: ALICE,
      revision: 0,
      position: '1',
    });
  });

  test('keeps the pinned host key beside the one that was refused', () => {
    const seen = view(registered, pinned, refused);
    expect(seen?.hostKey?.fingerprint).toBe('SHA256:host');
    expect(seen?.refusedHostKey?.fingerprint).toBe('SHA256:other');
  });

  test('forgets the refused key once the pinned one is shown again, and keeps the time of pinning', () => {
    const hostKey = { algorithm: 'ssh-ed25519', fingerprint: 'SHA256:host' };
    const other = { algorithm: 'ssh-ed25519', fingerprint: 'SHA256:other' };
    const returned: AppEvent = { type: 'ServerHostKeyReturned', data: { ...hostKey, refused: other } };
    const seen = view(registered, pinned, refused, returned);
    expect(seen?.refusedHostKey).toBeUndefined();
    expect(seen?.hostKey).toEqual(view(registered, pinned)?.hostKey);
    expect(seen?.changedAt).toBe(view(registered)?.changedAt);
  });

  test('forgets the refused key once it was accepted', () => {
    const accepted: AppEvent = {
      type: 'ServerHostKeyAccepted',
      data: { algorithm: 'ssh-ed25519', fingerprint: 'SHA256:other' },
    };
    const seen = view(registered, pinned, refused, accepted);
    expect(seen?.hostKey?.fingerprint).toBe('SHA256:other');
    expect(seen?.refusedHostKey).toBeUndefined();
  });

  test.each([
    ['another host', { host: '192.0.2.2', port: 22, username: 'root' }, undefined],
    ['another port', { host: '192.0.2.1', port: 2222, username: 'root' }, undefined],
    ['another user at the same address', { host: '192.0.2.1', port: 22, username: 'ada' }, 'SHA256:host'],
  ])('after a move to %s the pinned host key is %s', (_name, data, fingerprint) => {
    expect(view(registered, pinned, { type: 'ServerMoved', data })?.hostKey?.fingerprint).toBe(fingerprint);
  });

  test('does not count observations as edits', () => {
    expect(view(registered, pinned)?.changedAt).toBe('2026-11-20T12:00:00.000Z');
    expect(view(registered, pinned)?.revision).toBe(1);
    expect(view(registered, { type: 'ServerRenamed', data: { alias: 'w' } })?.changedAt).toBe(
      '2026-11-20T12:00:01.000Z',
    );
  });

  test('keeps a removed server removed', () => {
    const removed: AppEvent = { type: 'ServerRemoved', data: { alias: 'web-1' } };
    expect(view(registered, removed)).toBeUndefined();
    expect(view(registered, removed, pinned)).toBeUndefined();
  });

  // covers: AUD-03
  test('restores a server as it was, with its new key', () => {
    const [before, restored] = [
      view(registered, pinned),
      view(
        registered,
        pinned,
        { type: 'ServerRemoved', data: { alias: 'web-1' } },
        {
          type: 'ServerRestored',
          data: { alias: 'web-1', key: { ref: 'new', fingerprint: 'SHA256:new', algorithm: 'ssh-rsa' } },
        },
      ),
    ];
    for (const field of ['alias', 'host', 'root', 'hostKey', 'registeredAt', 'registeredBy'] as const)
      expect([field, restored?.[field]]).toEqual([field, before?.[field]]);
    expect(restored?.key).toMatchObject({ fingerprint: 'SHA256:new', algorithm: 'ssh-rsa' });
    expect(restored).toMatchObject({ removedAt: undefined, revision: 3 });
  });
});
