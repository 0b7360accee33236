/**
 * An API is downloaded as a folder, and served from there without the console. covers: API-02, API-04
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { Agent, request } from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { buildBackend } from '../../testing/backend-process';
import { freePort } from '../../testing/free-port';
import { until } from '../../testing/patience';
import { startSignInServices, type SignInServices } from '../../testing/sign-in-services';
import { json, openServedShop, type ServedShop } from './served-shop';
import { startStandalone, type StandaloneServer } from './standalone-server';

const ACCOUNT = { email: 'ada@example.org', password: 'correct horse battery' };
/** Those that the door and the folder have to share. */
const HEADERS = [
  'content-type',
  'x-content-type-options',
  'content-security-policy',
  'cross-origin-resource-policy',
  'access-control-allow-origin',
  'access-control-allow-methods',
  'access-control-allow-headers',
  'cache-control',
  'www-authenticate',
];
const RETRY = { 'retry-after': expect.stringMatching(/^\d+$/) };

let services: SignInServices;
let served: ServedShop;
let folder: string;
let archive: Buffer;
let environment: Record<string, string>;
let server: StandaloneServer;
let bearer: { authorization: string };

const sent = async (url: string, given: RequestInit = {}) => {
  const answer = await fetch(url, given);
  const text = await answer.text();
  return { status: answer.status, headers: Object.fromEntries(answer.headers), text };
};
/** Again while a snippet is too slow: it has 200 ms, which a busy machine may need to begin it. */
const inTime = async <T extends { status: number; text: string }>(ask: () => Promise<T>): Promise<T> => {
  let answer = await ask();
  await until(async () => {
    const isLate = answer.status === 503 && answer.text.includes('snippet');
    if (isLate) answer = await ask();
    return !isLate;
  });
  return answer;
};
const body = (answer: { text: string }): Record<string, unknown> =>
  JSON.parse(answer.text) as Record<string, unknown>;
