/**
 * What administrators do with members: removal, forgetting, and the sessions and sockets of those who are gone, in
 * every process.
 *
 * covers: AUTH-12, AUTH-06, AUTH-07
 */
import type { Role } from '@quarterdeck/events';
import { verifyLog } from '@quarterdeck/log/store';
import type { ListPage, PersonView } from '@quarterdeck/projections';
import { v7 as uuidv7 } from 'uuid';
import { People } from '../../apps/backend/src/people';
import { JoinWorkspace, personDecider } from '../../apps/backend/src/people/people.decider';
import { Decisions } from '../../apps/backend/src/platform/decisions/decider-handlers';
import { ownMeta } from '../../apps/backend/src/platform/sessions/session';
import { connectSocket, type Listener } from '../../testing/socket';
import { withoutRoom } from '../backend/without-room';
import { fieldsOf, idleKey, nowhere, openWorld, type World } from '../backend/world';
import { operator, type Operator } from '../../testing/operator';
import { listed, personOf, teamOf } from './team';
import { tracesOf } from './traces';

let world: World;
let second: { url: string };
const open: Listener[] = [];

beforeAll(async () => {
  world = await openWorld();
  second = await world.another();
});
afterEach(() => open.splice(0).forEach((listener) => listener.close()));
afterAll(() => world?.end());

const listen = async (who: Pick<Operator, 'url' | 'cookie'>): Promise<Listener> => {
  const listener = await connectSocket(who);
  open.push(listener);
  return listener;
};

const workspaceOf = (...roles: Role[]) => teamOf(world.backend, second, ...roles);
const register = (who: Operator, alias: string) =>
  who.post<{ id: string }>('server/insert', { ...fieldsOf(alias, nowhere), privateKey: idleKey() });

