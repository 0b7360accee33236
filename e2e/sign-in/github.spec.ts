/** covers: AUTH-01, AUTH-02, AUTH-03, AUTH-04, AUTH-11 */
import { withoutRoom } from '../backend/without-room';
import { tracesOf } from '../people/traces';
import { operator } from '../../testing/operator';
import { deniedFor, GitHubHouse } from './github-house';

describe('signing in with GitHub', () => {
  let house: GitHubHouse;

  beforeAll(async () => {
    house = await GitHubHouse.open();
  });
  afterAll(() => house?.close());
  beforeEach(() => house.github.feel('well'));

  it('creates a workspace with a free name, and its first administrator', async () => {
    const { welcome, visitor, instance } = await house.signedUp('ada');
    expect(welcome).toEqual({
      profile: {
        id: expect.any(String) as string,
        firstName: 'Ada',
        lastName: 'Marsh',
        email: 'ada@example.org',
        instance: { uuid: expect.any(String) as string, name: instance },
        permissions: ['admin'],
        locale: 'en',
      },
      permissions: ['admin'],
      locale: 'en',
      instance: { uuid: expect.any(String) as string, name: instance },
    });
    expect((await visitor.operator.get('session')).body).toMatchObject(welcome);
    const found = await operator(house.backend.url).get(`auth/instance/exists?instance=${instance}`);
    expect(found.body).toEqual(welcome.instance);
    const people = await visitor.operator.post('person/list');
    expect(people.body).toMatchObject([{ id: welcome.profile.id, role: 'admin' }]);
  });

  it("leads to the provider's address with state, PKCE and the one redirect address", async () => {
    house.github.become({ login: 'bea' });
    const address = new URL(await house.newVisitor().leave('somewhere new'));
    expect(address.origin + address.pathname).toBe(`${house.github.url}/login/oauth/authorize`);
    expect(Object.fromEntries(address.searchParams)).toMatchObject({
      response_type: 'code',
      redirect_uri: `${house.backend.url}/sso/github/redirect`,
      scope: 'read:user user:email',
      code_challenge_method: 'S256',
      state: expect.stringMatching(/^[\w-]{43}$/) as string,
      code_challenge: expect.stringMatching(/^[\w-]{43}$/) as string,
    });
  });

  it('recognises the same account, whatever its name is now', async () => {
    const { account, instance, welcome } = await house.signedUp('cleo');
    house.github.become({ ...account, login: 'cleo-renamed', emails: [] });
    const again = await house.newVisitor().signIn(instance, house.github.agree);
    expect(again.status).toBe(200);
    expect(again.body.profile.id).toBe(welcome.profile.id);
  });

  it('needs no e-mail from a provider that does not give it', async () => {
    house.github.feel('discreet');
    const { welcome, instance } = await house.signedUp('cora');
    expect(welcome.profile).toMatchObject({ firstName: 'Ada', email: '' });
    expect((await house.newVisitor().signIn(instance, house.github.agree)).status).toBe(200);
  });

  it("ends the browser's earlier session", async () => {
    const { visitor, instance } = await house.signedUp('dana');
    const before = visitor.operator;
    expect((await visitor.signIn(instance, house.github.agree)).status).toBe(200);
    expect((await before.get('session')).status).toBe(401);
    expect((await visitor.operator.get('session')).status).toBe(200);
  });

  it('leaves no GitHub name of a forgotten person, not even a former one in an open invitation', async () => {
    const { visitor } = await house.signedUp('ursula');
    const { db } = house.backend;
    const id = `un-${Date.now().toString(36)}`;
    const [first, second] = [`${id}-first`, `${id}-second`];
    await house.invite(visitor, { login: first });
    const account = house.github.become({ login: first, emails: [] });
    const { instance } = (await visitor.operator.get<{ instance: { name: string } }>('session')).body;
    const member = house.newVisitor();
    const { body } = await member.signIn(instance.name, house.github.agree);
    house.github.become({ ...account, login: second });
    expect((await house.newVisitor().signIn(instance.name, house.github.agree)).status).toBe(200);
    await visitor.operator.post('person/remove', { id: body.profile.id });
    for (const login of [first, second]) await house.invite(visitor, { login });
    expect((await tracesOf(db, id)).sort()).toContain('app.invitations');

    expect((await visitor.operator.post('person/forget', { id: body.profile.id })).status).toBe(200);
    expect(await tracesOf(db, id)).toEqual([]);
    expect((await visitor.operator.post('invitation/list')).body).toEqual([]);
  });

  it('does not readmit a removed person without a new invitation', async () => {
    const { visitor, instance } = await house.signedUp('eli');
    await house.invite(visitor, { login: 'former' });
    house.github.become({ login: 'former' });
    const former = house.newVisitor();
    const { body } = await former.signIn(instance, house.github.agree);
    expect((await visitor.operator.post('person/remove', { id: body.profile.id })).status).toBe(200);
    expect((await former.operator.get('session')).status).toBe(401);
    expect(await former.signIn(instance, house.github.agree)).toMatchObject(deniedFor('no-member'));
    await house.invite(visitor, { login: 'former' });
    const again = await former.signIn(instance, house.github.agree);
    expect(again).toMatchObject({ status: 200, body: { profile: { id: body.profile.id } } });
  });

  it('admits nobody who is neither a member nor invited', async () => {
    const { instance } = await house.signedUp('dora');
    house.github.become({ login: 'stranger' });
    const visitor = house.newVisitor();
    expect(await visitor.signIn(instance, house.github.agree)).toMatchObject(deniedFor('no-member'));
    expect((await visitor.operator.get('session')).status).toBe(401);
  });

  it.each([
    ['login', { login: 'Guest-One' }, 'guest-one'],
    ['e-mail', { email: 'Guest-two@example.org' }, 'guest-two'],
  ])('admits a person invited by %s, and recognises them from then on', async (_way, whom, login) => {
    const { instance, visitor } = await house.signedUp(`host-of-${login}`);
    await house.invite(visitor, whom);
    const account = house.github.become({ login });
    const first = await house.newVisitor().signIn(instance, house.github.agree);
    expect(first).toMatchObject({ status: 200, body: { permissions: [], instance: { name: instance } } });
    house.github.become({ ...account, login: 'other-login', emails: [] });
    const logins = async () => {
      const { rows } = await house.backend.db.query<{ login: string }>(
        'select login from app.identities where person = $1',
        [first.body.profile.id],
      );
      return rows.map((row) => row.login);
    };
    expect(await logins()).toEqual([login]);
    const second = await house.newVisitor().signIn(instance, house.github.agree);
    expect(second.body.profile.id).toBe(first.body.profile.id);
    expect(await logins()).toEqual(['other-login']);
  });

  it('admits an invited person even if their account could not be stored the first time', async () => {
    const { instance, visitor } = await house.signedUp('lea');
    await house.invite(visitor, { login: 'unlucky' });
    house.github.become({ login: 'unlucky', emails: [] });
    const unlucky = house.newVisitor();
    const rows = `new.provider = 'github'`;
    const failed = await withoutRoom(house.backend.db, { table: 'app.identities', rows }, () =>
      unlucky.signIn(instance, house.github.agree),
    );
    expect(failed.status).toBe(503);
    const again = await unlucky.signIn(instance, house.github.agree);
    expect(again.status).toBe(200);
    const people = await visitor.operator.post<{ id: string }[]>('person/list');
    expect(people.body.map(({ id }) => id)).toEqual([expect.any(String), again.body.profile.id]);
  });

  it('does not match an unverified e-mail with an invitation', async () => {
    const { instance, visitor } = await house.signedUp('eve-host');
    await house.invite(visitor, { email: 'boss@example.org' });
    const claimed = { email: 'boss@example.org', primary: true, verified: false };
    house.github.become({ login: 'eve', emails: [claimed] });
    expect(await house.newVisitor().signIn(instance, house.github.agree)).toMatchObject(
      deniedFor('no-member'),
    );
    house.github.become({ login: 'boss', emails: [{ ...claimed, verified: true }] });
    expect((await house.newVisitor().signIn(instance, house.github.agree)).status).toBe(200);
  });

  it('accepts the link of an invitation in the process', async () => {
    const { instance, visitor } = await house.signedUp('fay');
    const code = (await house.invite(visitor, {})) ?? '';
    house.github.become({ login: 'gus' });
    const guest = house.newVisitor();
    const params = house.github.agree(await guest.leave(instance));
    params.set('invitation', code);
    expect(await guest.comeBack(params)).toMatchObject({
      status: 200,
      body: { instance: { name: instance } },
    });
    const refused = await operator(house.backend.url).post('auth/invitation', { code, name: 'Gus' });
    expect(refused).toMatchObject(deniedFor('links-off'));
  });

  it('recognises a person whom the operator added by e-mail, until they have an account', async () => {
    await house.backend.signIn({ workspace: 'by hand', email: 'Hal@example.org', role: 'member' });
    house.github.become({ login: 'hal' });
    const first = await house.newVisitor().signIn('by hand', house.github.agree);
    expect(first).toMatchObject({ status: 200, body: { permissions: [] } });
    house.github.become({
      login: 'hal-two',
      emails: [{ email: 'hal@example.org', primary: true, verified: true }],
    });
    expect(await house.newVisitor().signIn('by hand', house.github.agree)).toMatchObject(
      deniedFor('other-provider'),
    );
  });

  it('keeps personal data out of events, answers and logs', async () => {
    const { account, visitor } = await house.signedUp('kim-of-the-yard');
    const { rows } = await house.backend.db.query<{ text: string }>(
      'select data::text || meta::text as text from log.events',
    );
    const told = [...rows.map(({ text }) => text), ...house.backend.logs].join('\n');
    for (const trace of [
      account.login,
      `${account.login}@example.org`,
      String(account.id),
      'Ada Marsh',
      'gho_',
    ])
      expect(told).not.toContain(trace);
    const { rows: kept } = await house.backend.db.query<{ text: string }>(
      'select row_to_json(a)::text as text from app.sign_in_attempts a union all select row_to_json(s)::text from app.sessions s',
    );
    for (const secret of visitor.cookie.split('; ').map((pair) => pair.split('=')[1] ?? ''))
      expect(kept.map(({ text }) => text).join()).not.toContain(secret);
  });

  it('leaves one-time links to the operator’s command line', async () => {
    const byStart = await house.backend.signInLink({ actor: 'system', email: 'start@example.org' });
    const codeOf = (link: string) => new URL(link).searchParams.get('code');
    const nobody = operator(house.backend.url);
    expect(await nobody.post('auth/link', { code: codeOf(byStart) })).toMatchObject(deniedFor('links-off'));
    const byHand = await house.backend.signInLink({ actor: 'cli', email: 'start@example.org' });
    expect((await nobody.post('auth/link', { code: codeOf(byHand) })).status).toBe(200);
  });
});