const oneLine = (text: string): string => text.trim().replaceAll('\n', ' ');
const filesBelow = (place: string): string[] =>
  fs
    .readdirSync(place, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
const definition = () =>
  JSON.parse(fs.readFileSync(path.join(folder, 'definition.json'), 'utf8')) as {
    description: { position: string; requestsPerMinute: number };
  };

/** A copy whose API accepts fewer requests in a minute. */
const withLimit = (requestsPerMinute: number): string => {
  const copy = fs.mkdtempSync(path.join(path.dirname(folder), 'limited-'));
  fs.cpSync(folder, copy, { recursive: true });
  const { description, ...more } = definition();
  fs.writeFileSync(
    path.join(copy, 'definition.json'),
    JSON.stringify({ ...more, description: { ...description, requestsPerMinute } }),
  );
  return copy;
};

const download = async (instance: string, cookie: string) => {
  const { url } = served.world.backend;
  return fetch(`${url}/api/product/backend/standalone/${instance}`, { headers: { cookie } });
};

beforeAll(async () => {
  await buildBackend();
  services = await startSignInServices();
  served = await openServedShop({ SIGN_IN_GATEWAY: services.url });
  const { added, endpointOf, ask, alice, instance, token, shop } = served;
  bearer = { authorization: `Bearer ${token}` };
  for (const data of [
    {
      method: 'POST',
      path: '/customers',
      statusOut: 201,
      permissions: ['app'],
      blocks: [{ type: 'insert', entity: 'Customer', data: { name: { $: 'body.name' } } }],
    },
    {
      method: 'GET',
      path: '/customers',
      blocks: [{ type: 'list', entity: 'Customer', take: { $: 'query.take', default: 25 } }],
    },
    { method: 'GET', path: '/admin', permissions: ['admin'], blocks: [{ type: 'list', entity: 'Customer' }] },
    {
      method: 'GET',
      path: '/names',
      blocks: [
        {
          type: 'snippet',
          ts: `const rows = await call('list', { entity: 'Customer' }) as { name: string }[];
               return { names: rows.map(({ name }) => name), who: user?.email ?? null };`,
        },
      ],
    },
  ])
    await added('product/backend/endpoint', endpointOf(data));
  await ask('product/backend/info/update', {
    uuid: instance,
    data: {
      oAuthParams: [
        {
          service: 'google',
          clientId: services.clientId,
          secret: services.secret,
          redirectUrl: 'https://shop.example.org',
        },
        {
          service: 'apple',
          clientId: services.clientId,
          secret: oneLine(services.appleKey),
          redirectUrl: 'https://api.example.org/auth/services/apple/callback',
          options: { teamId: 'TEAM123456', keyId: 'KEY1234567', page: 'https://shop.example.org' },
        },
      ],
    },
  });
  await served.send('/customers', json({ name: 'Ada' }, bearer));
  await served.world.backend.caughtUp();
  const answer = await download(instance, alice.cookie ?? '');
  expect([answer.status, answer.headers.get('content-disposition')]).toEqual([
    200,
    'attachment; filename="shop-api.tar.gz"',
  ]);
  archive = Buffer.from(await answer.arrayBuffer());
  const empty = fs.mkdtempSync(path.join(os.tmpdir(), 'standalone-'));
  execFileSync('tar', ['-xzf', '-', '-C', empty], { input: archive });
  folder = path.join(empty, 'shop-api');
  environment = {
    DATABASE_HOST: String(shop.host),
    DATABASE_PORT: String(shop.port),
    DATABASE_NAME: String(shop.database),
    DATABASE_USER: String(shop.user),
    DATABASE_PASSWORD: String(shop.password),
    DATABASE_ENCRYPTION: 'none',
    API_TOKEN: token,
  };
  server = await startStandalone(folder, environment);
});
afterAll(async () => {
  await server?.stop();
  await served?.end();
  await services?.stop();
  if (folder) fs.rmSync(path.dirname(folder), { recursive: true, force: true });
});

test('the folder is small, whole, and has no secret', () => {
  expect(archive.length).toBeLessThan(4 * 1024 * 1024);
  const { token, alice, shop } = served;
  const secrets = [
    token,
    services.secret,
    oneLine(services.appleKey),
    String(shop.password),
    String(alice.cookie),
  ].flatMap((secret) => [
    secret,
    createHash('sha256').update(secret).digest('hex'),
    Buffer.from(secret).toString('base64'),
  ]);
  const files = filesBelow(folder);
  expect(files.length).toBeGreaterThan(10);
  for (const file of files) {
    const content = fs.readFileSync(file);
    expect([file, secrets.filter((secret) => secret.length >= 8 && content.includes(secret))]).toEqual([
      file,
      [],
    ]);
    // Another account serves it in a container.
    expect(fs.statSync(file).mode & 0o044).toBe(0o044);
  }
  expect(definition()).toMatchObject({ dialect: 'postgresql', description: { instance: served.instance } });
  const { dependencies } = JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
  };
  expect(Object.keys(dependencies)).toContain('@node-rs/argon2');
  for (const version of Object.values(dependencies)) expect(version).toMatch(/^\d+\.\d+\.\d+$/);
});

test.each<[string, string, () => RequestInit]>([
  ['rows', '/customers?take=1', () => ({})],
  ['a snippet', '/names', () => ({})],
  ['HEAD', '/customers?take=1', () => ({ method: 'HEAD' })],
  ['a preflight', '/customers', () => ({ method: 'OPTIONS' })],
  ['a number that is too small', '/customers?take=0', () => ({})],
  ['a path that does not exist', '/nothing', () => ({})],
  ['another method', '/names', () => ({ method: 'DELETE' })],
  ['nobody', '/customers', () => json({ name: 'Eve' })],
  ['a wrong token', '/names', () => ({ headers: { authorization: `Bearer ${'x'.repeat(43)}` } })],
  ['another permission', '/admin', () => ({ headers: bearer })],
  ['one who says that they may', '/admin', () => ({ headers: { 'x-acts-as': 'admin' } })],
  ['a field that is missing', '/customers', () => json({}, bearer)],
  ['no JSON', '/customers', () => ({ ...json({}, bearer), body: '{' })],
  ['a body of another type', '/customers', () => json({}, { ...bearer, 'content-type': 'text/plain' })],
  ['a body that is too large', '/customers', () => json({ name: 'x'.repeat(1_200_000) }, bearer)],
  ['a wrong sign-in', '/auth/sign-in', () => json(ACCOUNT)],
  ['a path of users that does not exist', '/auth/nothing', () => ({})],
])('%s: answers as the console does', async (_, at, given) => {
  const { world, instance } = served;
  const [here, there] = [
    await inTime(() => sent(`${world.backend.url}/api/instance/${instance}${at}`, given())),
    await inTime(() => sent(`${server.url}${at}`, given())),
  ];
  const compared = ({ status, headers, text }: typeof here) => ({
    status,
    text,
    headers: HEADERS.map((name) => [name, headers[name]]),
  });
  expect(compared(there)).toEqual(compared(here));
  if (there.status !== 204) expect(there.headers['x-definition']).toBe(definition().description.position);
});

