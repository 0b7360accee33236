/**
 * Roles, changed in the console and on the command line, in every process by the same rules.
 *
 * covers: AUTH-12, AUTH-06
 */
import type { Role } from '@quarterdeck/events';
import { catalogue } from '@quarterdeck/events/catalogue';
import { v7 as uuidv7 } from 'uuid';
import { appendAtEnd } from '../../testing/log-events';
import { SessionRoles } from '../../apps/backend/src/people';
import { ownMeta } from '../../apps/backend/src/platform/sessions/session';
import { openWorld, type World } from '../backend/world';
import { runHere } from '../../testing/backend';
import type { Operator } from '../../testing/operator';
import { personOf, teamOf } from './team';
import { PATIENCE_MS } from '../../testing/patience';

let world: World;
let second: { url: string };

beforeAll(async () => {
  world = await openWorld();
  second = await world.another();
});
afterAll(() => world?.end());

const workspaceOf = (...roles: Role[]) => teamOf(world.backend, second, ...roles);

// First, while nobody is a superadministrator.
describe('the link that a start prints', () => {
  const roleOf = async (workspace: string) => {
    const who = await world.backend.signIn({ workspace, role: 'installer', actor: 'system' });
    const { body } = await who.get<{ profile: { id: string } }>('session');
    return personOf(who, body.profile.id);
  };

  it('makes a superadministrator where nobody is one, who stays the same person in that role', async () => {
    const workspace = `first-${uuidv7()}`;
    const first = await roleOf(workspace);
    expect(first).toMatchObject({ role: 'superadmin', name: 'Administrator' });
    expect(await roleOf(workspace)).toMatchObject({ role: 'superadmin', id: first!.id });
    expect(await roleOf(`next-${uuidv7()}`)).toMatchObject({ role: 'admin' });
  });
});

describe('the role of a member', () => {
  it('is changed by an administrator, and takes effect at the next call, in every process', async () => {
    const [ada, mia] = await workspaceOf('admin', 'member');
    expect((await mia!.there.post('server/list')).status).toBe(403);
    expect((await ada!.post('person/role', { id: mia!.id, role: 'admin' })).status).toBe(200);
    expect((await mia!.post('server/list')).status).toBe(200);
    expect(await personOf(ada!, mia!.id)).toMatchObject({ role: 'admin', sessions: 1 });
  });

  it('cannot become superadministrator in the console, or be changed from it', async () => {
    const [ada, root] = await workspaceOf('admin', 'superadmin');
    const refused = await ada!.post('person/role', { id: ada!.id, role: 'superadmin' });
    expect(refused).toMatchObject({ status: 400, body: { data: { role: 'expected type member | admin' } } });
    for (const path of ['person/role', 'person/remove'])
      expect(
        await ada!.post(path, { id: root!.id, ...(path === 'person/role' ? { role: 'member' } : {}) }),
      ).toMatchObject({ status: 403, body: { msg: expect.stringContaining('command line') } });
  });

  it('stays administrator for the last one, who can neither change role nor be removed', async () => {
    const [ada, mia] = await workspaceOf('admin', 'member');
    const asks = [
      () => ada!.post('person/role', { id: ada!.id, role: 'member' }),
      () => ada!.post('person/remove', { id: ada!.id }),
    ];
    for (const ask of asks)
      expect(await ask()).toMatchObject({
        status: 409,
        body: { msg: expect.stringContaining('needs an administrator') },
      });
    await ada!.post('person/role', { id: mia!.id, role: 'admin' });
    expect((await asks[0]!()).status).toBe(200);
  });

  it('stays administrator for one of two who demote each other at once, in different processes', async () => {
    for (let round = 0; round < 8; round++) {
      const [ada, bob] = await workspaceOf('admin', 'admin');
      const path = round % 2 ? 'person/role' : 'person/remove';
      const more = round % 2 ? { role: 'member' } : {};
      const answers = await Promise.all([
        ada!.post(path, { id: bob!.id, ...more }),
        bob!.there.post(path, { id: ada!.id, ...more }),
      ]);
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      const { rows } = await world.backend.db.query(
        `select 1 from read.people where id = any($1) and role = 'admin' and "removedAt" is null`,
        [[ada!.id, bob!.id]],
      );
      expect(rows).toHaveLength(1);
    }
  });
});

