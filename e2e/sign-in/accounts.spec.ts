/** covers: AUTH-03, AUTH-07 */
import type { AccountView, SignInProvider } from '@quarterdeck/events';
import { startBackend, type RunningBackend } from '../../testing/backend';
import { freePort } from '../../testing/free-port';
import { startGitHubSignIn, type GitHubSignIn } from '../../testing/github-sign-in';
import { startOpenIdProvider, type OpenIdPeer } from '../../testing/openid-provider';
import type { Operator } from '../../testing/operator';
import { startTestPostgres, type TestPostgres } from '../../testing/postgres';
import { Visitor } from './visitor';

let postgres: TestPostgres;
let github: GitHubSignIn;
let openId: OpenIdPeer;
let backend: RunningBackend;

beforeAll(async () => {
  postgres = await startTestPostgres();
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  github = await startGitHubSignIn(`${url}/sso/github/redirect`);
  openId = await startOpenIdProvider(`${url}/sso/google/redirect`);
  const env = { ...github.env, ...openId.env, PORT: String(port), PUBLIC_URL: url };
  backend = await startBackend({ databaseUrl: postgres.url, env });
});
afterAll(async () => {
  await backend?.close();
  await openId?.stop();
  await github?.stop();
  await postgres?.stop();
});

let people = 0;
const agreeAt = {
  github: (address: string) => github.agree(address),
  google: (address: string) => openId.agree(address),
};

/** A person with an account at both providers, as whom the browser acts from now on. */
const somebody = () => {
  const name = `sam-${(people += 1)}`;
  const account = github.become({ login: name });
  const sit = (): void => {
    github.become(account);
    openId.become({ sub: `sub-of-${name}`, name, email: `${name}@example.net`, email_verified: true });
  };
  sit();
  return { name, sit };
};

/** A person who has signed up to a new workspace. */
const signedUp = async (provider: SignInProvider = 'github') => {
  const { name, sit } = somebody();
  const visitor = new Visitor(backend.url, provider);
  const welcome = await visitor.signIn(`shed-of-${name}`, agreeAt[provider]);
  expect(welcome.status).toBe(200);
  return {
    name,
    sit,
    visitor,
    who: visitor.operator,
    id: welcome.body.profile.id,
    instance: `shed-of-${name}`,
  };
};

/** A member of that workspace who signs in with GitHub. */
const joined = async (host: { who: Operator; instance: string }) => {
  const { name, sit } = somebody();
  const invited = await host.who.post('invitation/insert', { role: 'member', via: 'github', login: name });
  expect(invited.status).toBe(200);
  const visitor = new Visitor(backend.url);
  expect((await visitor.signIn(host.instance, agreeAt.github)).status).toBe(200);
  return { name, sit, who: visitor.operator };
};

const leave = async (who: Operator, provider: SignInProvider): Promise<string> => {
  const { status, body } = await who.post<{ url: string }>('account/connect', { provider });
  expect([status, body.url]).toEqual([200, expect.any(String)]);
  return body.url;
};
const comeBack = (who: Operator, provider: SignInProvider, params: URLSearchParams) => {
  const told = ['state', 'code', 'iss', 'error'].flatMap((name) => {
    const value = params.get(name);
    return value === null ? [] : [[name, value]];
  });
  return who.post<{ msg?: string }>('account/connected', { provider, ...Object.fromEntries(told) });
};
const connect = async (who: Operator, provider: SignInProvider) =>
  comeBack(who, provider, await agreeAt[provider](await leave(who, provider)));
const disconnect = (who: Operator, provider: SignInProvider) => who.post('account/disconnect', { provider });
const accountsOf = async (who: Operator) =>
  (await who.post<AccountView[]>('account/list')).body.map(({ provider }) => provider);
const eventsOf = async (id: string) =>
  (await backend.resources.store.readStream(`person-${id}`)).filter(({ type }) => type.startsWith('Account'));

