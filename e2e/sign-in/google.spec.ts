/** covers: AUTH-03, AUTH-04 */
import { OAuth2Server, type MutableResponse, type MutableToken } from 'oauth2-mock-server';
import { startBackend, type RunningBackend } from '../../testing/backend';
import { freePort } from '../../testing/free-port';
import { startGitHubSignIn, type GitHubSignIn } from '../../testing/github-sign-in';
import { startOpenIdProvider, type OpenIdPeer } from '../../testing/openid-provider';
import { startTestPostgres, type TestPostgres } from '../../testing/postgres';
import { Visitor } from './visitor';

let postgres: TestPostgres;
beforeAll(async () => {
  postgres = await startTestPostgres();
});
afterAll(() => postgres.stop());

const backendWith = async (envFor: (callback: string) => Promise<Record<string, string>>) => {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const env = { ...(await envFor(`${url}/sso/google/redirect`)), PORT: String(port), PUBLIC_URL: url };
  return startBackend({ databaseUrl: postgres.url, env });
};

const deniedFor = (reason: string) => ({
  status: 401,
  body: { msg: 'Access Denied! Wrong access credentials.', code: reason },
});

describe('signing in with a strict OpenID Connect provider', () => {
  let openId: OpenIdPeer;
  let github: GitHubSignIn;
  let backend: RunningBackend;

  beforeAll(async () => {
    github = await startGitHubSignIn();
    backend = await backendWith(async (callback) => {
      openId = await startOpenIdProvider(callback);
      return { ...openId.env, ...github.env };
    });
  });
  afterAll(async () => {
    await backend?.close();
    await openId?.stop();
    await github?.stop();
  });

  const byGoogle = () => new Visitor(backend.url, 'google');
  let accounts = 0;
  const become = (account: { name?: string; email?: string; email_verified?: boolean } = {}) => {
    const sub = `sub-${(accounts += 1)}`;
    const email = `${sub}@example.org`;
    openId.become({ sub, name: 'Grace Harbour', email, email_verified: true, ...account });
    return { sub, email, instance: `dock-${accounts}` };
  };

  it('creates a workspace, and recognises the account again', async () => {
    const { email, instance } = become();
    const first = await byGoogle().signIn(instance, openId.agree);
    expect(first).toMatchObject({
      status: 200,
      body: {
        profile: { firstName: 'Grace', lastName: 'Harbour', email },
        permissions: ['admin'],
        instance: { name: instance },
      },
    });
    const again = await byGoogle().signIn(instance, openId.agree);
    expect(again.body.profile.id).toBe(first.body.profile.id);
  });

  it('offers both providers, the source host first', async () => {
    const answer = await byGoogle().operator.get('auth/providers');
    expect(answer.body).toEqual([
      { name: 'github', label: 'GitHub' },
      { name: 'google', label: 'Google' },
    ]);
  });

  it('does not match accounts by e-mail, even if it is invited', async () => {
    const { email, instance } = become();
    const owner = byGoogle();
    const known = await owner.signIn(instance, openId.agree);
    github.become({ login: 'grace', emails: [{ email, primary: true, verified: true }] });
    const byGitHub = () => new Visitor(backend.url).signIn(instance, github.agree);
    expect(await byGitHub()).toMatchObject(deniedFor('other-provider'));
    const invitation = { role: 'member', via: 'github', login: 'grace' };
    expect((await owner.operator.post('invitation/insert', invitation)).status).toBe(200);
    expect(await byGitHub()).toMatchObject(deniedFor('other-provider'));
    const again = await byGoogle().signIn(instance, openId.agree);
    expect(again.body.profile.id).toBe(known.body.profile.id);
  });

  it('neither stores nor trusts an unverified e-mail', async () => {
    const { email, instance } = become({ email_verified: false });
    const answer = await byGoogle().signIn(instance, openId.agree);
    expect(answer).toMatchObject({ status: 200, body: { profile: { email: '' } } });
    await backend.signIn({ workspace: 'lighthouse', email });
    expect(await byGoogle().signIn('lighthouse', openId.agree)).toMatchObject(deniedFor('no-member'));
  });

  it('admits nobody who did not agree, or with a used code', async () => {
    const { instance } = become();
    const visitor = byGoogle();
    const refused = await openId.refuse(await visitor.leave(instance));
    expect(await visitor.comeBack(refused)).toMatchObject(deniedFor('refused'));
    const params = await openId.agree(await visitor.leave(instance));
    expect((await visitor.comeBack(params)).status).toBe(200);
    const again = await openId.agree(await visitor.leave(instance));
    again.set('code', params.get('code') ?? '');
    expect(await visitor.comeBack(again)).toMatchObject(deniedFor('expired'));
  });

  it('admits nobody sent by another issuer', async () => {
    const { instance } = become();
    const visitor = byGoogle();
    const params = await openId.agree(await visitor.leave(instance));
    params.set('iss', 'https://evil.example.org');
    expect(await visitor.comeBack(params)).toMatchObject({ status: 502 });
  });

  it('requests the one redirect address that the provider knows', async () => {
    const { instance } = become();
    const address = new URL(await byGoogle().leave(instance));
    expect(address.searchParams.get('redirect_uri')).toBe(`${backend.url}/sso/google/redirect`);
    address.searchParams.set('redirect_uri', `${backend.url}/sso/google/redirect/more`);
    await expect(openId.agree(address.href)).rejects.toThrow('redirect_uri');
  });
});

