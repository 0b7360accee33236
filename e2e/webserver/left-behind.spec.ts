/**
 * A domain leaves a server that no longer answers, with its locations, and its files there are removed once the server
 * is back. covers: DOM-01, DOM-03
 */
import { v7 as uuidv7 } from 'uuid';
import { openWorld, type World } from '../backend/world';
import type { Operator } from '../../testing/backend';
import { needs } from '../../testing/throwaway-needs';
import { setupTestsLack } from '../servers/setup-world';
import { siteWork, startSitePlace, type SitePlace, type SiteWork } from './site-ground';
import { SITES, siteServerSetUp } from './site-server';

const lacking = setupTestsLack(['nginx']);
needs('this machine can bring up throw-away servers with nginx', lacking);

interface Refused {
  id: string;
  msg: string;
  data?: Record<string, string>;
}

if (lacking.length === 0) {
  let place: SitePlace;
  let world: World;
  let alice: Operator;
  let work: SiteWork;
  let old: string;
  let fresh: string;

  beforeAll(async () => {
    place = await startSitePlace();
    world = await openWorld({ env: place.env });
    alice = await world.backend.signIn();
    work = siteWork(() => alice, place);
    await place.inside(siteServerSetUp);
    [old, fresh] = [await work.register(), await work.register({ host: place.host.host, port: 9 })];
  });
  afterAll(async () => {
    await world?.end();
    await place?.stop();
  });

  /** A domain whose site is live on the old server. */
  const live = async (label: string): Promise<string> => {
    const id = await work.domain(label, old);
    await work.location(id, {
      location: '/',
      isRedirect: true,
      redirectCode: 301,
      url: 'https://example.org/',
    });
    const { run } = await work.run('nginx/exec', { id });
    expect([run.state, run.reason]).toEqual(['succeeded', undefined]);
    return id;
  };
  const update = (id: string, label: string, server: string, more: object = {}) =>
    alice.post<Refused>('domain/update', {
      filters: { id },
      data: { serverName: `${label}.${place.bind.zone}`, server: { id: server }, ...more },
    });
  const removeLeft = (id: string, label: string, more: object = {}) =>
    alice.post<Refused & { runId?: string }>('domain/left/remove', {
      id,
      serverName: `${label}.${place.bind.zone}`,
      server: { id: old },
      runId: uuidv7(),
      ...more,
    });
  const files = () => place.inside(`ls ${SITES}`);

  test('it moves only if what it has there may stay, and keeps its locations', async () => {
    const id = await live('moving');
    await place.inside('systemctl stop ssh.service; systemctl kill --signal=KILL ssh.service || true');
    const refused = await update(id, 'moving', fresh);
    expect([refused.status, refused.body.data?.['server']]).toEqual([
      400,
      'remove its configuration from the server first, or leave what is there',
    ]);
    expect((await update(id, 'moving', fresh, { leave: true })).status).toBe(200);
    const moved = await work.detail(id);
    expect([moved.server.id, moved.config, moved.locations.length]).toEqual([fresh, undefined, 1]);
    expect(moved.left).toMatchObject([
      {
        serverName: 'moving.example.test',
        server: { id: old },
        config: { file: 'moving.example.test.conf' },
      },
    ]);

    // The server does not answer yet: the run fails, and the files are still on offer.
    const { body } = await removeLeft(id, 'moving');
    expect((await work.ended(body.runId ?? '')).run.state).toBe('failed');
    expect((await work.detail(id)).left).toHaveLength(1);
    await place.inside('systemctl start ssh.service');
    const again = await removeLeft(id, 'moving');
    const { run } = await work.ended(again.body.runId ?? '');
    expect([run.state, run.reason, run.serverId]).toEqual(['succeeded', undefined, old]);
    expect(await files()).not.toContain('moving');
    expect(await work.detail(id)).toMatchObject({ left: [], server: { id: fresh } });
    const twice = await removeLeft(id, 'moving');
    expect([twice.status, Object.keys(twice.body.data ?? {})]).toEqual([400, ['serverName']]);
  });

  test('files count again when the domain is back, and cannot be removed as left ones', async () => {
    const id = await live('back');
    const before = await work.detail(id);
    expect((await update(id, 'back', fresh, { leave: true })).status).toBe(200);
    expect((await update(id, 'back', old)).status).toBe(200);
    const after = await work.detail(id);
    expect([after.config, after.left]).toEqual([before.config, []]);
    expect((await removeLeft(id, 'back')).status).toBe(400);
    const { run } = await work.run('nginx/look', { id });
    expect(run.state).toBe('succeeded');
    expect((await work.detail(id)).drift).toBeUndefined();
  });

  test('files of a renamed domain are not removed while another domain has the name', async () => {
    const id = await live('first');
    place.bind.change(`add second.${place.bind.zone} 60 A ${place.host.host}`);
    expect((await update(id, 'second', old, { leave: true })).status).toBe(200);
    const heir = await work.domain('first', old);
    const taken = await removeLeft(id, 'first');
    expect([taken.status, Object.keys(taken.body.data ?? {})]).toEqual([400, ['serverName']]);
    await alice.post('domain/delete', { id: heir });
    const { body } = await removeLeft(id, 'first');
    expect((await work.ended(body.runId ?? '')).run.state).toBe('succeeded');
    expect(await files()).not.toContain('first');
  });

  test('an undo brings back the server and the files that were left', async () => {
    const id = await live('undone');
    expect((await update(id, 'undone', fresh, { leave: true })).status).toBe(200);
    const { body } = await alice.post<{ events: { position: string; type: string }[] }>('history/list', {
      subject: { category: 'domain', id },
    });
    const position = body.events.find(({ type }) => type === 'DomainMoved')?.position ?? '';
    const preview = await alice.post<{ seen: string }>('history/undo/preview', { position });
    expect((await alice.post('history/undo', { position, seen: preview.body.seen })).status).toBe(200);
    expect(await work.detail(id)).toMatchObject({
      server: { id: old },
      config: { file: 'undone.example.test.conf' },
      left: [],
    });
  });

  test('files on a server that was removed are forgotten without a run', async () => {
    const id = await live('orphan');
    expect((await update(id, 'orphan', fresh, { leave: true })).status).toBe(200);
    expect((await alice.post('server/delete', { id: old })).status).toBe(200);
    const { status, body } = await removeLeft(id, 'orphan');
    expect([status, body.runId]).toEqual([200, undefined]);
    expect((await work.detail(id)).left).toEqual([]);
  });
}
