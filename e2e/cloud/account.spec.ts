/** The token of a workspace: personal or by OAuth, refreshed, refused and revoked. covers: CLOUD-01, CLOUD-05 */
import type { CloudAccountView } from '@quarterdeck/projections';
import { CloudAccounts } from '../../apps/backend/src/cloud';
import type { DigitalOceanMood } from '../../testing/digitalocean';
import { CHANGES, connect, type Ground, openGround } from './ground';

interface State {
  exists: boolean;
  account?: CloudAccountView;
  canSignIn: boolean;
  problem?: string;
}

let ground: Ground;
beforeAll(async () => {
  ground = await openGround();
});
afterAll(() => ground?.end());
afterEach(() => {
  ground.cloud.feel({ is: 'well' });
  expect(ground.cloud.undescribed.splice(0)).toEqual([]);
});

const state = async (): Promise<State> => (await ground.ada.get<State>('digitalocean/token/exists')).body;
const signedIn = async (): Promise<string> => {
  const { body } = await ground.ada.get<{ url: string }>('digitalocean/url', CHANGES);
  const back = ground.cloud.oauth.agree(body.url);
  const input = Object.fromEntries(back);
  expect((await ground.ada.post('digitalocean/redirect', input)).status).toBe(200);
  return [...ground.cloud.oauth.tokens.keys()].at(-1) ?? '';
};
const refresh = () => ground.ada.post<{ problem?: string; seenAt?: string }>('digitalocean/refresh', {});

test('without a token the lists are empty, and what needs one says what to do', async () => {
  expect(await state()).toMatchObject({ exists: false, canSignIn: true });
  expect((await ground.ada.get('digitalocean/droplet/list')).body).toEqual([]);
  const create = await ground.ada.post('digitalocean/droplet/create', { name: 'web-1' });
  expect(create).toMatchObject({ status: 422, body: { msg: expect.stringContaining('not connected') } });
  expect((await refresh()).status).toBe(422);
});

test('a personal token is checked before it is stored, and a wrong one is named', async () => {
  const wrong = await ground.ada.post('digitalocean/token/update', { token: 'dop_v1_wrong' });
  expect(wrong).toMatchObject({
    status: 400,
    body: { data: { token: expect.stringContaining('not accept') } },
  });
  await connect(ground);
  expect(await state()).toMatchObject({ exists: true, account: { by: 'token', team: 'Example team' } });
  expect(JSON.stringify(await state())).not.toContain(ground.cloud.token);
});

test('a personal token is not revoked at the provider, and that is said', async () => {
  const { body } = await ground.ada.post('digitalocean/token/delete', {});
  expect(body).toMatchObject({ revoked: false, reason: expect.stringContaining('personal token') });
  expect(await state()).toMatchObject({ exists: false });
  expect(ground.cloud.oauth.tokens.has(ground.cloud.token)).toBe(true);
});

test('the answer of the provider connects the account once, and only in the session that asked', async () => {
  const { body } = await ground.ada.get<{ url: string }>('digitalocean/url', CHANGES);
  const input = Object.fromEntries(ground.cloud.oauth.agree(body.url));
  const bob = await ground.world.backend.signIn({ email: 'bob@example.org', role: 'admin' });
  expect((await bob.post('digitalocean/redirect', input)).status).toBe(422);
  expect((await ground.ada.post('digitalocean/redirect', input)).status).toBe(200);
  expect((await ground.ada.post('digitalocean/redirect', input)).status).toBe(422);
  expect(await state()).toMatchObject({ exists: true, account: { by: 'oauth', scopes: ['read', 'write'] } });
});

test('an expired token is refreshed once by two processes at the same time', async () => {
  const token = await signedIn();
  const held = ground.cloud.oauth.tokens.get(token);
  if (held) held.isExpired = true;
  const other = await ground.another();
  const { account } = await state();
  ground.cloud.calls.length = 0;
  const providers = await Promise.all(
    [ground.world.backend, other].map(({ app }) =>
      app.get(CloudAccounts, { strict: false }).provider(account?.workspace ?? ''),
    ),
  );
  const teams = await Promise.all(providers.map((one) => one.account()));
  expect(teams).toEqual([{ team: 'Example team' }, { team: 'Example team' }]);
  expect(ground.cloud.calls.filter((call) => call === 'POST /v1/oauth/token')).toHaveLength(1);
  expect((await state()).account?.refused).toBeUndefined();
});