test('rows and users are those of the console', async () => {
  const { send, shop, token } = served;
  const made = await sent(`${server.url}/customers`, json({ name: 'Grace' }, bearer));
  expect(made.status).toBe(201);
  expect((await shop.query('select name from customer order by id')).rows).toEqual([
    { name: 'Ada' },
    { name: 'Grace' },
  ]);
  const signedUp = await sent(`${server.url}/auth/sign-up`, json(ACCOUNT, bearer));
  expect(signedUp.status).toBe(201);
  const authorization = `Bearer ${String(body(signedUp)['token'])}`;
  expect(await inTime(() => send('/names', { headers: { authorization } }))).toMatchObject({
    status: 200,
    body: { names: ['Ada', 'Grace'], who: ACCOUNT.email },
  });
  const signedIn = await send('/auth/sign-in', json(ACCOUNT));
  const there = await sent(`${server.url}/auth/me`, {
    headers: { authorization: `Bearer ${(signedIn.body as { token: string }).token}` },
  });
  expect([there.status, body(there)['email']]).toEqual([200, ACCOUNT.email]);
  expect(token).not.toBe('');
});

test('users sign in with a service, in the console and in the folder', async () => {
  const { world, instance } = served;
  const console = `${world.backend.url}/api/instance/${instance}`;
  const signIn = async (at: string, service: string, headers: Record<string, string> = {}) => {
    const { url, key } = body(await sent(`${at}/auth/services/${service}`, { method: 'POST' }));
    const answer = services.agree(String(url)).toString();
    const ended = await sent(`${at}/auth/services/${service}`, {
      ...json({ key, answer }, headers),
      method: 'PUT',
    });
    return [ended.status, (body(ended)['user'] as { email?: string } | undefined)?.email];
  };
  services.become({ sub: 'lin', email: 'lin@example.org' });
  expect(await signIn(console, 'google')).toEqual([401, undefined]);
  expect(await signIn(console, 'google', bearer)).toEqual([200, 'lin@example.org']);
  expect(await signIn(console, 'apple', bearer)).toEqual([200, 'lin@example.org']);
  const form = {
    method: 'POST',
    body: new URLSearchParams({ code: 'c', state: 's' }),
    redirect: 'manual',
  } as const;
  expect(await sent(`${console}/auth/services/apple/callback`, form)).toMatchObject({
    status: 303,
    headers: { location: 'https://shop.example.org/?code=c&state=s' },
  });

  expect((await sent(`${server.url}/auth/services/google`, { method: 'POST' })).status).toBe(404);
  expect(server.lines).toContainEqual(
    expect.objectContaining({ is: 'warning', message: 'nobody can sign in with google: set GOOGLE_SECRET' }),
  );
  const one = await startStandalone(folder, {
    ...environment,
    GOOGLE_SECRET: services.secret,
    APPLE_SECRET: oneLine(services.appleKey),
    SIGN_IN_GATEWAY: services.url,
  });
  for (const service of ['google', 'apple'])
    expect(await signIn(one.url, service)).toEqual([200, 'lin@example.org']);
  expect(await one.stop()).toBe(0);
});