describe('a removed member', () => {
  it('is signed out in every process, and gets no pushes from then on', async () => {
    const [ada, bob] = await workspaceOf('admin', 'admin');
    const position = (await ada!.post('server/list')).headers.get('x-position') ?? '0';
    const [here, there, stays] = [await listen(bob!), await listen(bob!.there), await listen(ada!)];
    for (const listener of [here, there, stays]) await listener.resume(position);
    await register(ada!, 'before');
    for (const listener of [here, there, stays])
      await listener.until(() => listener.changes.some(({ type }) => type === 'ServerRegistered'));

    // In parallel: the next event is recorded while the removal is still being pushed.
    const removal = ada!.post('person/remove', { id: bob!.id });
    const after = await Promise.all([
      removal,
      ...Array.from({ length: 10 }, (_, i) => register(ada!, `after-${i}`)),
    ]);
    expect(after.map(({ status }) => status)).toEqual(after.map(() => 200));
    await stays.until(() => stays.changes.filter(({ type }) => type === 'ServerRegistered').length === 11);

    for (const listener of [here, there]) {
      await listener.until(() => listener.ended && !listener.socket.connected);
      const removedAt = stays.changes.findIndex(({ type }) => type === 'PersonRemoved');
      const later = new Set(stays.changes.slice(removedAt).map((change) => change.position));
      expect(listener.changes.filter((change) => later.has(change.position))).toEqual([]);
    }
    for (const who of [bob!, bob!.there]) {
      expect((await who.get('session')).status).toBe(401);
      await expect(connectSocket(who)).rejects.toThrow('unauthorized');
    }
  });

  it('stays listed as a former member, and everything that they made stays', async () => {
    const [ada, bob] = await workspaceOf('admin', 'admin');
    const { id } = (await register(bob!, 'his')).body;
    await ada!.post('person/remove', { id: bob!.id });
    expect(await personOf(ada!, bob!.id)).toMatchObject({
      email: bob!.email,
      removedAt: expect.any(String),
      sessions: 0,
    });
    const former = await ada!.post<ListPage<PersonView>>('person/page', { former: true });
    expect(former.body).toMatchObject({ found: 1, total: 1, rows: [{ id: bob!.id }] });
    const { body: last } = await ada!.post<PersonView>('person/detail', { id: ada!.id });
    expect(last).toMatchObject({ role: 'admin', sessions: 1, lastAdmin: true });
    expect((await ada!.post('person/detail', { id })).status).toBe(404);
    expect((await ada!.post('server/detail', { id })).status).toBe(200);
    expect((await ada!.post('person/remove', { id: bob!.id })).status).toBe(200);
    expect((await ada!.post('person/role', { id: bob!.id, role: 'member' })).status).toBe(404);
  });

  it('has no sessions in the past, where present ones do not belong', async () => {
    const [ada, bob] = await workspaceOf('admin', 'member');
    const past = { 'x-at': await world.backend.resources.store.head() };
    const then = await ada!.post<{ id: string; sessions?: number }[]>('person/list', {}, past);
    expect(then.body.map(({ id }) => id).sort()).toEqual([ada!.id, bob!.id].sort());
    expect(then.body.filter((person) => 'sessions' in person)).toEqual([]);
    expect((await personOf(ada!, bob!.id))?.sessions).toBe(1);
  });

  it('has no session even if the removing process died before ending it', async () => {
    const [ada, bob] = await workspaceOf('admin', 'member');
    const { rows } = await world.backend.db.query<{ row: string }>(
      'select row_to_json(s)::text as row from app.sessions s where person = $1',
      [bob!.id],
    );
    await ada!.post('person/remove', { id: bob!.id });
    await world.backend.db.query(
      'insert into app.sessions select * from json_populate_record(null::app.sessions, $1)',
      [rows[0]?.row],
    );
    expect((await bob!.there.get('session')).status).toBe(401);
    expect(await personOf(ada!, bob!.id)).toMatchObject({ sessions: 0 });
  });

  it('is remembered with the notices that they dismissed, until they are forgotten', async () => {
    const [ada, bob] = await workspaceOf('admin', 'admin');
    const remember = (state: string, ...marks: string[]) =>
      bob!.there.post('notice/remember', { notices: marks.map((mark) => ({ id: mark[0], mark })), state });
    const known = async (who = bob!.there) => (await who.post('notice/memory')).body;
    await remember('seen', 'a1', 'b1');
    await remember('dismissed', 'a1');
    // Another browser shows it for the first time.
    await remember('seen', 'a1');
    expect(await known()).toEqual([
      { id: 'a', mark: 'a1', state: 'dismissed' },
      { id: 'b', mark: 'b1', state: 'seen' },
    ]);
    await remember('seen', 'a2');
    expect(await known()).toContainEqual({ id: 'a', mark: 'a2', state: 'seen' });
    expect(await known(ada!)).toEqual([]);
    await ada!.post('person/remove', { id: bob!.id });
    expect((await ada!.post('person/forget', { id: bob!.id })).status).toBe(200);
    const left = await world.backend.db.query('select from app.notice_memory where person = $1', [bob!.id]);
    expect(left.rowCount).toBe(0);
  });

  it('cannot sign in during the removal, in another process', async () => {
    const [ada, ...others] = await workspaceOf('admin', 'member', 'member', 'member', 'member');
    const { body } = await ada!.get<{ instance: { name: string } }>('session');
    for (const { id, email } of others) {
      const link = await world.backend.signInLink({
        workspace: body.instance.name,
        role: 'member',
        email,
      });
      const code = new URL(link).searchParams.get('code') ?? '';
      const [signedIn, removal] = await Promise.all([
        operator(second.url).post('auth/link', { code }),
        ada!.post('person/remove', { id }),
      ]);
      expect([200, 401]).toContain(signedIn.status);
      expect(removal.status).toBe(200);
      const left = await world.backend.db.query('select from app.sessions where person = $1', [id]);
      expect(left.rowCount).toBe(0);
    }
  });

  it('comes back by a link from the command line, as the same person', async () => {
    const [ada, bob] = await workspaceOf('admin', 'member');
    await ada!.post('person/remove', { id: bob!.id });
    const { body } = await ada!.get<{ instance: { name: string } }>('session');
    const again = await world.backend.signIn({
      workspace: body.instance.name,
      role: 'member',
      email: bob!.email,
    });
    expect((await again.get<{ profile: { id: string } }>('session')).body.profile.id).toBe(bob!.id);
    expect(await personOf(ada!, bob!.id)).not.toHaveProperty('removedAt');
  });
});

it('an administrator ends every session of a member, and nothing else', async () => {
  const [ada, mia] = await workspaceOf('admin', 'member');
  const listener = await listen(mia!.there);
  expect((await ada!.post('person/sign-out', { id: mia!.id })).status).toBe(200);
  await listener.until(() => listener.ended);
  expect((await mia!.get('session')).status).toBe(401);
  expect(await personOf(ada!, mia!.id)).toMatchObject({ role: 'member', sessions: 0 });
});