describe('another account', () => {
  it.each([
    ['github', 'google'],
    ['google', 'github'],
  ] as const)(
    'is connected to that of %s: signing in with %s leads to the same person from then on',
    async (first, second) => {
      const { who, id, instance } = await signedUp(first);
      expect(await accountsOf(who)).toEqual([first]);
      const before = await new Visitor(backend.url, second).signIn(instance, agreeAt[second]);
      expect(before.status).toBe(401);
      expect((await connect(who, second)).status).toBe(200);
      expect(await accountsOf(who)).toEqual([first, second]);
      for (const provider of [first, second]) {
        const again = await new Visitor(backend.url, provider).signIn(instance, agreeAt[provider]);
        expect([again.status, again.body.profile.id]).toEqual([200, id]);
      }
      expect(await eventsOf(id)).toMatchObject([
        { type: 'AccountConnected', data: { provider: second }, meta: { actor: id } },
      ]);
      expect((await who.get('session')).status).toBe(200);
    },
  );

  it('is requested with state, PKCE and the one redirect address', async () => {
    const { who } = await signedUp();
    const asked = new URL(await leave(who, 'google')).searchParams;
    expect(Object.fromEntries(asked)).toMatchObject({
      response_type: 'code',
      redirect_uri: `${backend.url}/sso/google/redirect`,
      code_challenge_method: 'S256',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/) as string,
      state: expect.stringMatching(/^[\w-]{43}$/) as string,
      nonce: expect.stringMatching(/^[\w-]{43}$/) as string,
    });
  });

  it('that is connected already records nothing, and there is one per provider', async () => {
    const { who, id } = await signedUp();
    await connect(who, 'google');
    expect((await connect(who, 'google')).status).toBe(200);
    somebody();
    expect(await connect(who, 'google')).toMatchObject({
      status: 409,
      body: { msg: 'you have connected another Google account: disconnect it first' },
    });
    expect(await eventsOf(id)).toHaveLength(1);
  });

  it('must not belong to another member of the workspace, who is not named; other workspaces do not count', async () => {
    const ada = await signedUp();
    await connect(ada.who, 'google');
    const bob = await joined(ada);
    ada.sit();
    const refused = await connect(bob.who, 'google');
    expect(refused).toMatchObject({
      status: 409,
      body: { msg: 'this Google account belongs to somebody else in this workspace' },
    });
    expect(JSON.stringify(refused.body)).not.toContain(ada.id);
    expect(await accountsOf(bob.who)).toEqual(['github']);
    const elsewhere = await signedUp();
    ada.sit();
    expect((await connect(elsewhere.who, 'google')).status).toBe(200);
    const back = await new Visitor(backend.url, 'google').signIn(ada.instance, agreeAt.google);
    expect(back.body.profile.id).toBe(ada.id);
  });

  it('is connected to only one of two people who connect it at once', async () => {
    const ada = await signedUp();
    const [bob, cleo] = [await joined(ada), await joined(ada)];
    for (let round = 0; round < 4; round++) {
      somebody();
      const returns = [];
      for (const { who } of [bob, cleo])
        returns.push({ who, params: await openId.agree(await leave(who, 'google')) });
      const answers = await Promise.all(returns.map(({ who, params }) => comeBack(who, 'google', params)));
      expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 409]);
      for (const { who } of [bob, cleo]) expect((await disconnect(who, 'google')).status).toBe(200);
    }
  });

  it('may belong to a person who has left', async () => {
    const ada = await signedUp();
    const bob = await joined(ada);
    await connect(bob.who, 'google');
    const { body } = await bob.who.get<{ profile: { id: string } }>('session');
    await ada.who.post('person/remove', { id: body.profile.id });
    expect((await connect(ada.who, 'google')).status).toBe(200);
  });
});

