// covers: SRV-01, SRV-02, SRV-03, SRV-04, SRV-11, SRV-12, SHELL-09
import { setTimeout as pause } from 'node:timers/promises';
import type { ServerView } from '@quarterdeck/projections';
import { v7 as uuidv7 } from 'uuid';
import { Decisions } from '../../apps/backend/src/platform/decisions/decider-handlers';
import { ownMeta } from '../../apps/backend/src/platform/sessions/session';
import { ReplaceServerKey, serversDecider } from '../../apps/backend/src/servers/servers.decider';
import type { Operator } from '../../testing/backend';
import { connectSocket, type Listener } from '../../testing/socket';
import { fieldsOf, idleKey, nowhere, openWorld, type World } from './world';

let world: World;
let alice: Operator;
let bob: Operator;
let listener: Listener;
let privateKey: string;

beforeAll(async () => {
  world = await openWorld();
  alice = await world.backend.signIn({ email: 'alice@example.org' });
  bob = await world.backend.signIn({ email: 'bob@example.org' });
  listener = await connectSocket(bob);
  const { headers } = await bob.get('session');
  await listener.resume(headers.get('x-position') ?? '0');
  privateKey = idleKey();
});
afterAll(async () => {
  listener?.close();
  await world?.end();
});

describe('the life of a server', () => {
  let id: string;
  const detail = async (who = alice) => (await who.post<ServerView>('server/detail', { id })).body;

  test('it is registered, and the next reader sees it', async () => {
    const answer = await alice.post('server/insert', { ...fieldsOf('web-1', nowhere), privateKey });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('x-projected')).toBeNull();
    id = String(answer.body.id);
    expect(answer.body.uuid).toBe(id);
    const { body } = await bob.post<ServerView[]>('server/list');
    expect(body).toHaveLength(1);
    expect(body[0]).toMatchObject({ id, uuid: id, ...fieldsOf('web-1', nowhere), revision: 0 });
    expect(JSON.stringify(body)).not.toContain('PRIVATE KEY');
  });

  test('an edit records only what has changed, or nothing', async () => {
    const data = { ...fieldsOf('web-one', nowhere), root: '/srv' };
    const answer = await alice.post('server/update', { id, data, revision: 0 });
    expect(answer.status).toBe(200);
    expect(await detail()).toMatchObject({ alias: 'web-one', root: '/srv', revision: 2 });
    const again = await alice.post('server/update', { id, data, revision: 2 });
    expect(again.headers.get('x-position')).toBe(answer.headers.get('x-position'));
    // A field that it omits stays: the server is not moved to the default port.
    const { port: _, ...others } = data;
    const less = await alice.post('server/update', { id, data: others, revision: 2 });
    expect([less.status, less.headers.get('x-position')]).toEqual([200, answer.headers.get('x-position')]);
    expect(await detail()).toMatchObject({ revision: 2 });
  });

  test('a stale edit gets the current state', async () => {
    const answer = await bob.post<{ msg: string; current: ServerView }>('server/update', {
      id,
      data: fieldsOf('web-two', nowhere),
      revision: 0,
    });
    expect(answer.status).toBe(409);
    expect(answer.body.current).toMatchObject({ id, alias: 'web-one', revision: 2 });
    // The refused name is free again.
    const other = await bob.post('server/insert', { ...fieldsOf('web-two', nowhere), privateKey });
    expect(other.status).toBe(200);
    await bob.post('server/delete', { id: other.body.id });
  });

  test('its key can be downloaded, which is recorded, and replaced', async () => {
    const download = await alice.post('server/private-key/download', { id });
    expect(download.body).toEqual({ privateKey, filename: 'web-one.pem' });
    expect(download.headers.get('cache-control')).toBe('no-store');
    const before = await detail();
    const next = idleKey();
    expect((await alice.post('server/update/private-key', { id, privateKey: next })).status).toBe(200);
    expect((await detail()).key.fingerprint).not.toBe(before.key.fingerprint);
    expect((await alice.post('server/private-key/download', { id })).body.privateKey).toBe(next);
    const { rows } = await world.backend.db.query('select count(*)::int as n from app.vault');
    expect(rows[0].n).toBe(1);
  });

  test('an invalid or locked key is refused by field', async () => {
    const wrong = await alice.post('server/insert', {
      ...fieldsOf('web-9', nowhere),
      privateKey: 'not a key',
    });
    expect(wrong.status).toBe(400);
    expect(wrong.body.data).toHaveProperty('privateKey');
    const locked = idleKey('open sesame');
    for (const passphrase of [undefined, 'wrong']) {
      const answer = await alice.post('server/insert', {
        ...fieldsOf('web-9', nowhere),
        privateKey: locked,
        passphrase,
      });
      expect(answer.status).toBe(400);
      expect(answer.body.data).toHaveProperty('passphrase');
    }
    const opened = { ...fieldsOf('web-9', nowhere), privateKey: locked, passphrase: 'open sesame' };
    const answer = await alice.post('server/insert', opened);
    expect(answer.status).toBe(200);
    await alice.post('server/delete', { id: answer.body.id });
  });

  test('it is removed by its typed alias, and cannot be found afterwards', async () => {
    const wrong = await alice.post('server/delete', { id, alias: 'web-1' });
    expect(wrong.status).toBe(400);
    expect(wrong.body.data).toHaveProperty('alias');
    expect((await alice.post('server/delete', { id, alias: 'web-one' })).status).toBe(200);
    const gone = { status: 404, body: { msg: 'server could not be found' } };
    expect(await alice.post('server/detail', { id })).toMatchObject(gone);
    expect(await alice.post('server/update', { id, data: fieldsOf('x', nowhere) })).toMatchObject(gone);
    expect(await alice.post('server/delete', { id, alias: 'web-one' })).toMatchObject(gone);
    expect(await alice.post('server/private-key/download', { id })).toMatchObject(gone);
    expect(await alice.post('server/execCmd', { id, cmdType: 1 })).toMatchObject(gone);
    expect(await alice.post('server/contact', { id })).toMatchObject(gone);
    expect(await alice.post('server/host-key/accept', { id, fingerprint: 'x' })).toMatchObject(gone);
    const { rows } = await world.backend.db.query('select count(*)::int as n from app.vault');
    expect(rows[0].n).toBe(0);
  });

  test('each step was pushed to another operator, in order', async () => {
    await listener.until(() =>
      listener.changes.some(({ type, stream }) => type === 'ServerRemoved' && stream.endsWith(id)),
    );
    const seen = listener.changes.filter(({ stream }) => stream === `server-${id}`).map(({ type }) => type);
    expect(seen).toEqual([
      'ServerRegistered',
      'ServerRenamed',
      'ServerPathsChanged',
      'ServerKeyDownloaded',
      'ServerKeyReplaced',
      'ServerKeyDownloaded',
      'ServerRemoved',
    ]);
    const positions = listener.changes.map(({ position }) => Number(position));
    expect(positions).toEqual([...positions].sort((a, b) => a - b));
    expect(new Set(positions).size).toBe(positions.length);
  });
});

