/**
 * The users of a served API over real databases: sign-up, sign-in, sessions, permissions, and locks.
 * covers: API-04
 */
import { createHash } from 'node:crypto';
import { driftOf, leftAlone, modelFrom, structureOf } from '@quarterdeck/data-model';
import { Connections } from '../../apps/backend/src/served/child/connections';
import { Passwords } from '../../apps/backend/src/served/child/passwords';
import { UserStore } from '../../apps/backend/src/served/child/user-store';
import { openTarget } from '../../apps/backend/src/databases/connections.program';
import type { ServedApi } from '../../apps/backend/src/served/served-api';
import { until } from '../../testing/patience';
import { readStructure } from '../data-model/read-structure';
import { send } from './send';
import { mariadbShop, postgresShop, shop, type ShopDatabase } from './shop';
import { apiOf, codes, INSTANCE, NEIGHBOUR, PASSWORD, TOKEN } from './users-api';

const bearer = (token: unknown) => ({ authorization: `Bearer ${String(token)}` });

describe.each([
  ['PostgreSQL', postgresShop],
  ['MariaDB', mariadbShop],
])('on %s', (_, begin) => {
  let database: ShopDatabase;
  let api: ServedApi;
  let neighbour: ServedApi;
  const faults: unknown[] = [];
  /** Each test is a caller of its own, so none uses up the attempts of another. */
  let caller = 0;
  beforeEach(() => (caller += 1));

  const ask = (
    method: string,
    path: string,
    { body, headers = {} }: { body?: unknown; headers?: Record<string, string> } = {},
    of = api,
  ) =>
    of.use((socket) =>
      send(socket, method, path, {
        body,
        headers: { 'x-forwarded-for': `caller ${caller}`, ...headers },
      }),
    );
  const signUp = (email: string, of = api) =>
    ask('POST', '/auth/sign-up', { body: { email, password: PASSWORD }, headers: bearer(TOKEN) }, of);
  const signIn = (email: unknown, password: unknown, of = api) =>
    ask('POST', '/auth/sign-in', { body: { email, password } }, of);
  const newUser = async (email: string): Promise<{ id: string; token: string }> => {
    const { body } = await signUp(email);
    return { id: (body['user'] as { id: string }).id, token: String(body['token']) };
  };
  const structure = async () => {
    const target = await openTarget(database.access, { connectMs: 10_000, lockMs: 10_000 });
    try {
      return await readStructure(target);
    } finally {
      await target.end();
    }
  };

  beforeAll(async () => {
    database = await begin();
    await database.query(
      `insert into customer (name, email) values ('Ada', 'ada@example.org'), ('Bob', 'bob@example.org')`,
    );
    api = apiOf(database, INSTANCE, faults);
    neighbour = apiOf(database, NEIGHBOUR, faults, false);
  });
  afterAll(async () => {
    await api?.close();
    await neighbour?.close();
    await database?.stop();
  });

  test('has no tables as long as nobody signs up, and none of them is a difference or an import', async () => {
    const before = await structure();
    expect(await signIn('ada@example.org', PASSWORD)).toMatchObject({ status: 401 });
    expect(await ask('GET', '/who', { headers: bearer(`u_${'x'.repeat(43)}`) })).toMatchObject({
      status: 401,
    });
    expect(await structure()).toEqual(before);

    // Two at once: only one of them can make the tables.
    expect(
      await Promise.all([signUp('ada@example.org'), signUp('ada@example.org', neighbour)]),
    ).toMatchObject([{ status: 201 }, { status: 201 }]);
    const after = await structure();
    expect(driftOf(structureOf(shop), after)).toEqual(driftOf(structureOf(shop), before));
    expect(
      modelFrom(after, () => '1')
        .model.entities.map(({ name }) => name)
        .toSorted(),
    ).toEqual(
      modelFrom(before, () => '1')
        .model.entities.map(({ name }) => name)
        .toSorted(),
    );
    expect(
      leftAlone(after)
        .filter((one) => !leftAlone(before).includes(one))
        .toSorted(),
    ).toEqual([
      'The table quarterdeck_user_identities, which belongs to the users of the generated API, is left alone.',
      'The table quarterdeck_user_resets, which belongs to the users of the generated API, is left alone.',
      'The table quarterdeck_user_sessions, which belongs to the users of the generated API, is left alone.',
      'The table quarterdeck_users, which belongs to the users of the generated API, is left alone.',
    ]);
  });

  test('who signs up gets a session, and blocks and snippets know them', async () => {
    const added = await signUp(' Bob@Example.org ');
    expect(added).toMatchObject({
      status: 201,
      body: {
        token: expect.stringMatching(/^u_[\w-]{43}$/),
        expiresAt: expect.stringMatching(/^\d{4}-.*Z$/),
        user: { email: 'bob@example.org', permission: 'app', tenant: null },
      },
    });
    const headers = bearer(added.body['token']);
    expect(await ask('GET', '/mine', { headers })).toMatchObject({ status: 200, body: [{ name: 'Bob' }] });
    const { id } = added.body['user'] as { id: string };
    expect(await ask('GET', '/who', { headers })).toMatchObject({
      body: { id, email: 'bob@example.org', permission: 'app' },
    });
    expect(await ask('GET', '/auth/me', { headers })).toMatchObject({
      status: 200,
      body: { id, email: 'bob@example.org', addedAt: expect.any(String) },
    });
    expect(await ask('GET', '/admin', { headers })).toMatchObject({ status: 403 });
    expect(await ask('GET', '/who', { headers: bearer(TOKEN) })).toMatchObject({ body: { id: 'app' } });
  });

  test('stores no password and no token', async () => {
    const { token } = await newUser('cleo@example.org');
    const [users, sessions] = await Promise.all(
      ['quarterdeck_users', 'quarterdeck_user_sessions'].map((table) =>
        database.query(`select * from ${table}`),
      ),
    );
    expect(users?.map((row) => row['password_hash'])).toEqual(
      users?.map(() => expect.stringMatching(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)),
    );
    const text = JSON.stringify([users, sessions]);
    expect(text).not.toContain(PASSWORD);
    expect(text).not.toContain(token);
    expect(text).toContain(createHash('sha256').update(token).digest('hex'));
  });

  test('says the same of a wrong password and an unknown address', async () => {
    await newUser('dan@example.org');
    const [wrong, unknown] = [
      await signIn('dan@example.org', 'not the password'),
      await signIn('nobody@example.org', PASSWORD),
    ];
    expect(wrong.status).toBe(401);
    expect([unknown.status, unknown.text]).toEqual([wrong.status, wrong.text]);
    expect(await signIn('DAN@example.org', PASSWORD)).toMatchObject({ status: 200 });
    // Of another instance in the same database.
    expect(await signIn('dan@example.org', PASSWORD, neighbour)).toMatchObject({ status: 401 });
  });

  test('a session ends when its user signs out, when its time is over, and in no other instance does it begin', async () => {
    const { token } = await newUser('eve@example.org');
    const again = await signIn('eve@example.org', PASSWORD);
    const headers = bearer(token);
    expect(await ask('GET', '/who', { headers }, neighbour)).toMatchObject({ status: 401 });
    expect(await ask('POST', '/auth/sign-out', { headers })).toMatchObject({ status: 204, text: '' });
    expect(await ask('GET', '/who', { headers })).toMatchObject({ status: 401 });
    expect(await ask('GET', '/who', { headers: bearer(again.body['token']) })).toMatchObject({ status: 200 });
    await database.query(
      `update quarterdeck_user_sessions set expires_at = '2020-01-01T00:00:00.000Z' where token_hash = '${createHash(
        'sha256',
      )
        .update(String(again.body['token']))
        .digest('hex')}'`,
    );
    expect(await ask('GET', '/who', { headers: bearer(again.body['token']) })).toMatchObject({ status: 401 });
  });

  test('a new password ends the other sessions, and needs the present one', async () => {
    const { token } = await newUser('fay@example.org');
    const other = (await signIn('fay@example.org', PASSWORD)).body['token'];
    const headers = bearer(token);
    const change = (password: string, newPassword: string) =>
      ask('PUT', '/auth/password', { headers, body: { password, newPassword } });
    expect(await change('not the password', 'another password')).toMatchObject({
      status: 400,
      body: { fields: { 'body.password': expect.any(String) } },
    });
    expect(await change(PASSWORD, 'short')).toMatchObject({
      status: 400,
      body: { fields: { 'body.newPassword': expect.stringMatching(/10 to 200/) } },
    });
    expect(await change(PASSWORD, 'another password')).toMatchObject({ status: 204 });
    expect(await ask('GET', '/who', { headers })).toMatchObject({ status: 200 });
    expect(await ask('GET', '/who', { headers: bearer(other) })).toMatchObject({ status: 401 });
    expect(await signIn('fay@example.org', PASSWORD)).toMatchObject({ status: 401 });
    expect(await signIn('fay@example.org', 'another password')).toMatchObject({ status: 200 });
  });

  test('a user has at most 20 sessions: the oldest ends', async () => {
    const { id, token } = await newUser('gus@example.org');
    const text = (at: number) =>
      `('${String(at).padStart(64, '0')}', '${id}', '2030-01-01', '2999-01-01T00:00:00.000Z')`;
    await database.query(
      `insert into quarterdeck_user_sessions (token_hash, user_id, added_at, expires_at) values ${Array.from(
        { length: 19 },
        (__, at) => text(at),
      ).join(', ')}`,
    );
    expect(await ask('GET', '/who', { headers: bearer(token) })).toMatchObject({ status: 200 });
    expect(await signIn('gus@example.org', PASSWORD)).toMatchObject({ status: 200 });
    expect(await ask('GET', '/who', { headers: bearer(token) })).toMatchObject({ status: 401 });
    expect(
      await database.query(`select token_hash from quarterdeck_user_sessions where user_id = '${id}'`),
    ).toHaveLength(20);
  });

  test.each<[string, object, number, string]>([
    ['no JSON object', { body: [1] }, 400, 'body'],
    ['no address', { body: { email: 'ada', password: PASSWORD } }, 400, 'body.email'],
    ['an address that is no text', { body: { email: { $gt: '' }, password: PASSWORD } }, 400, 'body.email'],
    ['a lone surrogate', { body: { email: 'a\ud800@example.org', password: PASSWORD } }, 400, 'body.email'],
    ['a short password', { body: { email: 'h@example.org', password: 'short' } }, 400, 'body.password'],
    [
      'a long password',
      { body: { email: 'h@example.org', password: 'x'.repeat(201) } },
      400,
      'body.password',
    ],
    ['a password that is no text', { body: { email: 'h@example.org', password: 1 } }, 400, 'body.password'],
    [
      'an unknown field',
      { body: { email: 'h@example.org', password: PASSWORD, permission: 'superadmin' } },
      400,
      'body.permission',
    ],
    [
      'an address that is taken',
      { body: { email: 'ada@example.org', password: PASSWORD } },
      409,
      'body.email',
    ],
  ])('a sign-up refuses %s', async (_what, given, status, field) => {
    const answer = await ask('POST', '/auth/sign-up', { ...given, headers: bearer(TOKEN) });
    expect(answer).toMatchObject({ status, body: { fields: { [field]: expect.any(String) } } });
    expect(answer.text).not.toMatch(/select|insert into|\.js:|\.ts:|constraint|quarterdeck_/i);
  });

  test('a sign-up needs the token of the instance, and /auth has no other paths', async () => {
    const body = { email: 'ivy@example.org', password: PASSWORD };
    const { token } = await newUser('ida@example.org');
    for (const headers of [{}, bearer('another-token'), bearer(token)])
      expect(await ask('POST', '/auth/sign-up', { body, headers })).toMatchObject({ status: 401 });
    for (const [method, path] of [
      ['POST', '/auth/nothing'],
      ['GET', '/auth'],
    ] as const)
      expect(await ask(method, path, { headers: bearer(TOKEN) })).toMatchObject({ status: 404 });
    expect(api.problems).toEqual({ taken: expect.stringMatching(/\/auth/) });
  });

  test('accepts only some attempts of an address, and only some for an account', async () => {
    await newUser('jon@example.org');
    let answer = await signIn('jon@example.org', 'not the password');
    let attempts = 1;
    for (; answer.status === 401; attempts += 1) {
      caller += 1;
      answer = await signIn('jon@example.org', 'not the password');
    }
    expect(answer).toMatchObject({ status: 429, headers: { 'retry-after': expect.stringMatching(/^\d+$/) } });
    expect(await signIn('ada@example.org', PASSWORD)).toMatchObject({ status: 200 });
    let at = 0;
    do answer = await signIn(`nobody${(at += 1)}@example.org`, PASSWORD);
    while (answer.status === 401);
    expect(answer).toMatchObject({ status: 429, headers: { 'retry-after': expect.stringMatching(/^\d+$/) } });
    expect(await ask('GET', '/who', { headers: bearer(TOKEN) })).toMatchObject({ status: 200 });
  });

  test('permission, tenant and lock of a row count from the next request on', async () => {
    const { id, token } = await newUser('kim@example.org');
    const headers = bearer(token);
    await database.query(
      `update quarterdeck_users set permission = 'superadmin', tenant = '7' where id = '${id}'`,
    );
    expect(await ask('GET', '/who', { headers })).toMatchObject({
      body: { permission: 'superadmin', tenant: '7' },
    });
    expect(await ask('GET', '/admin', { headers })).toMatchObject({ status: 200 });
    await database.query(
      `update quarterdeck_users set locked_at = '2026-01-01T00:00:00.000Z' where id = '${id}'`,
    );
    expect(await ask('GET', '/who', { headers })).toMatchObject({ status: 401 });
    expect(await signIn('kim@example.org', 'not the password')).toMatchObject({ status: 401 });
    expect(await signIn('kim@example.org', PASSWORD)).toMatchObject({
      status: 403,
      body: { message: 'this account is locked' },
    });
    await database.query(`delete from quarterdeck_users where id = '${id}'`);
    expect(await signIn('kim@example.org', PASSWORD)).toMatchObject({ status: 401 });
    expect(faults).toEqual([]);
  });

  describe('a forgotten password', () => {
    const NEXT = 'another long password';
    const askReset = (email: string, of = api) => ask('POST', '/auth/reset', { body: { email } }, of);
    const reset = (token: unknown, newPassword: unknown = NEXT) =>
      ask('PUT', '/auth/reset', { body: { token, newPassword } });
    /** Of the newest e-mail. */
    const codeFor = async (email: string, before = codes.get(email)?.length ?? 0): Promise<string> => {
      expect(await askReset(email)).toMatchObject({ status: 204, text: '' });
      await until(async () => (codes.get(email)?.length ?? 0) > before);
      return codes.get(email)?.at(-1) ?? '';
    };
    const refused = {
      status: 400,
      body: { fields: { 'body.token': expect.stringMatching(/wrong, used or too old/) } },
    };

    test('is replaced with the code of an e-mail, once, and all sessions end', async () => {
      const { token } = await newUser('rita@example.org');
      const code = await codeFor('rita@example.org');
      expect(code).toMatch(/^r_[\w-]{43}$/);
      expect(await reset(code, 'short')).toMatchObject({
        status: 400,
        body: { fields: { 'body.newPassword': expect.stringMatching(/10 to 200/) } },
      });
      expect(await reset(code)).toMatchObject({ status: 204, text: '' });
      expect(await reset(code)).toMatchObject(refused);
      expect(await ask('GET', '/who', { headers: bearer(token) })).toMatchObject({ status: 401 });
      expect(await signIn('rita@example.org', PASSWORD)).toMatchObject({ status: 401 });
      expect(await signIn('rita@example.org', NEXT)).toMatchObject({ status: 200 });
    });

    test('two requests with one code change one password', async () => {
      await newUser('rosa@example.org');
      const code = await codeFor('rosa@example.org');
      const answers = await Promise.all([reset(code), reset(code, `${NEXT}!`)]);
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([204, 400]));
    });

    test('a code is void after the next one, after 30 minutes, in another instance, and of a locked account', async () => {
      const { id } = await newUser('rob@example.org');
      const first = await codeFor('rob@example.org');
      const second = await codeFor('rob@example.org');
      expect(await reset(first)).toMatchObject(refused);
      expect(
        await ask('PUT', '/auth/reset', { body: { token: second, newPassword: NEXT } }, neighbour),
      ).toMatchObject(refused);
      const [row] = await database.query(`select * from quarterdeck_user_resets where user_id = '${id}'`);
      expect(JSON.stringify(row)).not.toContain(second);
      const left = Date.parse(String(row?.['expires_at'])) - Date.now();
      expect(left).toBeGreaterThan(0);
      expect(left).toBeLessThanOrEqual(30 * 60_000);
      const lock = (at: string) =>
        database.query(`update quarterdeck_users set locked_at = ${at} where id = '${id}'`);
      await lock(`'2026-01-01T00:00:00.000Z'`);
      expect(await reset(second)).toMatchObject(refused);
      await lock('null');
      await database.query(
        `update quarterdeck_user_resets set expires_at = '2020-01-01T00:00:00.000Z' where user_id = '${id}'`,
      );
      expect(await reset(second)).toMatchObject(refused);
      for (const token of ['', 'u_1', 7, null, { $gt: '' }])
        expect(await reset(token)).toMatchObject(refused);
    });

    test('the answer is the same for an unknown address and a locked account, and few are accepted', async () => {
      const { id } = await newUser('rolf@example.org');
      await database.query(
        `update quarterdeck_users set locked_at = '2026-01-01T00:00:00.000Z' where id = '${id}'`,
      );
      for (const email of ['rolf@example.org', 'nobody-at-all@example.org']) {
        const answers = [await askReset(email), await askReset(email), await askReset(email)];
        expect(answers.map(({ status }) => status)).toEqual([204, 204, 429]);
        expect(answers[2]?.headers).toMatchObject({ 'retry-after': expect.stringMatching(/^\d+$/) });
      }
      // One that is sent is sent after those that were asked for before.
      await newUser('rudi@example.org');
      await codeFor('rudi@example.org');
      expect([codes.get('rolf@example.org'), codes.get('nobody-at-all@example.org')]).toEqual([
        undefined,
        undefined,
      ]);
      expect(await askReset('ada')).toMatchObject({ status: 400 });
    });

    test('is told that there is no mail server, whoever asks', async () => {
      for (const email of ['ada@example.org', 'nobody@example.org'])
        expect(await askReset(email, neighbour)).toMatchObject({
          status: 503,
          body: { message: 'this API cannot send e-mails: it has no mail server' },
        });
      expect(faults).toEqual([]);
    });
  });

  describe('operators', () => {
    let connections: Connections;
    let store: UserStore;
    /** Events that were recorded. */
    let recorded: unknown[];
    const record = async (what: unknown = 'a change') => void recorded.push(what);
    beforeAll(() => {
      connections = new Connections(database.access);
      store = new UserStore(connections, INSTANCE);
    });
    beforeEach(() => (recorded = []));
    afterAll(() => connections?.close());

    test('list users by e-mail address, search for any character, and go on after the last one', async () => {
      const { id } = await newUser('list_1@example.org');
      for (const email of ['list11@example.org', 'list%1@example.org']) await newUser(email);
      const emails = async (...asked: [string, string, number]) =>
        (await store.list(...asked)).map(({ email }) => email);
      expect(await store.list('LIST_', '', 10)).toEqual([
        {
          id,
          email: 'list_1@example.org',
          permission: 'app',
          tenant: null,
          addedAt: expect.any(String),
          signedInAt: expect.any(String),
          lockedAt: null,
          sessions: 1,
        },
      ]);
      const all = await emails('@example.org', '', 200);
      expect(all).toEqual(expect.arrayContaining(['list%1@example.org', 'list11@example.org']));
      expect(await emails('@example.org', all[1] ?? '', 2)).toEqual(all.slice(2, 4));
      expect(await emails('list%', '', 10)).toEqual(['list%1@example.org']);
      expect(await emails(`' or 1 = 1 --`, '', 10)).toEqual([]);
    });

    test('lock a user, which ends their sessions, and unlock them; what is so already is not recorded', async () => {
      const { id, token } = await newUser('lea@example.org');
      const who = () => ask('GET', '/who', { headers: bearer(token) });
      expect(await store.change(id, { is: 'lock' }, record)).toBe(true);
      expect(await store.change(id, { is: 'lock' }, record)).toBe(true);
      expect(recorded).toHaveLength(1);
      expect((await who()).status).toBe(401);
      expect(await signIn('lea@example.org', PASSWORD)).toMatchObject({ status: 403 });
      for (const is of ['unlock', 'unlock'] as const) await store.change(id, { is }, record);
      expect(recorded).toHaveLength(2);
      // A session of before does not come back.
      expect((await who()).status).toBe(401);
      expect(await signIn('lea@example.org', PASSWORD)).toMatchObject({ status: 200 });
    });

    test('sign a user out everywhere, give another permission, and delete them', async () => {
      const { id, token } = await newUser('mia@example.org');
      const signedIn = async () => bearer((await signIn('mia@example.org', PASSWORD)).body['token']);
      await store.change(id, { is: 'permit', permission: 'admin' }, record);
      await store.change(id, { is: 'permit', permission: 'admin' }, record);
      expect(await ask('GET', '/admin', { headers: bearer(token) })).toMatchObject({ status: 200 });
      await store.change(id, { is: 'signOut' }, record);
      await store.change(id, { is: 'signOut' }, record);
      expect(await ask('GET', '/who', { headers: bearer(token) })).toMatchObject({ status: 401 });
      const headers = await signedIn();
      await store.change(id, { is: 'delete' }, record);
      expect(recorded).toHaveLength(3);
      expect(await ask('GET', '/who', { headers })).toMatchObject({ status: 401 });
      expect(await signIn('mia@example.org', PASSWORD)).toMatchObject({ status: 401 });
      expect(await store.change(id, { is: 'delete' }, record)).toBe(false);
      expect(recorded).toHaveLength(3);
    });

    test('change nothing that cannot be recorded, and nobody of another instance', async () => {
      const { id, token } = await newUser('nia@example.org');
      const failing = () => Promise.reject(new Error('the log is away'));
      for (const change of [
        { is: 'lock' },
        { is: 'signOut' },
        { is: 'delete' },
        { is: 'permit', permission: 'superadmin' },
      ] as const)
        await expect(store.change(id, change, failing)).rejects.toThrow('the log is away');
      await expect(store.deleteAll(failing)).rejects.toThrow('the log is away');
      const others = new UserStore(connections, NEIGHBOUR);
      expect(await others.change(id, { is: 'delete' }, record)).toBe(false);
      expect(await ask('GET', '/who', { headers: bearer(token) })).toMatchObject({
        status: 200,
        body: { permission: 'app' },
      });
      expect(recorded).toEqual([]);
    });

    test('delete all users of an instance, and none of another', async () => {
      const before = (await store.list('', '', 200)).length;
      await store.deleteAll(record);
      await store.deleteAll(record);
      expect(recorded).toEqual([before]);
      expect(await store.list('', '', 200)).toEqual([]);
      expect(await signIn('ada@example.org', PASSWORD, neighbour)).toMatchObject({ status: 200 });
    });
  });
});

test('two hashes are made at once, 50 wait, and the rest is refused', async () => {
  const passwords = new Passwords();
  const known = await passwords.hash(PASSWORD);
  const all = await Promise.allSettled(Array.from({ length: 60 }, () => passwords.isRight(PASSWORD, known)));
  const refused = all.filter((one) => one.status === 'rejected').map(({ reason }) => reason as unknown);
  expect(refused).toHaveLength(8);
  expect(refused[0]).toMatchObject({ status: 503, more: { retryAfter: 2 } });
  expect(all.slice(0, 52)).toEqual(Array.from({ length: 52 }, () => ({ status: 'fulfilled', value: true })));
  // All have left.
  expect(await passwords.isRight('another password', known)).toBe(false);
  expect(await passwords.isRight(PASSWORD, undefined)).toBe(false);
});
