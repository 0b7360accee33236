/**
 * Invitations to a workspace: for whoever has the link, for a GitHub login, for an e-mail. What is said of a person
 * there is in no event.
 *
 * covers: AUTH-12
 */
import { v7 as uuidv7 } from 'uuid';
import { Invitations, type Accepted, type ProviderIdentity } from '../../apps/backend/src/people';
import { PROJECTIONS, type ProjectionRunner } from '../../apps/backend/src/platform/tokens';
import { openWorld, type World } from '../backend/world';
import { operator, type Operator } from '../peers/operator';
import type { RunningBackend } from '../peers/backend';

interface Issued {
  id: string;
  code?: string;
}

let world: World;
let second: RunningBackend;
let [workspace, workspaceName]: string[] = [];
let ada: Operator;

beforeAll(async () => {
  world = await openWorld();
  second = await world.another();
});
afterAll(() => world?.end());

beforeEach(async () => {
  workspaceName = `team-${uuidv7()}`;
  ada = await world.backend.signIn({ workspace: workspaceName, email: `ada@${workspaceName}.example.org` });
  const { body } = await ada.get<{ instance: { uuid: string } }>('session');
  workspace = body.instance.uuid;
});

const ids = { correlationId: uuidv7() };
const serviceOf = (backend: RunningBackend) => backend.app.get(Invitations, { strict: false });
/** What a call would wait for: that the lists show it. */
const shown = async (accepting: Promise<Accepted | undefined>): Promise<Accepted | undefined> => {
  const accepted = await accepting;
  const projections = world.backend.app.get<ProjectionRunner>(PROJECTIONS, { strict: false });
  if (accepted) await projections.waitFor(accepted.position, 20_000);
  return accepted;
};
const accept = (identity: ProviderIdentity, into = workspace!) =>
  shown(serviceOf(world.backend).accept(into, identity, ids));
const acceptLink = (code: string, name: string, at = world.backend) =>
  shown(serviceOf(at).acceptLink(code, { name }, ids));
const invite = async (body: object) => (await ada.post<Issued>('invitation/insert', body)).body;
const people = async () =>
  (await ada.post<{ id: string; role: string; name?: string }[]>('person/list')).body;
const nobody = () => operator(world.backend.url);
const google = (email: string, emailVerified = true): ProviderIdentity => ({
  provider: 'google',
  email,
  emailVerified,
});

describe('an invitation by link', () => {
  it('says to whoever has it where it leads, and nothing to anybody else', async () => {
    const { code } = await invite({ role: 'member', via: 'link' });
    expect(code).toMatch(/^[\w-]{43}$/);
    expect(await nobody().post('invitation/look', { code })).toMatchObject({
      status: 200,
      body: {
        instance: { uuid: workspace, name: workspaceName },
        role: 'member',
        expiresAt: expect.any(String),
      },
    });
    expect(await nobody().post('invitation/look', { code: 'A'.repeat(43) })).toMatchObject({
      status: 404,
      body: { msg: 'invitation could not be found' },
    });
  });

  it('is good once, however many follow it at once in however many processes', async () => {
    const { id, code = '' } = await invite({ role: 'member', via: 'link' });
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) => acceptLink(code, `Guest ${i}`, i % 2 ? second : world.backend)),
    );
    const accepted = answers.filter((answer) => answer !== undefined);
    expect(accepted).toMatchObject([{ workspace, role: 'member', person: expect.any(String) }]);
    expect(await people()).toHaveLength(2);
    expect((await nobody().post('invitation/look', { code })).status).toBe(404);
    expect(await ada.post('invitation/withdraw', { id })).toMatchObject({
      status: 409,
      body: { msg: 'this invitation was accepted already' },
    });
  });

  it('leads nowhere after it was withdrawn, or when it has expired', async () => {
    const withdrawn = await invite({ role: 'admin', via: 'link' });
    expect((await ada.post('invitation/withdraw', { id: withdrawn.id })).status).toBe(200);
    expect((await ada.post('invitation/withdraw', { id: withdrawn.id })).status).toBe(200);
    const late = await invite({ role: 'admin', via: 'link' });
    await world.backend.db.query(
      `update app.invitations set expires_at = now() - interval '1 second' where id = $1`,
      [late.id],
    );
    for (const { code = '' } of [withdrawn, late]) {
      expect((await nobody().post('invitation/look', { code })).status).toBe(404);
      expect(await acceptLink(code, 'Late')).toBeUndefined();
    }
    expect((await ada.post<{ id: string }[]>('invitation/list')).body.map(({ id }) => id)).toEqual([late.id]);
  });

  it('is spent also where the process died before it closed the row', async () => {
    const { id, code = '' } = await invite({ role: 'member', via: 'link' });
    const first = await acceptLink(code, 'Mia');
    // As if the process had died before the invitation was closed.
    await world.backend.db.query(
      `update app.invitations set closed_at = null, code = encode(sha256($2::bytea), 'hex') where id = $1`,
      [id, code],
    );
    expect(await acceptLink(code, 'Mia', second)).toBeUndefined();
    expect((await people()).map((person) => person.id)).toContain(first?.person);
    expect(await people()).toHaveLength(2);
  });
});