describe('signing in with a provider that answers wrongly', () => {
  const provider = new OAuth2Server();
  let backend: RunningBackend;

  beforeAll(async () => {
    await provider.issuer.keys.generate('RS256');
    await provider.start(0, '127.0.0.1');
    backend = await backendWith(() =>
      Promise.resolve({
        GOOGLE_CLIENT_ID: 'quarterdeck',
        GOOGLE_CLIENT_SECRET: 'any',
        GOOGLE_ISSUER_URL: provider.issuer.url ?? '',
      }),
    );
  });
  afterAll(async () => {
    await backend?.close();
    if (provider.listening) await provider.stop();
  });
  afterEach(() => {
    provider.service.removeAllListeners();
  });

  const agree = async (address: string): Promise<URLSearchParams> => {
    const answer = await fetch(address, { redirect: 'manual' });
    return new URL(answer.headers.get('location') ?? '').searchParams;
  };
  const attempt = async () => {
    const visitor = new Visitor(backend.url, 'google');
    const answer = await visitor.signIn('pier', agree);
    return { visitor, answer };
  };

  const tokens = (change: (token: MutableToken) => void) => () =>
    provider.service.on('beforeTokenSigning', change);
  const answers = (change: (answer: MutableResponse) => void) => () =>
    provider.service.on('beforeResponse', change);

  const faults: [string, () => unknown][] = [
    ['a nonce of somebody else', tokens(({ payload }) => void (payload.nonce = 'another'))],
    ['an audience that is not this installation', tokens(({ payload }) => void (payload.aud = 'another'))],
    ['another issuer', tokens(({ payload }) => void (payload.iss = 'https://evil.example.org'))],
    ['a token that has expired', tokens(({ payload }) => void (payload.exp = payload.iat - 3600))],
    [
      'a token that was changed after it was signed',
      answers(({ body }) => {
        if (body === '') return;
        const [head, , signature] = String(body.id_token).split('.');
        const forged = Buffer.from(JSON.stringify({ sub: 'admin' })).toString('base64url');
        body.id_token = [head, forged, signature].join('.');
      }),
    ],
    ['no ID token', answers(({ body }) => void (body !== '' && delete body.id_token))],
    ['nothing that can be read', answers((answer) => void (answer.body = ''))],
    ['status 500', answers((answer) => void (answer.statusCode = 500))],
    [
      'a refusal of this installation',
      answers((answer) => Object.assign(answer, { statusCode: 400, body: { error: 'invalid_client' } })),
    ],
  ];

  it.each(faults)('admits nobody after %s, and blames the provider', async (_fault, prepare) => {
    prepare();
    const { visitor, answer } = await attempt();
    expect(answer).toMatchObject({
      status: 502,
      body: { msg: expect.stringContaining('Google') as string },
    });
    expect((await visitor.operator.get('session')).status).toBe(401);
  });

  it('admits a person who returns correctly, and reports when the provider is down', async () => {
    const { answer } = await attempt();
    expect(answer).toMatchObject({ status: 200, body: { permissions: ['admin'] } });
    await provider.stop();
    await backend.close();
    backend = await backendWith(() =>
      Promise.resolve({
        GOOGLE_CLIENT_ID: 'quarterdeck',
        GOOGLE_CLIENT_SECRET: 'any',
        GOOGLE_ISSUER_URL: 'http://127.0.0.1:9',
      }),
    );
    const down = await new Visitor(backend.url, 'google').get('auth/sso/google/url?instance=pier');
    expect(down).toMatchObject({
      status: 502,
      body: { msg: '127.0.0.1:9 refused the connection', code: 'ECONNREFUSED' },
    });
  });
});