describe('the role of a session', () => {
  const look = () => world.backend.app.get(SessionRoles, { strict: false }).look();

  it('is the recorded one, even if the recording process died before updating the session', async () => {
    const [ada, bob] = await workspaceOf('admin', 'admin');
    const { body } = await ada!.get<{ instance: { uuid: string } }>('session');
    const { actor, workspace, correlationId, causationId, at } = ownMeta(ada!.id, body.instance.uuid);
    const v = String(catalogue.PersonRoleChanged.version);
    const meta = { id: uuidv7(), at, actor, workspace, correlationId, causationId, v };
    const changed = { type: 'PersonRoleChanged', data: { role: 'member' }, meta } as const;
    const { store, projections } = world.backend.resources;
    const { position } = await appendAtEnd(store, `person-${bob!.id}`, [changed]);
    expect(await projections.waitFor(position, PATIENCE_MS)).toBe(true);
    await look();
    expect((await bob!.post('server/list')).status).toBe(403);
  });

  it('is not reverted by a list that does not show it yet', async () => {
    const [, bob] = await workspaceOf('admin', 'admin');
    await world.backend.db.query(`update read.people set role = 'member' where id = $1`, [bob!.id]);
    await look();
    expect((await bob!.post('server/list')).status).toBe(200);
  });
});

describe('the role of a member on the command line', () => {
  const nameOf = async (who: Operator) =>
    (await who.get<{ instance: { name: string } }>('session')).body.instance.name;

  it('is not taken from the last administrator there either', async () => {
    const [ada] = await workspaceOf('admin', 'member');
    const workspace = await nameOf(ada!);
    const args = ['sign-in-link', '--workspace', workspace, '--email', ada!.email, '--role', 'member'];
    const refused = await runHere(args, { databaseUrl: world.postgres.url });
    expect(refused).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^the workspace needs an administrator.*\n$/),
    });
    expect((await ada!.post('person/list')).status).toBe(200);
  });

  it('stays administrator for one of two who are demoted on the command line and in the console at once', async () => {
    for (let round = 0; round < 8; round++) {
      const [ada, bob] = await workspaceOf('admin', 'admin');
      const workspace = await nameOf(ada!);
      const atOnce = await Promise.allSettled([
        world.backend.signInLink({ workspace, role: 'member', email: ada!.email }),
        bob!.there.post('person/role', { id: bob!.id, role: 'member' }),
      ]);
      const done = atOnce.map((one) =>
        one.status === 'fulfilled' ? typeof one.value === 'string' || one.value.status === 200 : false,
      );
      expect(done.filter(Boolean)).toHaveLength(1);
      const still = [await ada!.post('server/list'), await bob!.there.post('server/list')];
      expect(still.map(({ status }) => status)).toEqual(done.map((taken) => (taken ? 403 : 200)));
    }
  });

  it('is the last recorded one in every session, whichever way it was changed', async () => {
    const [ada, mia] = await workspaceOf('admin', 'member');
    const workspace = await nameOf(ada!);
    for (let round = 0; round < 8; round++) {
      await Promise.all([
        world.backend.signInLink({ workspace, role: round % 2 ? 'member' : 'admin', email: mia!.email }),
        ada!.there.post('person/role', { id: mia!.id, role: round % 2 ? 'admin' : 'member' }),
      ]);
      const { projections, store } = world.backend.resources;
      expect(await projections.waitFor(await store.head(), PATIENCE_MS)).toBe(true);
      const { rows } = await world.backend.db.query<{ recorded: string; counts: string }>(
        `select p.role as recorded, s.role as counts from read.people p join app.sessions s on s.person = p.id::uuid
         where p.id = $1`,
        [mia!.id],
      );
      expect(rows).toHaveLength(1);
      expect(rows[0]?.counts).toBe(rows[0]?.recorded);
    }
  });
});