it("a person can change their own name with any role, and nobody else's", async () => {
  const [ada, mia] = await workspaceOf('admin', 'member');
  expect((await mia!.post('person/rename', { name: 'Mia Novak' })).status).toBe(200);
  expect((await mia!.get('session')).body).toMatchObject({
    profile: { firstName: 'Mia', lastName: 'Novak', email: mia!.email },
  });
  const people = await listed(ada!);
  expect(people.map(({ name }) => name).filter(Boolean)).toEqual(['Mia Novak']);
  expect(await mia!.post('person/rename', { name: 'Ada', id: ada!.id })).toMatchObject({ status: 400 });
  const events = await world.backend.resources.store.readStream(`person-${mia!.id}`);
  expect(events.at(-1)?.type).toBe('PersonRenamed');
  expect(JSON.stringify(events)).not.toContain('Novak');
});

it('a name that could not be recorded is not changed, and the next attempt is recorded', async () => {
  const [ada, mia] = await workspaceOf('admin', 'member');
  const rename = () => mia!.post('person/rename', { name: 'Mia Novak' });
  const rows = `new.type = 'PersonRenamed'`;
  const failed = await withoutRoom(world.backend.db, { table: 'log.events', rows }, rename);
  expect(failed.status).toBe(503);
  expect(await personOf(ada!, mia!.id)).not.toHaveProperty('name');
  expect((await rename()).status).toBe(200);
  expect(await personOf(ada!, mia!.id)).toHaveProperty('name', 'Mia Novak');
  const events = await world.backend.resources.store.readStream(`person-${mia!.id}`);
  expect(events.filter(({ type }) => type === 'PersonRenamed')).toHaveLength(1);
});

it('members learn the names of others, never an e-mail, and are told when a name changes', async () => {
  const [ada, bob, mia] = await workspaceOf('admin', 'member', 'member');
  const names = async () => (await mia!.post<{ id: string; name?: string }[]>('person/names')).body;
  await ada!.post('person/rename', { name: 'Ada Marsh' });
  // Bob is known only by his e-mail.
  expect(await names()).toEqual([{ id: ada!.id, name: 'Ada Marsh' }]);
  const listener = await listen(mia!);
  await listener.resume((await mia!.post('person/names')).headers.get('x-position') ?? '0');
  await bob!.post('person/rename', { name: 'Bob Ito' });
  await listener.until(() => listener.changes.some(({ type }) => type === 'PersonRenamed'));
  expect((await names()).toSorted((a, b) => (a.name ?? '').localeCompare(b.name ?? ''))).toEqual([
    { id: ada!.id, name: 'Ada Marsh' },
    { id: bob!.id, name: 'Bob Ito' },
  ]);
  await ada!.post('person/remove', { id: bob!.id });
  await ada!.post('person/forget', { id: bob!.id });
  await listener.until(() => listener.changes.some(({ type }) => type === 'PersonForgotten'));
  expect(await names()).toContainEqual({ id: bob!.id });
  expect((await mia!.post('person/list')).status).toBe(403);
});