test('without a token, none is accepted, and with another one only that', async () => {
  const { API_TOKEN: _, ...without } = environment;
  const other = 'another-token-of-more-than-32-letters';
  for (const [env, status] of [
    [without, 401],
    [{ ...without, API_TOKEN: other }, 401],
    [environment, 200],
  ] as const) {
    const one = await startStandalone(folder, env);
    expect((await sent(`${one.url}/customers`, { headers: bearer })).status).toBe(status);
    expect(await one.stop()).toBe(0);
  }
});

test('limits requests of each caller, whom only a trusted proxy may name', async () => {
  const copy = withLimit(3);
  const one = await startStandalone(copy, { ...environment, TRUSTED_PROXIES: 'loopback' });
  const from = (caller: string) =>
    sent(`${one.url}/customers`, { headers: { 'x-forwarded-for': `203.0.113.9, ${caller}` } });
  let answer = await from('198.51.100.1');
  while (answer.status === 200) answer = await from('198.51.100.1');
  expect(answer).toMatchObject({ status: 429, headers: RETRY });
  expect((await from('198.51.100.2')).status).toBe(200);
  expect(await one.stop()).toBe(0);

  const alone = await startStandalone(copy, environment);
  const invented = (at: number) =>
    sent(`${alone.url}/customers`, { headers: { 'x-forwarded-for': `198.51.100.${at}` } });
  let at = 0;
  do answer = await invented((at += 1));
  while (answer.status === 200 && at < 100);
  expect(answer).toMatchObject({ status: 429, headers: RETRY });
  expect(await alone.stop()).toBe(0);
});

test('says that it is well, and that its database is away, and why in its log', async () => {
  expect(await sent(`${server.url}/health`)).toMatchObject({ status: 200, text: '{"status":"up"}' });
  const port = await freePort();
  const one = await startStandalone(folder, {
    ...environment,
    DATABASE_PORT: String(port),
    HEALTH_PATH: '/well',
  });
  expect(await sent(`${one.url}/well`)).toMatchObject({ status: 503, headers: RETRY });
  expect((await sent(`${one.url}/health`)).status).toBe(404);
  const refused = await sent(`${one.url}/customers`);
  expect(refused).toMatchObject({ status: 503, headers: RETRY });
  expect(body(refused)['message']).toBe('the database of this API cannot be reached at the moment');
  await until(() => one.lines.some(({ is }) => is === 'database away'));
  expect(one.lines.find(({ is }) => is === 'database away')).toMatchObject({
    message: expect.stringContaining('ECONNREFUSED'),
  });
  expect(await one.stop()).toBe(0);
});

test('logs its requests as JSON, without queries, tokens and health', async () => {
  await sent(`${server.url}/nowhere?secret=hidden`, { headers: bearer });
  await sent(`${server.url}/health`);
  await until(() => server.lines.some(({ path: at }) => at === '/nowhere'));
  expect(server.lines.find(({ path: at }) => at === '/nowhere')).toMatchObject({
    is: 'request',
    at: expect.stringMatching(/^\d{4}-.*Z$/),
    method: 'GET',
    status: 404,
    message: 'endpoint not found',
    definition: definition().description.position,
  });
  const text = JSON.stringify(server.lines);
  for (const secret of ['hidden', served.token, String(served.shop.password), ACCOUNT.password, '/health'])
    expect(text).not.toContain(secret);
});

test('SIGTERM under load loses no request that a caller with an open connection sends', async () => {
  const one = await startStandalone(folder, environment);
  const { port } = new URL(one.url);
  const agent = new Agent({ keepAlive: true });
  const heard: (number | string | undefined)[] = [];
  const ask = () =>
    new Promise<void>((resolve) => {
      const asked = request(
        { host: '127.0.0.1', port, path: '/customers', headers: bearer, agent },
        (answer) => {
          heard.push(answer.statusCode);
          answer.resume().once('end', resolve);
        },
      );
      asked.once('error', ({ code }: NodeJS.ErrnoException) => {
        heard.push(code);
        resolve();
      });
      asked.end();
    });
  let isOver = false;
  const callers = Array.from({ length: 20 }, async () => {
    while (!isOver) await ask();
  });
  await until(() => Promise.resolve(heard.length > 200));
  one.askToStop();
  expect(await one.ended).toBe(0);
  isOver = true;
  await Promise.all(callers);
  agent.destroy();
  // A new connection is refused at once, so a load balancer can use another server.
  expect([...new Set(heard)].filter((one) => one !== 200 && one !== 'ECONNREFUSED')).toEqual([]);
});