describe('an invitation of an account', () => {
  it('for an e-mail is accepted by whoever a provider vouches for, whatever the case', async () => {
    await invite({ role: 'member', via: 'email', email: 'Grace@Example.org' });
    expect(await accept(google('grace@example.org', false))).toBeUndefined();
    expect(await accept({ provider: 'github', login: 'grace', emailVerified: true })).toBeUndefined();
    expect(await accept(google('grace@example.org'), uuidv7())).toBeUndefined();
    const accepted = await accept({ ...google('grace@example.org'), name: 'Grace Hopper' });
    expect(accepted).toMatchObject({ role: 'member', workspace });
    expect(await people()).toContainEqual(
      expect.objectContaining({ id: accepted?.person, name: 'Grace Hopper', email: 'grace@example.org' }),
    );
    expect(await accept(google('grace@example.org'))).toBeUndefined();
  });

  it('for a login is accepted at GitHub alone, and keeps no e-mail that nobody vouches for', async () => {
    await invite({ role: 'admin', via: 'github', login: 'octo-cat' });
    expect(await accept({ provider: 'google', login: 'octo-cat', emailVerified: true })).toBeUndefined();
    const accepted = await accept({
      provider: 'github',
      login: 'Octo-Cat',
      email: 'someone@example.org',
      emailVerified: false,
    });
    expect(accepted).toMatchObject({ role: 'admin' });
    expect((await people()).find(({ id }) => id === accepted?.person)).not.toHaveProperty('email');
  });

  it('brings back who was a member once, as the same person in his new role', async () => {
    const { id } = await invite({ role: 'admin', via: 'email', email: 'back@example.org' });
    const before = await accept(google('back@example.org'));
    await ada.post('person/remove', { id: before?.person });
    await invite({ role: 'member', via: 'email', email: 'back@example.org' });
    expect(await accept(google('back@example.org'))).toMatchObject({
      person: before?.person,
      role: 'member',
    });
    expect(id).toBeDefined();
  });

  it('is no door to somebody who is a member already', async () => {
    const { code = '' } = await invite({ role: 'member', via: 'link' });
    const asAda = google(`ada@${workspaceName}.example.org`);
    expect(await serviceOf(world.backend).acceptLink(code, asAda, ids)).toBeUndefined();
    expect((await nobody().post('invitation/look', { code })).status).toBe(200);
  });

  it('is one for each account, and none for who is a member already', async () => {
    const first = await invite({ role: 'member', via: 'email', email: 'twice@example.org' });
    expect(
      await ada.post('invitation/insert', { role: 'admin', via: 'email', email: 'TWICE@example.org' }),
    ).toMatchObject({
      status: 400,
      body: { data: { email: 'an invitation is open already: withdraw it first' } },
    });
    await ada.post('invitation/withdraw', { id: first.id });
    expect(
      (await ada.post('invitation/insert', { role: 'admin', via: 'email', email: 'twice@example.org' }))
        .status,
    ).toBe(200);
    expect(
      await ada.post('invitation/insert', {
        role: 'member',
        via: 'email',
        email: `ada@${workspaceName}.example.org`,
      }),
    ).toMatchObject({
      status: 400,
      body: { data: { email: 'somebody with this e-mail is a member already' } },
    });
  });

  it('names the field of what cannot be', async () => {
    for (const [body, data] of [
      [{ role: 'superadmin', via: 'link' }, { role: 'expected type member | admin' }],
      [{ role: 'member' }, { via: 'This field is required' }],
      [{ role: 'member', via: 'github' }, { login: 'This field is required' }],
      [{ role: 'member', via: 'github', login: 'two--dashes' }, { login: 'a GitHub login is expected' }],
      [{ role: 'member', via: 'link', email: 'c@example.org' }, { email: 'this key cannot be included' }],
    ])
      expect(await ada.post('invitation/insert', body)).toMatchObject({ status: 400, body: { data } });
  });
});

it('whom an invitation is for stands in its row until it is over, and nowhere else', async () => {
  const [email, login] = [`secret-${uuidv7()}@example.org`, `cat-${Date.now()}`];
  const invited = [
    await invite({ role: 'member', via: 'email', email }),
    await invite({ role: 'member', via: 'github', login }),
  ];
  expect((await ada.post<{ to: string }[]>('invitation/list')).body.map(({ to }) => to).sort()).toEqual(
    [email, login].sort(),
  );
  const texts = async (table: string) =>
    JSON.stringify((await world.backend.db.query(`select t::text from ${table} t`)).rows);
  for (const table of ['log.events', 'read.history', 'read.invitations'])
    for (const word of [email, login]) expect(await texts(table)).not.toContain(word);
  await accept(google(email));
  await ada.post('invitation/withdraw', { id: invited[1]?.id });
  for (const word of [email, login]) expect(await texts('app.invitations')).not.toContain(word);
});