describe('a forgotten former member', () => {
  it('leaves no name and no e-mail anywhere; their actions stay without a name, and the log stays intact', async () => {
    const [ada, bob] = await workspaceOf('admin', 'admin');
    const name = `Bob ${uuidv7()}`;
    const login = `bob-${uuidv7().slice(-12)}`;
    await bob!.post('person/rename', { name });
    await bob!.post('profile/gh-username/update', { value: 'bob-of-github' });
    await bob!.post('profile/gh-token/update', { value: `ghp_${'b'.repeat(36)}` });
    const kept = () => world.backend.db.query(`select from app.vault where kind like 'gh-%'`);
    expect((await kept()).rowCount).toBe(2);
    const { id: server } = (await register(bob!, 'kept')).body;
    const before = await ada!.post<{ events: { actor: string; position: string }[] }>('history/list', {
      actor: bob!.id,
    });
    expect(await ada!.post('person/forget', { id: bob!.id })).toMatchObject({ status: 409 });
    await ada!.post('person/remove', { id: bob!.id });
    expect((await kept()).rowCount).toBe(0);
    // Invites them again before their data is removed, because an invitation names them, too.
    expect(
      (await ada!.post('invitation/insert', { role: 'member', via: 'email', email: bob!.email })).status,
    ).toBe(200);
    await world.backend.db.query(
      `insert into app.identities (workspace, provider, subject, person, login)
       select workspace, 'github', $2, id, $3 from app.person_records where id = $1`,
      [bob!.id, name, login.toUpperCase()],
    );
    expect((await ada!.post('invitation/insert', { role: 'member', via: 'github', login })).status).toBe(200);
    expect((await tracesOf(world.backend.db, login)).sort()).toEqual(['app.identities', 'app.invitations']);
    expect((await tracesOf(world.backend.db, name, bob!.email)).sort()).toEqual([
      'app.claims',
      'app.identities',
      'app.invitations',
      'app.person_records',
    ]);

    expect((await ada!.post('person/forget', { id: bob!.id })).status).toBe(200);
    expect(await tracesOf(world.backend.db, name, bob!.email, login)).toEqual([]);
    expect(world.backend.logs.filter((line) => line.includes(bob!.email) || line.includes(name))).toEqual([]);
    const person = await personOf(ada!, bob!.id);
    expect(person).toMatchObject({ forgottenAt: expect.any(String) });
    expect(person).not.toHaveProperty('name');
    expect(person).not.toHaveProperty('email');
    expect((await ada!.post('invitation/list')).body).toEqual([]);
    const after = await ada!.post<typeof before.body>('history/list', { actor: bob!.id });
    expect(after.body.events).toEqual(before.body.events);
    expect((await ada!.post('server/detail', { id: server })).status).toBe(200);
    expect((await ada!.post('person/forget', { id: bob!.id })).status).toBe(200);
    const file = await ada!.get<string>(`history/export?format=csv&actor=${bob!.id}`);
    expect(file).toMatchObject({ status: 200, body: expect.stringContaining('Former member') });
    expect(await verifyLog(world.backend.db)).toMatchObject({ ok: true });
  });

  it('is a new person when the same e-mail comes again', async () => {
    const [ada, bob] = await workspaceOf('admin', 'member');
    await ada!.post('person/remove', { id: bob!.id });
    await ada!.post('person/forget', { id: bob!.id });
    const { body } = await ada!.get<{ instance: { name: string } }>('session');
    const newcomer = await world.backend.signIn({
      workspace: body.instance.name,
      role: 'member',
      email: bob!.email,
    });
    expect((await newcomer.get<{ profile: { id: string } }>('session')).body.profile.id).not.toBe(bob!.id);
  });

  /** A removed person, and a transaction that locks their record until it is released. */
  const removedAndHeld = async () => {
    const [ada, bob] = await workspaceOf('admin', 'member');
    await ada!.post('person/remove', { id: bob!.id });
    const { body } = await ada!.get<{ instance: { uuid: string; name: string } }>('session');
    const { db } = world.backend;
    const client = await db.connect();
    await client.query('begin');
    await client.query('select from app.person_records where id = $1 for update', [bob!.id]);
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    const waiting = async (): Promise<void> => {
      const blocked = 'select from pg_stat_activity where $1 = any(pg_blocking_pids(pid))';
      while (!(await db.query(blocked, [rows[0]?.pid])).rowCount);
    };
    const letGo = async (): Promise<void> => {
      await client.query('commit');
      client.release();
    };
    return { ada: ada!, bob: bob!, workspace: body.instance, client, waiting, letGo };
  };

  it('stays a member if they came back meanwhile', async () => {
    const { ada, bob, workspace, waiting, letGo } = await removedAndHeld();
    const forgetting = ada.post('person/forget', { id: bob.id });
    await waiting();
    const decisions = world.backend.app.get(Decisions, { strict: false });
    await decisions.execute(
      personDecider,
      new JoinWorkspace(bob.id, { role: 'member' }, ownMeta('cli', workspace.uuid)),
    );
    await letGo();
    expect((await forgetting).status).toBe(409);
    expect(await personOf(ada, bob.id)).toHaveProperty('email', bob.email);
  });

  it('is a new person if they come back while being forgotten', async () => {
    const { bob, workspace, client, waiting, letGo } = await removedAndHeld();
    const comingBack = world.backend.signIn({ workspace: workspace.name, role: 'member', email: bob.email });
    await waiting();
    await world.backend.app.get(People, { strict: false }).shred(bob.id, workspace.uuid, client);
    await letGo();
    const { body } = await (await comingBack).get<{ profile: { id: string; email: string } }>('session');
    expect(body.profile.email).toBe(bob.email);
    expect(body.profile.id).not.toBe(bob.id);
  });
});