describe('under contention', () => {
  test('one of fifty edits of the same version wins, and the others get a conflict', async () => {
    const { body } = await alice.post<{ id: string }>('server/insert', {
      ...fieldsOf('busy', nowhere),
      privateKey,
    });
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, i) =>
        (i % 2 ? alice : bob).post<{ current?: ServerView }>('server/update', {
          id: body.id,
          data: fieldsOf(`busy-${i}`, nowhere),
          revision: 0,
        }),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const refused = answers.filter(({ status }) => status === 409);
    expect(refused).toHaveLength(49);
    const { body: now } = await alice.post<ServerView>('server/detail', { id: body.id });
    expect(now.revision).toBe(1);
    for (const { body: answer } of refused) expect(answer.current?.alias).toBe(now.alias);
    // The names of all losing edits are free; the winning one is not.
    const { rows } = await world.backend.db.query(`select key from app.claims where key like 'busy%'`);
    expect(rows).toEqual([{ key: now.alias }]);
  });

  test('a stale edit gets the winning change, even before the read models have it', async () => {
    const { body } = await alice.post<{ id: string }>('server/insert', {
      ...fieldsOf('late', nowhere),
      privateKey,
    });
    const holder = await world.backend.db.connect();
    await holder.query('begin; lock table read.live in share row exclusive mode');
    const edit = (who: Operator, alias: string) =>
      who.post<{ current?: ServerView }>('server/update', {
        id: body.id,
        data: fieldsOf(alias, nowhere),
        revision: 0,
      });
    const won = edit(alice, 'late-1');
    const { store } = world.backend.resources;
    while ((await store.readStream(`server-${body.id}`)).length < 2) await pause(5);
    const lost = edit(bob, 'late-2');
    // An answer that did not wait would have arrived by then.
    for (let calls = 0; calls < 5; calls += 1) await alice.post('server/list');
    await holder.query('rollback');
    holder.release();
    expect((await won).status).toBe(200);
    expect(await lost).toMatchObject({ status: 409, body: { current: { alias: 'late-1', revision: 1 } } });
  });

  test('only one of twenty servers with the same alias is registered', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        alice.post('server/insert', { ...fieldsOf(i % 2 ? 'Twin' : 'twin', nowhere), privateKey }),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const { status, body } of answers.filter((answer) => answer.status !== 200)) {
      expect(status).toBe(400);
      expect(body.data).toEqual({ alias: 'another server already has this alias' });
    }
    const { body } = await alice.post<ServerView[]>('server/list');
    expect(body.filter(({ alias }) => alias.toLowerCase() === 'twin')).toHaveLength(1);
  });

  test('replaced keys are destroyed after any crash or lost race, and the one in use stays', async () => {
    const { db, app } = world.backend;
    const { body } = await alice.post<{ id: string }>('server/insert', {
      ...fieldsOf('keys', nowhere),
      privateKey,
    });
    const { id } = body;
    const kept = async () => (await db.query('select from app.vault')).rowCount;
    const replace = (next: string, headers = {}) =>
      alice.post('server/update/private-key', { id, privateKey: next }, headers);
    const before = await kept();

    // Only the event, as if the process had died right after it.
    const { workspace } = (await alice.post<ServerView>('server/detail', { id })).body;
    const key = { ref: uuidv7(), fingerprint: 'SHA256:x', algorithm: 'ssh-ed25519' };
    const half = new ReplaceServerKey(id, { key }, ownMeta('system', workspace));
    await app.get(Decisions, { strict: false }).execute(serversDecider, half);
    expect((await replace(idleKey())).status).toBe(200);
    expect(await kept()).toBe(before);

    await Promise.all(Array.from({ length: 5 }, () => replace(idleKey())));
    expect(await kept()).toBe(before);

    const [first, newer] = [idleKey(), idleKey()];
    const repeated = { 'idempotency-key': '0193f0a0-0000-4000-8000-000000000002' };
    await replace(first, repeated);
    await replace(newer);
    // As if the first attempt had failed after its event.
    await db.query('delete from app.command_receipts');
    await replace(first, repeated);
    expect((await alice.post('server/private-key/download', { id })).body.privateKey).toBe(newer);
    expect(await kept()).toBe(before);
  });

  test('a repeated insert with the same Idempotency-Key registers one server', async () => {
    const key = { 'idempotency-key': '0193f0a0-0000-4000-8000-000000000001' };
    const input = { ...fieldsOf('once', nowhere), privateKey };
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => alice.post('server/insert', input, key)),
    );
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    expect(answers.every(({ status }) => status === 200)).toBe(true);
  });
});
