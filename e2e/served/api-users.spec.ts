/**
 * Operators manage the users of a served API, whose rows are in the product's database. covers: API-04
 */
import type { ApiUsers } from '@quarterdeck/contract';
import type { HistoryView } from '@quarterdeck/projections';
import { v7 as uuidv7 } from 'uuid';
import { until } from '../../testing/patience';
import { closeInboxes, inbox } from '../mails/inbox';
import { json, openServedShop, type ServedShop } from './served-shop';

const PASSWORD = 'correct horse battery';

let served: ServedShop;
let { ask, send, alice, instance, token, product, shop, world } = {} as ServedShop;

beforeAll(async () => {
  served = await openServedShop();
  ({ ask, send, alice, instance, token, product, shop, world } = served);
});
afterAll(async () => {
  await closeInboxes();
  await served?.end();
});

const of = (id: string) => ({ instance: { uuid: id } });
const list = (more: object = {}) => ask<ApiUsers>('product/backend/user/list', { ...of(instance), ...more });
const signIn = (email: string) => send('/auth/sign-in', json({ email, password: PASSWORD }));
const signedUp = async (email: string): Promise<{ id: string; authorization: string }> => {
  const made = await send(
    '/auth/sign-up',
    json({ email, password: PASSWORD }, { authorization: `Bearer ${token}` }),
  );
  const { token: session, user } = made.body as { token: string; user: { id: string } };
  return { id: user.id, authorization: `Bearer ${session}` };
};
const me = async (authorization: string): Promise<number> =>
  (await send('/auth/me', { headers: { authorization } })).status;
const change = (what: string, user: string, more: object = {}) =>
  alice.post(`product/backend/user/${what}`, { ...of(instance), user: { uuid: user }, ...more });
const eventsOf = async (id: string): Promise<HistoryView[]> =>
  (
    await ask<{ events: HistoryView[] }>('history/list', { subject: { category: 'apiInstance', id } })
  ).events.toReversed();

test('an API without users has an empty list, and its database gets no table by it', async () => {
  expect(await list()).toEqual({ users: [] });
  const { rows } = await shop.query(`select to_regclass('quarterdeck_users') as found`);
  expect(rows).toEqual([{ found: null }]);
});

test('users are listed page by page, and found by a part of their address', async () => {
  for (const name of ['carl', 'ada', 'bob']) await signedUp(`${name}@example.org`);
  const first = await list({ limit: 2 });
  expect(first).toMatchObject({
    users: [
      { email: 'ada@example.org', permission: 'app', tenant: null, lockedAt: null, sessions: 1 },
      { email: 'bob@example.org' },
    ],
    next: 'bob@example.org',
  });
  expect(JSON.stringify(first)).not.toMatch(/argon|hash/i);
  expect(await list({ limit: 2, after: first.next })).toEqual({
    users: [expect.objectContaining({ email: 'carl@example.org' })],
  });
  expect((await list({ search: 'ARL' })).users).toMatchObject([{ email: 'carl@example.org' }]);
  expect(await alice.post('product/backend/user/list', { ...of(instance), limit: 201 })).toMatchObject({
    status: 400,
    body: { data: { limit: expect.stringMatching(/200/) } },
  });
});

test('a lock, a permission, a sign-out and a deletion count at once, and are recorded without the address', async () => {
  const before = (await eventsOf(instance)).length;
  const { id, authorization } = await signedUp('dora@example.org');
  expect(await change('permission', id, { permission: 'admin' })).toMatchObject({
    status: 200,
    body: { id, uuid: id },
  });
  expect((await list({ search: 'dora' })).users).toMatchObject([{ permission: 'admin' }]);
  expect(await me(authorization)).toBe(200);
  expect((await change('sign-out', id)).status).toBe(200);
  expect(await me(authorization)).toBe(401);
  expect((await change('lock', id, { isLocked: true })).status).toBe(200);
  expect((await list({ search: 'dora' })).users).toMatchObject([
    { lockedAt: expect.any(String), sessions: 0 },
  ]);
  expect((await signIn('dora@example.org')).status).toBe(403);
  expect((await change('lock', id, { isLocked: true })).status).toBe(200);
  expect((await change('lock', id, { isLocked: false })).status).toBe(200);
  expect((await signIn('dora@example.org')).status).toBe(200);
  expect((await change('delete', id)).status).toBe(200);
  expect((await signIn('dora@example.org')).status).toBe(401);
  expect(await change('delete', id)).toMatchObject({ status: 404, body: { msg: 'user could not be found' } });
  const events = (await eventsOf(instance)).slice(before);
  expect(events.map(({ type }) => type)).toEqual([
    'ApiInstanceUserPermitted',
    'ApiInstanceUserSignedOut',
    'ApiInstanceUserLocked',
    'ApiInstanceUserUnlocked',
    'ApiInstanceUserDeleted',
  ]);
  expect(events.map(({ data }) => data)).toEqual(events.map(() => expect.objectContaining({ user: id })));
  expect(JSON.stringify(events)).not.toContain('dora@');
});

