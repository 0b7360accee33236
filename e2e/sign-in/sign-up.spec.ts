/**
 * SIGN_UP: who may make a workspace by signing in.
 *
 * covers: AUTH-02, AUTH-03
 */
import { startBackend, type RunningBackend } from '../../testing/backend';
import { freePort } from '../../testing/free-port';
import { startGitHubSignIn, type GitHubAccount, type GitHubSignIn } from '../../testing/github-sign-in';
import { startOpenIdProvider, type OpenIdPeer } from '../../testing/openid-provider';
import { operator } from '../../testing/operator';
import { startTestPostgres, type TestPostgres } from '../../testing/postgres';
import { deniedFor } from './github-house';
import { Visitor } from './visitor';

let postgres: TestPostgres;
let github: GitHubSignIn;
let google: OpenIdPeer;
let [listed, closed]: RunningBackend[] = [];
let names = 0;
const newName = () => `yard-${(names += 1)}`;

beforeAll(async () => {
  postgres = await startTestPostgres();
  github = await startGitHubSignIn();
  const start = async (SIGN_UP: string, more: (url: string) => Promise<Record<string, string>>) => {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const env = { ...github.env, ...(await more(url)), SIGN_UP, PORT: String(port), PUBLIC_URL: url };
    return startBackend({ databaseUrl: postgres.url, env });
  };
  listed = await start('example.org, github:acme', async (url) => {
    google = await startOpenIdProvider(`${url}/sso/google/redirect`);
    return google.env;
  });
  closed = await start('nobody', () => Promise.resolve({}));
});
afterAll(async () => {
  await listed?.close();
  await closed?.close();
  await github?.stop();
  await google?.stop();
  await postgres?.stop();
});

const email = (address: string, primary = true, verified = true) => ({ email: address, primary, verified });
const existing = (name: string, at: RunningBackend) =>
  operator(at.url).get(`auth/instance/exists?instance=${name}`);

const signUp = async (account: Omit<Partial<GitHubAccount>, 'login'>) => {
  github.become({ login: 'ivy', emails: [email('ivy@example.com')], ...account });
  const instance = newName();
  const answer = await new Visitor(listed!.url).signIn(instance, github.agree);
  return { answer, instance };
};

describe('a list of domains and organisations lets somebody make a workspace', () => {
  it.each<[string, Omit<Partial<GitHubAccount>, 'login'>]>([
    ['by their e-mail', { emails: [email('ivy@example.org')] }],
    ['by another verified e-mail', { emails: [email('ivy@example.com'), email('Ivy@Example.org', false)] }],
    ['as an active member of the organisation', { memberships: { acme: 'active' } }],
  ])('%s', async (_how, account) => {
    const { answer, instance } = await signUp(account);
    expect(answer).toMatchObject({
      status: 200,
      body: { instance: { name: instance }, permissions: ['admin'] },
    });
  });

  it.each<[string, Omit<Partial<GitHubAccount>, 'login'>]>([
    ['with an e-mail elsewhere', {}],
    ['with an e-mail that GitHub has not verified', { emails: [email('ivy@example.org', true, false)] }],
    ['with an e-mail at a subdomain', { emails: [email('ivy@mail.example.org')] }],
    ['who is only invited to the organisation', { memberships: { acme: 'pending' } }],
    ['whose organisation hides from OAuth apps', { memberships: { acme: 'restricted' } }],
    ['in another organisation', { memberships: { other: 'active' } }],
  ])('but nobody %s', async (_who, account) => {
    const { answer, instance } = await signUp(account);
    expect(answer).toMatchObject(deniedFor('no-sign-up'));
    expect(answer.headers.getSetCookie()).toEqual([]);
    expect((await existing(instance, listed!)).status).toBe(404);
  });

  it.each([
    ['a verified e-mail at Google', 'eve@example.org', true, 200],
    ['an unverified e-mail at Google', 'mallory@example.org', false, 401],
    ['a verified e-mail elsewhere', 'mallory@example.com', true, 401],
  ])('%s: %s, verified %s, is answered with %i', async (_what, address, email_verified, status) => {
    google.become({ sub: address + String(email_verified), name: 'Eve', email: address, email_verified });
    const visitor = new Visitor(listed!.url, 'google');
    expect((await visitor.signIn(newName(), google.agree)).status).toBe(status);
  });

  it('and only they grant that GitHub tells their organisations', async () => {
    const { instance } = await signUp({ memberships: { acme: 'active' } });
    const scopeOf = async (name: string) =>
      new URL(await new Visitor(listed!.url).leave(name)).searchParams.get('scope');
    expect(await scopeOf(newName())).toBe('read:user user:email read:org');
    expect(await scopeOf(instance)).toBe('read:user user:email');
    const before = github.calls.length;
    // The account is recognised, without a look at its organisations.
    expect((await new Visitor(listed!.url).signIn(instance, github.agree)).status).toBe(200);
    expect(github.calls.slice(before).filter((call) => call.includes('memberships'))).toEqual([]);
  });
});

it('nobody makes a workspace where SIGN_UP says so, and people still come into existing ones', async () => {
  const instance = newName();
  const visitor = new Visitor(closed!.url);
  const answer = await visitor.get(`auth/sso/github/url?instance=${instance}`);
  expect(answer).toMatchObject({
    status: 403,
    body: { msg: expect.stringContaining('ask an administrator of an existing one') as string },
  });
  await closed!.signInLink({ workspace: instance });
  expect((await visitor.get(`auth/sso/github/url?instance=${instance}`)).status).toBe(200);
});

it('a start with a provider and without SIGN_UP warns that anybody can make a workspace', async () => {
  const backend = await startBackend({ databaseUrl: postgres.url, env: github.env });
  await backend.close();
  const warned = ({ logs }: RunningBackend) => logs.some((line) => line.includes('SIGN_UP is not set'));
  expect([warned(backend), warned(listed!), warned(closed!)]).toEqual([true, false, false]);
});
