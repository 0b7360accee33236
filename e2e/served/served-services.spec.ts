/**
 * The users of a served API sign in with a service: what each of the six does differently, and what may go wrong.
 * covers: API-04
 */
import { issuersOf, oauthServices, type OauthService } from '@quarterdeck/events';
import type { ServedApi } from '../../apps/backend/src/served/served-api';
import {
  startSignInServices,
  type ServiceAccount,
  type SignInServices,
} from '../../testing/sign-in-services';
import { send } from './send';
import { mariadbShop, postgresShop, type ShopDatabase } from './shop';
import { apiOf, INSTANCE, NEIGHBOUR, PASSWORD, TOKEN } from './users-api';

const bearer = (token: unknown) => ({ authorization: `Bearer ${String(token)}` });
const OPTIONS: Partial<Record<OauthService, Record<string, string>>> = {
  apple: { teamId: 'TEAM123456', keyId: 'KEY1234567', page: 'https://www.example.org/signed-in?from=apple' },
  swissid: { issuer: 'https://login.swissid.ch/idp/oauth2' },
};

describe.each([
  ['PostgreSQL', postgresShop],
  ['MariaDB', mariadbShop],
])('on %s', (_, begin) => {
  let database: ShopDatabase;
  let services: SignInServices;
  let api: ServedApi;
  let neighbour: ServedApi;
  let closed: ServedApi;
  let tenant: ServedApi;
  const faults: unknown[] = [];
  let caller = 0;
  let accounts = 100;
  beforeEach(() => {
    caller += 1;
    faults.length = 0;
    services.feel('none');
  });

  beforeAll(async () => {
    [database, services] = await Promise.all([begin(), startSignInServices()]);
    const clientsOf = (more: Record<string, string> = {}) =>
      oauthServices.map((service) => {
        const options = { ...OPTIONS[service], ...(service === 'microsoft' && more) };
        return {
          service,
          clientId: services.clientId,
          secret: service === 'apple' ? services.appleKey : services.secret,
          // Some have a query, and some no slash: services compare texts.
          redirectUrl: service === 'zoho' ? 'https://www.example.org?of=zoho' : 'https://www.example.org',
          options,
          issuers: issuersOf(service, options),
        };
      });
    const calls = { allow: [], gateway: services.url };
    api = apiOf(database, INSTANCE, faults, true, { services: clientsOf(), calls });
    neighbour = apiOf(database, NEIGHBOUR, faults, true, { services: clientsOf(), calls });
    const own = clientsOf({ tenant: '11111111-2222-4333-8444-555555555555' });
    tenant = apiOf(database, 'b2c5f0de-0000-4000-8000-000000000003', faults, true, { services: own, calls });
    const [google, ...others] = clientsOf();
    closed = apiOf(database, 'b2c5f0de-0000-4000-8000-000000000004', faults, true, {
      // Google has no secret here, and Apple one that is none.
      services: [
        ...(google ? [{ ...google, secret: undefined }] : []),
        ...others.map((one) => ({ ...one, secret: 'a secret that is no PEM' })),
      ],
      calls,
    });
  });
  afterAll(async () => {
    await Promise.all([api, neighbour, tenant, closed].map((one) => one?.close()));
    await services?.stop();
    await database?.stop();
  });

  const ask = (
    method: string,
    path: string,
    { body, headers = {} }: { body?: unknown; headers?: Record<string, string> } = {},
    of = api,
  ) =>
    of.use((socket) =>
      send(socket, method, path, { body, headers: { 'x-forwarded-for': `caller ${caller}`, ...headers } }),
    );
  const start = async (service: string, of = api): Promise<{ url: string; key: string }> => {
    const { status, body } = await ask('POST', `/auth/services/${service}`, {}, of);
    expect([status, body]).toEqual([200, { url: expect.any(String), key: expect.any(String) }]);
    return body as never;
  };
  const finish = (
    service: string,
    key: unknown,
    answer: unknown,
    headers: Record<string, string> = bearer(TOKEN),
    of = api,
  ) => ask('PUT', `/auth/services/${service}`, { body: { key, answer: String(answer) }, headers }, of);
  const signIn = async (service: string, headers?: Record<string, string>, of = api) => {
    const { url, key } = await start(service, of);
    return finish(service, key, services.agree(url), headers, of);
  };
  const become = (more: Partial<ServiceAccount> = {}): ServiceAccount => {
    accounts += 1;
    const one = { sub: String(accounts), email: `user-${accounts}@example.org`, ...more };
    services.become(one);
    return one;
  };
  const signUp = async (email: string) => {
    const { body } = await ask('POST', '/auth/sign-up', {
      body: { email, password: PASSWORD },
      headers: bearer(TOKEN),
    });
    return body as unknown as { token: string; user: { id: string } };
  };
  const who = (token: unknown, of = api) => ask('GET', '/auth/me', { headers: bearer(token) }, of);
  const userIn = ({ body }: { body: unknown }) => (body as { user: { id: string; email: string } }).user;

  test.each(oauthServices)('%s: a new user, and the same again', async (service) => {
    const { email } = become();
    const first = await signIn(service);
    expect([first.status, userIn(first)]).toMatchObject([200, { email, permission: 'app', tenant: null }]);
    expect(await who(first.body['token'])).toMatchObject({ status: 200, body: { email } });
    // Nobody needs the token of the instance to come back, and the address may have changed at the service.
    services.become({ sub: String(accounts), email: 'moved@example.org' });
    const again = await signIn(service, {});
    expect([again.status, userIn(again)]).toMatchObject([200, { id: userIn(first).id, email }]);
    expect(faults).toEqual([]);
  });

  test('the address of the service has state, nonce and PKCE, and neither secret nor key', async () => {
    const { url, key } = await start('google');
    const { searchParams } = new URL(url);
    expect([...searchParams.keys()].toSorted()).toEqual([
      'client_id',
      'code_challenge',
      'code_challenge_method',
      'nonce',
      'redirect_uri',
      'response_type',
      'scope',
      'state',
    ]);
    expect(url).not.toContain(key);
    expect(url).not.toContain(services.secret);
    expect((await start('google')).url).not.toBe(url);
  });

  test('an address that the service has not verified opens and makes no account', async () => {
    for (const service of oauthServices) {
      const email = `not-verified-${service}@example.org`;
      const known = await signUp(email);
      // Microsoft says nothing: administrators of any tenant may give any address.
      become({ email, isVerified: false, tid: 'aaaaaaaa-2222-4333-8444-555555555555' });
      expect(await signIn(service)).toMatchObject({
        status: 403,
        body: { message: expect.stringContaining(`${service} has not verified`) },
      });
      expect((await who(known.token)).status).toBe(200);
    }
    const { email: _, ...silent } = become();
    services.become(silent);
    expect(await signIn('google')).toMatchObject({ status: 403 });
  });

  test('an address of Microsoft counts if the tenant owns its domain, or was chosen', async () => {
    const tid = 'aaaaaaaa-2222-4333-8444-555555555555';
    become({ tid, edov: true });
    expect(await signIn('microsoft')).toMatchObject({ status: 200 });
    become({ tid, edov: false });
    expect(await signIn('microsoft')).toMatchObject({ status: 403 });
    become({ tid: '11111111-2222-4333-8444-555555555555' });
    expect(await signIn('microsoft', undefined, tenant)).toMatchObject({ status: 200 });
    become({ tid });
    expect(await signIn('microsoft', undefined, tenant)).toMatchObject({ status: 401 });
  });

  test('a new user needs the token of the instance', async () => {
    become();
    expect(await signIn('google', {})).toMatchObject({
      status: 401,
      body: { message: expect.stringContaining('signing up needs the token of the instance') },
    });
    expect(await signIn('google', bearer('another-token'))).toMatchObject({ status: 401 });
  });

  test('whoever signed up with the address before loses password and sessions', async () => {
    const { email = '' } = become();
    const squatter = await signUp(email);
    const owner = await signIn('google');
    expect(userIn(owner).id).toBe(squatter.user.id);
    expect((await who(squatter.token)).status).toBe(401);
    const withPassword = await ask('POST', '/auth/sign-in', { body: { email, password: PASSWORD } });
    expect(withPassword.status).toBe(401);
    // Once the address is proved, a second service ends nothing.
    services.become({ sub: '7000001', email: email.toUpperCase() });
    const second = await signIn('github');
    expect(userIn(second).id).toBe(squatter.user.id);
    expect((await who(owner.body['token'])).status).toBe(200);
  });

  test('a locked user does not come in, by account or by address', async () => {
    const { email = '' } = become();
    const first = await signIn('google');
    const lock = `update quarterdeck_users set locked_at = '2026-01-01T00:00:00.000Z' where email = '${email}'`;
    await database.query(lock);
    expect((await who(first.body['token'])).status).toBe(401);
    expect(await signIn('google')).toMatchObject({
      status: 403,
      body: { message: 'this account is locked' },
    });
    services.become({ sub: '7000002', email });
    expect(await signIn('zoho')).toMatchObject({ status: 403 });
  });

  test('an account belongs to one instance', async () => {
    become();
    const here = await signIn('google');
    expect(await signIn('google', {}, neighbour)).toMatchObject({ status: 401 });
    expect((await who(here.body['token'], neighbour)).status).toBe(401);
    const { url, key } = await start('google');
    expect(await finish('google', key, services.agree(url), undefined, neighbour)).toMatchObject({
      status: 400,
      body: { fields: { 'body.answer': expect.stringContaining('another sign-in') } },
    });
  });

  test('the answer counts only with the key of the browser that began, and once', async () => {
    become();
    const [mine, theirs] = [await start('google'), await start('google')];
    const answer = services.agree(mine.url);
    const other = { 'body.answer': expect.stringContaining('this answer belongs to another sign-in') };
    expect(await finish('google', theirs.key, answer)).toMatchObject({
      status: 400,
      body: { fields: other },
    });
    expect(await finish('zoho', mine.key, answer)).toMatchObject({ status: 400, body: { fields: other } });
    const swapped = new URLSearchParams(services.agree(theirs.url));
    swapped.set('state', answer.get('state') ?? '');
    expect(await finish('google', mine.key, swapped)).toMatchObject({
      status: 400,
      body: { fields: { 'body.answer': expect.stringContaining('used or too old') } },
    });
    expect((await finish('google', mine.key, `?${answer.toString()}`)).status).toBe(200);
    expect(await finish('google', mine.key, answer)).toMatchObject({
      status: 400,
      body: { fields: { 'body.answer': 'this answer is used or too old: begin the sign-in again' } },
    });
  });

  test.each(oauthServices)('%s: says when a code is too old, or the person said no', async (service) => {
    become();
    const { url, key } = await start(service);
    const answer = services.agree(url);
    services.expire(answer.get('code') ?? '');
    expect(await finish(service, key, answer)).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('used or too old') },
    });
    expect(await finish(service, key, services.refuse(url))).toMatchObject({
      status: 400,
      body: { message: `the sign-in was cancelled at ${service}: begin the sign-in again` },
    });
    expect(faults).toEqual([]);
  });

  test.each([
    'another nonce',
    'another issuer',
    'another audience',
    'a forged signature',
    'an old token',
    'no ID token',
  ] as const)('%s is refused by all with ID tokens', async (trouble) => {
    for (const service of oauthServices.filter((one) => one !== 'github')) {
      become();
      services.feel('none');
      const { url, key } = await start(service);
      services.feel(trouble);
      expect(await finish(service, key, services.agree(url))).toMatchObject({
        status: 401,
        body: { message: `the answer of ${service} cannot be verified: begin the sign-in again` },
      });
    }
    expect(faults.length).toBe(5);
  });

  test.each(['failing', 'hanging up', 'endless', 'a refused client'] as const)(
    '%s: 503 that says when to come back, without a word of what the service said',
    async (trouble) => {
      for (const service of oauthServices) {
        become();
        services.feel('none');
        const { url, key } = await start(service);
        services.feel(trouble);
        const answer = await finish(service, key, services.agree(url));
        expect(answer).toMatchObject({ status: 503, headers: { 'retry-after': expect.any(String) } });
        expect(answer.text).not.toContain('secret details');
        expect(answer.text).not.toContain('127.0.0.1');
      }
    },
  );

  test('what is no JSON is not believed', async () => {
    become();
    services.feel('no JSON');
    expect(await ask('POST', '/auth/services/google')).toMatchObject({ status: 401 });
  });

  test('keys that a service has just changed are used', async () => {
    become();
    expect((await signIn('google')).status).toBe(200);
    services.rotate();
    expect((await signIn('google')).status).toBe(200);
  });

  test('Zoho may name the accounts server of the region, and no other address gets the secret', async () => {
    become({ region: 'accounts.zoho.eu' });
    expect((await signIn('zoho')).status).toBe(200);
    become({ region: 'accounts.zoho.eu' });
    const { url, key } = await start('zoho');
    const answer = services.agree(url);
    for (const evil of [
      'https://evil.example.org',
      'https://accounts.zoho.eu.evil.org',
      'http://accounts.zoho.eu',
    ]) {
      answer.set('accounts-server', evil);
      services.calls.length = 0;
      expect(await finish('zoho', key, answer)).toMatchObject({
        status: 400,
        body: { fields: { 'body.answer': 'the accounts-server is none of zoho' } },
      });
      expect(services.calls).toEqual([]);
    }
  });

  test('the form of Apple leads to the page of the application', async () => {
    const { email } = become();
    const { url, key } = await start('apple');
    const form = services.agree(url);
    form.set('user', '{"name":{"firstName":"Ada"}}');
    const sent = await ask('POST', '/auth/services/apple/callback', {
      body: form.toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin: 'https://appleid.apple.com' },
    });
    expect([sent.status, sent.text]).toEqual([303, '']);
    const page = new URL(String(sent.headers['location']));
    expect([page.origin + page.pathname, [...page.searchParams.keys()]]).toEqual([
      'https://www.example.org/signed-in',
      ['from', 'code', 'state'],
    ]);
    expect(userIn(await finish('apple', key, page.search))).toMatchObject({ email });
    expect(await ask('POST', '/auth/services/apple/callback', { body: '{}' })).toMatchObject({
      status: 400,
      body: { fields: { 'content-type': expect.stringContaining('form') } },
    });
    expect(await ask('POST', '/auth/services/google/callback')).toMatchObject({ status: 404 });
  });

  test.each<[string, unknown, string]>([
    ['no fields', [], 'body'],
    ['another field', { key: `k_${'x'.repeat(43)}`, answer: '?', code: 'x' }, 'body.code'],
    ['no key', { answer: '?code=1' }, 'body.key'],
    ['a key of another form', { key: 'k_1', answer: '?code=1' }, 'body.key'],
    ['no answer', { key: `k_${'x'.repeat(43)}` }, 'body.answer'],
    ['an answer that is too long', { key: `k_${'x'.repeat(43)}`, answer: 'x'.repeat(9000) }, 'body.answer'],
    ['an answer without a state', { key: `k_${'x'.repeat(43)}`, answer: 'code=1' }, 'body.answer'],
  ])('%s: names the field', async (_case, body, field) => {
    const answer = await ask('PUT', '/auth/services/google', { body });
    expect([answer.status, Object.keys(answer.body['fields'] as object)]).toEqual([400, [field]]);
  });

  test('says which services there are not', async () => {
    for (const [service, of] of [
      ['facebook', api],
      ['google', closed],
    ] as const)
      expect(await ask('POST', `/auth/services/${service}`, {}, of)).toMatchObject({
        status: 404,
        body: { message: `this API has no sign-in with ${service}` },
      });
    expect(await ask('GET', '/auth/services/google')).toMatchObject({ status: 404 });
    expect(await ask('POST', '/auth/services/apple', {}, closed)).toMatchObject({ status: 503 });
    expect(JSON.stringify(faults)).toContain('the secret is not the text of a .p8 file');
    expect(JSON.stringify(faults)).not.toContain('no PEM');
  });

  test('two browsers at once make one user', async () => {
    become();
    const begun = await Promise.all([1, 2, 3, 4].map(() => start('github')));
    const answers = await Promise.all(
      begun.map(({ url, key }) => finish('github', key, services.agree(url))),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(new Set(answers.map((one) => userIn(one).id)).size).toBe(1);
  });

  test('attempts of one address are limited', async () => {
    let answer = await ask('POST', '/auth/services/github');
    for (let count = 0; count < 40 && answer.status === 200; count += 1)
      answer = await ask('POST', '/auth/services/github');
    expect(answer).toMatchObject({ status: 429, headers: { 'retry-after': expect.any(String) } });
  });
});
