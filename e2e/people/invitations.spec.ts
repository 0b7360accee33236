/**
 * Invitations to a workspace: by link, for a GitHub login, or for an e-mail. No event contains the invited person's
 * data.
 *
 * covers: AUTH-12
 */
import { v7 as uuidv7 } from 'uuid';
import { Invitations, type Accepted, type ProviderIdentity } from '../../apps/backend/src/people';
import { PROJECTIONS, type ProjectionRunner } from '../../apps/backend/src/platform/tokens';
import {
  AcceptInvitation,
  invitationDecider,
  WithdrawInvitation,
} from '../../apps/backend/src/people/invitations.decider';
import { JoinWorkspace, personDecider } from '../../apps/backend/src/people/people.decider';
import { Decisions } from '../../apps/backend/src/platform/decisions/decider-handlers';
import { ownMeta } from '../../apps/backend/src/platform/sessions/session';
import { withoutRoom } from '../backend/without-room';
import { openWorld, type World } from '../backend/world';
import { operator, type Operator } from '../../testing/operator';
import type { RunningBackend } from '../../testing/backend';
import { tracesOf } from './traces';
import { PATIENCE_MS } from '../../testing/patience';

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
/** Waits until the lists show the acceptance, as a call does. */
const shown = async (accepting: Promise<Accepted | undefined>): Promise<Accepted | undefined> => {
  const accepted = await accepting;
  const projections = world.backend.app.get<ProjectionRunner>(PROJECTIONS, { strict: false });
  if (accepted) await projections.waitFor(accepted.position, PATIENCE_MS);
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

/** The state after a process died before it closed an accepted invitation: only the event was recorded. */
const brokeOff = async (id: string, person: string): Promise<void> => {
  const decisions = world.backend.app.get(Decisions, { strict: false });
  const meta = ownMeta(person, workspace!);
  await decisions.execute(personDecider, new JoinWorkspace(person, { role: 'member' }, meta));
  await decisions.execute(invitationDecider, new AcceptInvitation(id, { person }, meta));
};

it('whose acceptance broke off is closed when the person is forgotten', async () => {
  const login = `iris-${uuidv7().slice(-12)}`;
  const { id } = await invite({ role: 'member', via: 'github', login });
  const { db } = world.backend;
  const { rows } = await db.query<{ person: string }>('select person from app.invitations where id = $1', [
    id,
  ]);
  const person = rows[0]?.person ?? '';
  await brokeOff(id, person);
  await world.backend.caughtUp();
  expect((await ada.post('person/remove', { id: person })).status).toBe(200);
  expect(await tracesOf(db, login)).toEqual(['app.invitations']);
  expect((await ada.post('person/forget', { id: person })).status).toBe(200);
  expect(await tracesOf(db, login)).toEqual([]);
});

describe('an invitation by link', () => {
  it('shows its workspace to everybody who has the link, and to nobody else', async () => {
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

  it('works once, however many people follow it at once in however many processes', async () => {
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
      body: { msg: 'this invitation has already been accepted' },
    });
  });

  it('is refused after it was withdrawn or has expired', async () => {
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

  const inviteUnfinished = async (personOf: (own: string) => string) => {
    const { id, code = '' } = await invite({ role: 'member', via: 'link' });
    const { rows } = await world.backend.db.query<{ person: string }>(
      'select person from app.invitations where id = $1',
      [id],
    );
    const person = personOf(rows[0]?.person ?? '');
    await brokeOff(id, person);
    return { code, person };
  };

  it('admits the same member after a crash before it was closed, and is used up then', async () => {
    const { code, person } = await inviteUnfinished((own) => own);
    expect((await nobody().post('invitation/look', { code })).status).toBe(200);
    expect(await acceptLink(code, 'Mia', second)).toMatchObject({ person, role: 'member' });
    expect(await people()).toMatchObject([{}, { id: person, name: 'Mia' }]);
    expect(await acceptLink(code, 'Mia')).toBeUndefined();
  });

  it('admits nobody else after such a crash, and does not readmit somebody who was removed meanwhile', async () => {
    const others = await inviteUnfinished(() => uuidv7());
    const removed = await inviteUnfinished((own) => own);
    expect((await ada.post('person/remove', { id: removed.person })).status).toBe(200);
    const before = await people();
    for (const { code } of [others, removed]) expect(await acceptLink(code, 'Eve')).toBeUndefined();
    expect(await people()).toEqual(before);
  });
});

describe('an invitation of an account', () => {
  it('for an e-mail is accepted with any verified account of that e-mail, ignoring case', async () => {
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

  it('for a login is accepted only at GitHub, and stores no unverified e-mail', async () => {
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

  it('brings a former member back as the same person with the new role', async () => {
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

  it("is no way into an existing member's account", async () => {
    const { code = '' } = await invite({ role: 'member', via: 'link' });
    const asAda = google(`ada@${workspaceName}.example.org`);
    expect(await serviceOf(world.backend).acceptLink(code, asAda, ids)).toBeUndefined();
    expect((await nobody().post('invitation/look', { code })).status).toBe(200);
  });

  it('exists once per account, and not for a member', async () => {
    const first = await invite({ role: 'member', via: 'email', email: 'twice@example.org' });
    expect(
      await ada.post('invitation/insert', { role: 'admin', via: 'email', email: 'TWICE@example.org' }),
    ).toMatchObject({
      status: 400,
      body: { data: { email: 'there is already an open invitation: withdraw it first' } },
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
      body: { data: { email: 'somebody with this e-mail is already a member' } },
    });
  });

  it('that could not be recorded does not block the next one', async () => {
    const body = { role: 'member', via: 'email', email: 'unlucky@example.org' };
    const rows = `new.type = 'InvitationIssued'`;
    const failed = await withoutRoom(world.backend.db, { table: 'log.events', rows }, () =>
      ada.post('invitation/insert', body),
    );
    expect(failed.status).toBe(503);
    expect((await ada.post('invitation/insert', body)).status).toBe(200);
    expect((await ada.post('invitation/insert', body)).status).toBe(400);
  });

  it('that was accepted but not closed does not keep the invited person from being forgotten', async () => {
    const email = 'forgotten@example.org';
    const { id } = await invite({ role: 'member', via: 'email', email });
    const person = uuidv7();
    await brokeOff(id, person);
    const signs = { person, emails: [email], logins: [] };
    await serviceOf(world.backend).withdrawFor(signs, ownMeta('cli', workspace!));
    expect(await tracesOf(world.backend.db, email)).toEqual([]);
  });

  it('that was withdrawn but not closed does not block the next one either', async () => {
    const body = { role: 'member', via: 'email', email: 'withdrawn@example.org' };
    const { id } = await invite(body);
    const decisions = world.backend.app.get(Decisions, { strict: false });
    const { body: session } = await ada.get<{ profile: { id: string } }>('session');
    const meta = ownMeta(session.profile.id, workspace!);
    await decisions.execute(invitationDecider, new WithdrawInvitation(id, {}, meta));
    expect((await ada.post('invitation/insert', body)).status).toBe(200);
  });

  it('names the field of invalid input', async () => {
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

it("the invited person is named only in the invitation's row until it is over, and nowhere else", async () => {
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