describe('nothing is connected', () => {
  const again = { status: 422, body: { msg: expect.stringContaining('start again') as string } };

  it('with a state that was used, was never issued, or belongs to another session or to a sign-in', async () => {
    const { who, visitor, instance, id } = await signedUp();
    const params = await openId.agree(await leave(who, 'google'));
    const elsewhere = new Visitor(backend.url);
    await elsewhere.signIn(instance, agreeAt.github);
    expect(await comeBack(elsewhere.operator, 'google', params)).toMatchObject(again);
    const stranger = await signedUp();
    expect(await comeBack(stranger.who, 'google', params)).toMatchObject(again);
    expect((await visitor.comeBack(params, 'google')).status).toBe(401);
    expect(await comeBack(who, 'github', params)).toMatchObject(again);
    expect((await comeBack(who, 'google', params)).status).toBe(200);
    expect(await comeBack(who, 'google', params)).toMatchObject(again);
    const signingIn = await openId.agree(await new Visitor(backend.url, 'google').leave(instance));
    expect(await comeBack(who, 'google', signingIn)).toMatchObject(again);
    const guess = new URLSearchParams({ state: 'A'.repeat(43), code: 'guess' });
    expect(await comeBack(who, 'google', guess)).toMatchObject(again);
    expect(await eventsOf(id)).toHaveLength(1);
    expect((await who.get('session')).status).toBe(200);
  });

  it('for somebody who did not agree, is not signed in, or has been removed meanwhile', async () => {
    const ada = await signedUp();
    const refused = await openId.refuse(await leave(ada.who, 'google'));
    expect(await comeBack(ada.who, 'google', refused)).toMatchObject({
      status: 422,
      body: { msg: 'you did not give your consent at Google', code: 'refused' },
    });
    const bob = await joined(ada);
    const params = await openId.agree(await leave(bob.who, 'google'));
    const { body } = await bob.who.get<{ profile: { id: string } }>('session');
    await ada.who.post('person/remove', { id: body.profile.id });
    expect((await comeBack(bob.who, 'google', params)).status).toBe(401);
    expect(await eventsOf(body.profile.id)).toEqual([]);
  });

  it('if another issuer vouches for the account', async () => {
    const { who } = await signedUp();
    const params = await openId.agree(await leave(who, 'google'));
    params.set('iss', 'https://evil.example.org');
    expect((await comeBack(who, 'google', params)).status).toBe(502);
    expect(await accountsOf(who)).toEqual(['github']);
  });
});

describe('a disconnected account', () => {
  it('cannot sign in any more, and can be connected again', async () => {
    const { who, id, instance } = await signedUp();
    await connect(who, 'google');
    expect((await disconnect(who, 'google')).status).toBe(200);
    expect((await disconnect(who, 'google')).status).toBe(200);
    expect(await accountsOf(who)).toEqual(['github']);
    expect((await new Visitor(backend.url, 'google').signIn(instance, agreeAt.google)).status).toBe(401);
    expect((await connect(who, 'google')).status).toBe(200);
    expect((await eventsOf(id)).map(({ type }) => type)).toEqual([
      'AccountConnected',
      'AccountDisconnected',
      'AccountConnected',
    ]);
  });

  it('is never the last one, even if both are disconnected at once', async () => {
    const { who, instance } = await signedUp();
    const last = { status: 409, body: { msg: expect.stringContaining('the last account') as string } };
    expect(await disconnect(who, 'github')).toMatchObject(last);
    for (let round = 0; round < 4; round++) {
      for (const provider of ['github', 'google'] as const) await connect(who, provider);
      const answers = await Promise.all([disconnect(who, 'github'), disconnect(who, 'google')]);
      expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 409]);
      const [left, ...others] = await accountsOf(who);
      expect(others).toEqual([]);
      const provider = left ?? 'github';
      expect((await new Visitor(backend.url, provider).signIn(instance, agreeAt[provider])).status).toBe(200);
    }
  });
});

it('accounts are in no event and no log line', async () => {
  const { name, who } = await signedUp();
  await connect(who, 'google');
  await disconnect(who, 'google');
  const { rows } = await backend.db.query<{ text: string }>(
    'select data::text || meta::text as text from log.events',
  );
  const told = [...rows.map(({ text }) => text), ...backend.logs].join('\n');
  for (const trace of [`sub-of-${name}`, `${name}@example.net`]) expect(told).not.toContain(trace);
});