test('a refresh that ends before the token is stored goes on with what is stored', async () => {
  const { db } = ground.world.backend;
  // The refresh token is stored first, and has no fingerprint.
  await db.query(`
    create function app.refuse_token() returns trigger language plpgsql as $$ begin raise 'the disk is full'; end $$;
    create trigger refuse_token before insert on app.vault for each row
      when (new.kind = 'digitalocean-token' and new.fingerprint is not null) execute function app.refuse_token()`);
  for (const held of ground.cloud.oauth.tokens.values()) held.isExpired = held.refresh !== undefined;
  const failed = await refresh();
  await db.query('drop trigger refuse_token on app.vault; drop function app.refuse_token()');
  expect(failed.status).toBe(500);
  const again = await refresh();
  expect(again).toMatchObject({ status: 200 });
  expect(again.body.problem).toBeUndefined();
  expect((await state()).account?.refused).toBeUndefined();
});

test('a token that the provider has revoked is told, and nothing here is deleted by that', async () => {
  ground.cloud.account.addDroplet({ name: 'stays' });
  expect((await refresh()).body.problem).toBeUndefined();
  ground.cloud.oauth.tokens.clear();
  expect((await refresh()).body.problem).toContain('does not accept the token');
  expect((await state()).account?.refused).toContain('connect the account again');
  const { body } = await ground.ada.get<{ name: string }[]>('digitalocean/droplet/list');
  expect(body.map(({ name }) => name)).toEqual(['stays']);
  const create = await ground.ada.post('digitalocean/droplet/create', { name: 'web-1' });
  expect(create).toMatchObject({ status: 422, body: { code: 'tokenRefused' } });
  // Connected again: what failed before was about the other token.
  expect((await state()).problem).toContain('does not accept the token');
  ground.cloud.oauth.tokens.set(ground.cloud.token, { scopes: ['read', 'write'] });
  await connect(ground);
  expect(await state()).not.toHaveProperty('problem');
  expect((await state()).account).not.toHaveProperty('refused');
});

test('a call that the provider refuses by mistake is made again, and nothing is recorded', async () => {
  const before = (await state()).account?.revision;
  ground.cloud.feel({ is: 'failing', status: 401 }, 'GET /v2/droplets', 1);
  expect((await refresh()).body.problem).toBeUndefined();
  expect((await state()).account?.revision).toBe(before);
  // If its second answer is lost, nobody knows yet whether the token is refused.
  ground.cloud.feel({ is: 'failing', status: 401 }, 'GET /v2/d');
  ground.cloud.loses = (call) => call === 'GET /v2/account';
  const lost = await refresh();
  delete ground.cloud.loses;
  expect(lost.body.problem).toContain('closed the connection');
  expect((await state()).account?.revision).toBe(before);
});

test('a token that the provider refused for a while is accepted again without an operator', async () => {
  ground.cloud.feel({ is: 'failing', status: 401 });
  expect((await refresh()).body.problem).toContain('does not accept the token');
  expect((await state()).account?.refused).toContain('connect the account again');
  const { length } = ground.cloud.calls;
  expect((await refresh()).body.problem).toContain('does not accept the token');
  expect(ground.cloud.calls.slice(length).filter((call) => call !== 'GET /v2/account')).toEqual([]);
  ground.cloud.feel({ is: 'well' });
  expect((await refresh()).body.problem).toBeUndefined();
  const { account } = await state();
  expect(account).not.toHaveProperty('refused');
  const { body } = await ground.ada.post<{ events: { type: string }[] }>('history/list', {
    subject: { category: 'cloudaccount', id: account?.id },
  });
  expect(body.events.slice(0, 2).map(({ type }) => type)).toEqual([
    'CloudTokenAccepted',
    'CloudTokenRefused',
  ]);
});

test.each<[DigitalOceanMood, string]>([
  [{ is: 'failing', status: 503 }, 'answered with status 503'],
  [{ is: 'losing' }, 'closed the connection'],
  [{ is: 'hanging' }, 'did not answer within 0.3 seconds'],
])('a provider that is %p is told in words, until the lists are read again', async (mood, words) => {
  const { patience } = ground.world.backend.app.get(CloudAccounts, { strict: false });
  const { callMs } = patience;
  if (mood.is === 'hanging') patience.callMs = 300;
  ground.cloud.feel(mood);
  const failed = await refresh();
  patience.callMs = callMs;
  expect(failed).toMatchObject({ status: 200, body: { problem: expect.stringContaining(words) } });
  expect((await state()).problem).toContain(words);
  ground.cloud.feel({ is: 'well' });
  expect((await refresh()).body.problem).toBeUndefined();
  expect(await state()).not.toHaveProperty('problem');
});

test('a token by OAuth is revoked at the provider when the account is disconnected', async () => {
  const token = await signedIn();
  expect(ground.cloud.oauth.tokens.has(token)).toBe(true);
  expect((await ground.ada.post('digitalocean/token/delete', {})).body).toEqual({ revoked: true });
  expect(ground.cloud.oauth.tokens.has(token)).toBe(false);
});