test('a permission that does not exist is refused, and nobody changes users of another workspace', async () => {
  const { id, authorization } = await signedUp('eve@example.org');
  expect(await change('permission', id, { permission: 'root' })).toMatchObject({
    status: 400,
    body: { data: { permission: expect.any(String) } },
  });
  const bob = await world.backend.signIn({ workspace: 'others', role: 'admin', email: 'bob@example.org' });
  const member = await world.backend.signIn({
    workspace: 'served',
    role: 'member',
    email: 'mia@example.org',
  });
  for (const [path, more] of [
    ['user/list', {}],
    ['user/lock', { user: { uuid: id }, isLocked: true }],
    ['user/sign-out', { user: { uuid: id } }],
    ['user/permission', { user: { uuid: id }, permission: 'superadmin' }],
    ['user/delete', { user: { uuid: id } }],
  ] as const) {
    const body = { ...of(instance), ...more };
    expect(await bob.post(`product/backend/${path}`, body)).toMatchObject({
      status: 404,
      body: { msg: 'instance could not be found' },
    });
    expect((await member.post(`product/backend/${path}`, body)).status).toBe(403);
  }
  expect(await me(authorization)).toBe(200);
});

test('a forgotten password is replaced with a code that comes by e-mail, which is stored nowhere', async () => {
  const { authorization } = await signedUp('gina@example.org');
  const asked = () => send('/auth/reset', json({ email: 'gina@example.org' }));
  expect(await asked()).toMatchObject({
    status: 503,
    body: { message: 'this API cannot send e-mails: it has no mail server' },
  });
  const at = await inbox();
  await ask('workspace/mail-server', {
    server: { host: '127.0.0.1', port: at.port, security: 'none' },
  });
  expect((await asked()).status).toBe(204);
  await until(async () => at.got.length > 0);
  const [mail] = at.got;
  expect(mail?.to).toEqual(['gina@example.org']);
  for (const line of [
    'From: grace@example.org',
    'To: gina@example.org',
    'Subject: A new password for Shop API',
  ])
    expect(mail?.raw.split('\r\n')).toContain(line);
  const [code = ''] = /^r_[\w-]{43}$/m.exec(mail?.raw.replaceAll('\r', '') ?? '') ?? [];
  const changed = await send('/auth/reset', {
    ...json({ token: code, newPassword: 'another long password' }),
    method: 'PUT',
  });
  expect(changed.status).toBe(204);
  expect(await me(authorization)).toBe(401);
  expect((await signIn('gina@example.org')).status).toBe(401);
  const { rows } = await world.backend.db.query<{ count: string }>('select count(*) from app.emails');
  expect(rows).toEqual([{ count: '0' }]);
});

describe('an instance of its own', () => {
  const newInstance = async (env: number): Promise<string> => {
    const { uuid } = await ask<{ uuid: string }>('product/backend/init', {
      productId: product,
      email: 'grace@example.org',
      github: 'grace',
      firstName: 'Grace',
      lastName: 'Hopper',
      instance: `shop-${uuidv7()}`,
      title: 'Shop API',
      env,
    });
    await world.backend.caughtUp();
    return uuid;
  };
  /** A row as a sign-up makes it. */
  const userOf = async (id: string): Promise<void> =>
    void (await shop.query(
      `insert into quarterdeck_users (id, instance, email, permission, added_at) values ($1, $2, $3, 'app', '2026-11-29T12:00:00.000Z')`,
      [uuidv7(), id, 'fay@example.org'],
    ));
  const usersIn = async (id: string): Promise<number> => {
    const { rows } = await shop.query<{ users: string }>(
      'select count(*) as users from quarterdeck_users where instance = $1',
      [id],
    );
    return Number(rows[0]?.users);
  };
  const remove = (id: string, more: object = {}) =>
    alice.post<{ msg?: string }>('product/backend/delete', { productId: product, ...of(id), ...more });

  test('takes its users with it when it is deleted, and no others', async () => {
    const id = await newInstance(1);
    await userOf(id);
    const others = await usersIn(instance);
    expect(await remove(id, { name: 'another name' })).toMatchObject({ status: 400 });
    expect(await usersIn(id)).toBe(1);
    expect((await remove(id)).status).toBe(200);
    expect(await usersIn(id)).toBe(0);
    expect(await usersIn(instance)).toBe(others);
    expect(others).toBeGreaterThan(0);
    expect((await eventsOf(id)).map(({ type }) => type)).toEqual([
      'ApiInstanceInitialized',
      'ApiInstanceUsersDeleted',
      'ApiInstanceRemoved',
    ]);
  });

  test('stays as it is while its database is away, unless the rows are left there', async () => {
    await served.added('database', {
      data: {
        name: 'shop',
        host: '127.0.0.1',
        // Nobody listens there.
        port: 1,
        username: 'shop',
        password: 'a password',
        env: { id: 2 },
        dbType: 2,
        certificate: '',
        encryption: 'none',
      },
      product: { id: product },
    });
    const id = await newInstance(2);
    for (const answer of [await alice.post('product/backend/user/list', of(id)), await remove(id)])
      expect(answer).toMatchObject({
        status: 502,
        body: {
          msg: expect.stringMatching(
            /^the database of this API cannot be reached: Nothing listens at 127\.0\.0\.1 port 1/,
          ),
        },
      });
    expect((await eventsOf(id)).map(({ type }) => type)).toEqual(['ApiInstanceInitialized']);
    expect((await remove(id, { leaveUsers: true })).status).toBe(200);
    expect((await eventsOf(id)).map(({ type }) => type)).toEqual([
      'ApiInstanceInitialized',
      'ApiInstanceUsersLeft',
      'ApiInstanceRemoved',
    ]);
  });

  test('without a database says so, and is deleted', async () => {
    const id = await newInstance(3);
    expect(await alice.post('product/backend/user/list', of(id))).toMatchObject({
      status: 409,
      body: { msg: 'this API has no database: add one for its environment to the product' },
    });
    expect((await remove(id)).status).toBe(200);
    expect((await eventsOf(id)).map(({ type }) => type)).toEqual([
      'ApiInstanceInitialized',
      'ApiInstanceRemoved',
    ]);
  });
});