test('SIGTERM lets the request under way end, refuses new ones, and ends the process', async () => {
  const one = await startStandalone(folder, environment);
  const { port } = new URL(one.url);
  const text = JSON.stringify({ name: 'Last' });
  const answered = new Promise<{ status: number | undefined; connection: string | undefined }>(
    (resolve, reject) => {
      const asked = request(
        {
          host: '127.0.0.1',
          port,
          path: '/customers',
          method: 'POST',
          headers: {
            ...bearer,
            connection: 'keep-alive',
            'content-type': 'application/json',
            'content-length': String(Buffer.byteLength(text)),
            // It is answered when the server has the head of the request.
            expect: '100-continue',
          },
        },
        (answer) => {
          answer.resume();
          resolve({ status: answer.statusCode, connection: answer.headers.connection });
        },
      );
      asked.once('error', reject);
      asked.once('continue', () => {
        one.askToStop();
        until(() =>
          fetch(`${one.url}/health`).then(
            () => false,
            () => true,
          ),
        ).then(() => asked.end(text), reject);
      });
      asked.flushHeaders();
    },
  );
  expect(await answered).toEqual({ status: 201, connection: 'close' });
  expect(await one.ended).toBe(0);
});

test('refuses a wrong environment in a sentence for each variable', async () => {
  await expect(
    startStandalone(folder, { DATABASE_HOST: '127.0.0.1', API_TOKEN: 'canary', PORT: 'many' }),
  ).rejects.toThrow(
    /^it ended with 78: API_TOKEN has to be .*\nPORT has to be .*\nDATABASE_NAME is missing\nDATABASE_USER is missing\n\[\]$/,
  );
});

test('says in a sentence why it cannot begin, and at once that its database cannot be reached', async () => {
  const { port } = new URL(server.url);
  for (const [changed, says] of [
    [{ PORT: port }, `PORT=${port} is taken on 127.0.0.1; set PORT to another one`],
    [{ HOST: '203.0.113.7' }, 'HOST=203.0.113.7 is not an address of this machine'],
    [{ DATABASE_CERTIFICATE_FILE: '/nowhere.pem' }, '/nowhere.pem has no certificate: ENOENT'],
    [{ DATABASE_CERTIFICATE_FILE: 'README.md' }, 'DATABASE_CERTIFICATE_FILE=README.md has no certificate'],
    [
      { DATABASE_CLIENT_CERTIFICATE_FILE: 'README.md' },
      'DATABASE_CLIENT_CERTIFICATE_FILE=README.md has no client certificate: the certificate is missing',
    ],
  ] as const) {
    const failed = startStandalone(folder, { ...environment, ...changed });
    await expect(failed).rejects.toThrow(`it ended with 78: `);
    await expect(failed).rejects.toThrow(says);
  }
  const broken = withLimit(1);
  fs.writeFileSync(path.join(broken, 'definition.json'), '{"dialect":"postgresql"}');
  await expect(startStandalone(broken, environment)).rejects.toThrow(
    'it ended with 78: definition.json is no definition of an API; download the folder again',
  );
  const one = await startStandalone(folder, { ...environment, DATABASE_NAME: 'nothing' });
  await until(() => one.lines.some(({ message }) => message === 'database "nothing" does not exist'));
  expect(await one.stop()).toBe(0);
});

test('the folder of an instance of another workspace is not found', async () => {
  const { backend } = served.world;
  const bob = await backend.signIn({ workspace: 'others', role: 'admin', email: 'bob@example.org' });
  expect((await download(served.instance, bob.cookie ?? '')).status).toBe(404);
  const member = await backend.signIn({ workspace: 'served', role: 'member', email: 'carl@example.org' });
  expect((await download(served.instance, member.cookie ?? '')).status).toBe(403);
});
