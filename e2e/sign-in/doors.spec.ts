/**
 * The doors of an installation: whose address a call counts for, who waits after wrong codes, cookies over https, and
 * who sees figures about the process.
 */
import { startBackend, type RunningBackend } from '../../testing/backend';
import { freePort } from '../../testing/free-port';
import { operator } from '../../testing/operator';
import { startTestPostgres, type TestPostgres } from '../../testing/postgres';
import { connectSocket } from '../../testing/socket';

const codeOf = (link: string): string => new URL(link).searchParams.get('code') ?? '';

let postgres: TestPostgres;
const open: RunningBackend[] = [];

beforeAll(async () => {
  postgres = await startTestPostgres();
});
afterEach(async () => {
  for (const backend of open.splice(0)) await backend.close();
});
afterAll(() => postgres?.stop());

/** A back end at a port of its own. `local`: its address on this machine, whatever PUBLIC_URL is. */
const start = async (env: Record<string, string> = {}) => {
  const port = await freePort();
  const backend = await startBackend({ databaseUrl: postgres.url, env: { PORT: String(port), ...env } });
  open.push(backend);
  return { backend, local: `http://127.0.0.1:${port}` };
};

const linesOf = ({ logs }: RunningBackend): Record<string, unknown>[] =>
  logs.map((line) => JSON.parse(line) as Record<string, unknown>);
const refusalsIn = (backend: RunningBackend) =>
  linesOf(backend).filter(({ msg }) => msg === 'a call was refused');

describe('after many wrong codes from the address of a proxy that hides everybody', () => {
  const doors = [
    ['auth/link', { code: 'guess' }],
    ['auth/invitation', { code: 'guess', name: 'Eve' }],
    ['invitation/look', { code: 'guess' }],
  ] as const;

  it('good codes are still let in, guesses are not, and each refusal is logged with its reason', async () => {
    const { backend, local } = await start();
    const door = operator(local);
    const admin = await backend.signIn();
    const invited = await admin.post<{ code: string }>('invitation/insert', { role: 'member', via: 'link' });
    const { code } = invited.body;
    for (const [path, body] of doors) for (let i = 0; i < 12; i++) await door.post(path, body);
    for (const [path, body] of doors) expect((await door.post(path, body)).status).toBe(429);

    expect((await door.post('auth/link', { code: codeOf(await backend.signInLink()) })).status).toBe(200);
    expect((await door.post('invitation/look', { code })).status).toBe(200);
    expect((await door.post('auth/invitation', { code, name: 'Bob' })).status).toBe(200);

    const refused = refusalsIn(backend);
    const call = { method: 'POST', route: '/api/auth/link', address: '127.0.0.1', level: 'info' };
    expect(refused).toContainEqual(
      expect.objectContaining({ ...call, status: 401, why: 'Access Denied! Wrong access credentials.' }),
    );
    expect(refused).toContainEqual(
      expect.objectContaining({
        ...call,
        status: 429,
        why: 'too many failed attempts, please wait a moment',
      }),
    );
    // A flood of guesses does not fill the disk.
    expect(refused).toHaveLength(20);
    expect(backend.logs.join('')).not.toContain('guess');
  });

  it('and after too many calls from there, good codes are let in too', async () => {
    const { backend, local } = await start({ CALLS_PER_MINUTE: '3' });
    const statuses: number[] = [];
    for (let i = 0; i < 5; i++) statuses.push((await operator(local).get('session')).status);
    expect(statuses).toEqual([401, 401, 401, 429, 429]);
    const code = codeOf(await backend.signInLink());
    expect((await operator(local).post('auth/link', { code })).status).toBe(200);
  });
});

it('guesses from one network of IPv6 count together, and those from the next one apart', async () => {
  const { local } = await start({ TRUSTED_PROXIES: 'loopback' });
  const guess = async (from: string) =>
    (await operator(local).post('auth/link', { code: 'guess' }, { 'x-forwarded-for': from })).status;
  for (let i = 1; i <= 10; i++) expect(await guess(`2001:db8:1:2:${i}::${i}`)).toBe(401);
  expect(await guess('2001:db8:1:2:ffff::1')).toBe(429);
  expect(await guess('2001:db8:1:3::1')).toBe(401);
});

describe('when all calls come from one address behind PUBLIC_URL', () => {
  const behind = { PUBLIC_URL: 'https://console.example.org' };
  const calls = async (url: string, headers: Record<string, string> = {}, count = 60) => {
    for (let i = 0; i < count; i++) await operator(url).get('auth/providers', headers);
  };
  const warnings = (backend: RunningBackend) =>
    linesOf(backend).filter(
      ({ msg, level }) => level === 'warn' && String(msg).includes('limits count everybody'),
    );
  /** What the page of superadmins says. */
  const shown = async (backend: RunningBackend, url: string, headers: Record<string, string> = {}) => {
    const answer = await operator(url).post(
      'auth/link',
      { code: codeOf(await backend.signInLink({ role: 'superadmin' })) },
      headers,
    );
    const who = operator(url, answer.headers.getSetCookie()[0]?.split(';')[0]);
    return (await who.post<{ hiddenCallers?: object }>('superadmin/overview', {}, headers)).body
      .hiddenCallers;
  };

  it.each([
    [
      'a proxy that is not trusted',
      { TRUSTED_PROXIES: '10.9.9.9' },
      { 'x-forwarded-for': '198.51.100.1' },
      /your proxy, name it in TRUSTED_PROXIES/,
    ],
    ['a trusted proxy that reports nobody', {}, {}, /let it send the header X-Forwarded-For$/],
    ['a proxy that does neither', { TRUSTED_PROXIES: '10.9.9.9' }, {}, /X-Forwarded-For, and name it/],
  ])('the log and the page warn, once, of %s', async (_what, env, headers, words) => {
    const { backend, local } = await start({ ...behind, ...env });
    await calls(local, headers as Record<string, string>, 49);
    expect(warnings(backend)).toEqual([]);
    await calls(local, headers as Record<string, string>);
    expect(warnings(backend)).toEqual([
      expect.objectContaining({ address: '127.0.0.1', msg: expect.stringMatching(words) as string }),
    ]);
    const reports = 'x-forwarded-for' in headers;
    const trusted = !('TRUSTED_PROXIES' in env);
    expect(await shown(backend, local, headers as Record<string, string>)).toEqual({
      address: '127.0.0.1',
      trusted,
      reports,
    });
  });

  it('nothing warns of an honest proxy, of probes, or where nothing is in front', async () => {
    const honest = await start(behind);
    await calls(honest.local, { 'x-forwarded-for': '198.51.100.1' });
    expect(await shown(honest.backend, honest.local)).toBeUndefined();
    const idle = await start(behind);
    for (let i = 0; i < 60; i++) await fetch(`${idle.local}/api/health/ready`);
    const bare = await start();
    await calls(bare.local);
    expect([honest, idle, bare].flatMap(({ backend }) => warnings(backend))).toEqual([]);
  });
});

it('a one-time link works for ten minutes', async () => {
  const { backend } = await start();
  await backend.signInLink();
  const { rows } = await backend.db.query<{ minutes: number }>(
    `select extract(epoch from max(expires_at - issued_at))::float8 / 60 as minutes from app.sign_in_links`,
  );
  expect(Math.round(rows[0]?.minutes ?? 0)).toBe(10);
});

describe('over https', () => {
  const https = { PUBLIC_URL: 'https://console.example.org' };
  const HOST = '__Host-qd_session';

  it('cookies belong to the host alone, and sockets know them', async () => {
    const { backend, local } = await start(https);
    const door = operator(local);
    const answer = await door.post('auth/link', { code: codeOf(await backend.signInLink()) });
    const [cookie = '', ...more] = answer.headers.getSetCookie();
    expect(more).toEqual([]);
    expect(cookie).toMatch(/^__Host-qd_session=[\w-]{43};/);
    for (const attribute of ['HttpOnly', 'Secure', 'SameSite=Lax', 'Path=/;'])
      expect(`${cookie};`).toContain(attribute);
    expect(cookie).not.toMatch(/domain=/i);
    const [pair = ''] = cookie.split(';');
    const who = operator(local, pair);
    expect((await who.get('session')).status).toBe(200);
    (await connectSocket(who)).close();
    // Planted under the old name, by a page of a sibling domain.
    expect((await operator(local, pair.replace('__Host-', '')).get('session')).status).toBe(401);
    const out = await who.post('auth/logout');
    expect(out.headers.getSetCookie().map((line) => line.split(';')[0])).toEqual([`${HOST}=`, 'qd_session=']);
  });

  it('a cookie from before works until it is replaced, and the newer one has precedence', async () => {
    const before = (await (await start()).backend.signIn({ email: 'old@example.org' })).cookie;
    const { backend, local } = await start(https);
    expect(before).toMatch(/^qd_session=/);
    const old = operator(local, before);
    expect((await old.get('session')).status).toBe(200);
    (await connectSocket(old)).close();
    const code = codeOf(await backend.signInLink({ email: 'new@example.org' }));
    const answer = await old.post('auth/link', { code });
    const [cookie = '', cleared = ''] = answer.headers.getSetCookie();
    expect(cleared).toMatch(/^qd_session=;.*(?:Max-Age=0|Expires=Thu, 01 Jan 1970)/);
    expect((await old.get('session')).status).toBe(401);
    const both = operator(local, `${before}; ${cookie.split(';')[0]}`);
    const { body } = await both.get<{ profile: { email: string } }>('session');
    expect(body.profile.email).toBe('new@example.org');
  });
});

describe('figures about the process', () => {
  const TOKEN = 'a-token-for-prometheus';
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
  /** Status of the metrics, and whether readiness has details. */
  const seen = async (url: string, headers: Record<string, string> = {}) => {
    const metrics = await fetch(`${url}/api/metrics`, { headers });
    const ready = await fetch(`${url}/api/health/ready`, { headers });
    expect(ready.status).toBe(200);
    const body = (await ready.json()) as { status: string; checks?: object };
    expect(body.status).toBe('ok');
    expect((await metrics.text()).includes('quarterdeck_sockets')).toBe(metrics.status === 200);
    return [metrics.status, body.checks !== undefined];
  };

  it('are shown on the machine itself where there is no proxy, unless the call was passed on', async () => {
    const { local } = await start();
    expect(await seen(local)).toEqual([200, true]);
    for (const name of ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via'])
      expect(await seen(local, { [name]: '127.0.0.1' })).toEqual([403, false]);
  });

  it('need the token behind a proxy, where a call from loopback may be anybody’s', async () => {
    const behind = { PUBLIC_URL: 'https://console.example.org' };
    const { backend, local } = await start(behind);
    expect(await seen(local)).toEqual([403, false]);
    expect(refusalsIn(backend)).toContainEqual(
      expect.objectContaining({ status: 403, why: expect.stringContaining('set METRICS_TOKEN') as string }),
    );
    const withToken = await start({ ...behind, METRICS_TOKEN: TOKEN });
    expect(await seen(withToken.local)).toEqual([403, false]);
    expect(await seen(withToken.local, bearer(`${TOKEN}x`))).toEqual([403, false]);
    expect(await seen(withToken.local, bearer(TOKEN))).toEqual([200, true]);
    expect(withToken.backend.logs.join('')).not.toContain(TOKEN);
  });

  it('are for whom the operator chooses', async () => {
    const behind = { PUBLIC_URL: 'https://console.example.org' };
    const anybody = await start({ ...behind, METRICS_ACCESS: 'anybody' });
    expect(await seen(anybody.local, { 'x-forwarded-for': '198.51.100.1' })).toEqual([200, true]);
    const loopback = await start({ ...behind, METRICS_ACCESS: 'loopback', METRICS_TOKEN: TOKEN });
    expect(await seen(loopback.local)).toEqual([200, true]);
    expect(await seen(loopback.local, { 'x-forwarded-for': '198.51.100.1' })).toEqual([403, false]);
    expect(await seen(loopback.local, { 'x-forwarded-for': '198.51.100.1', ...bearer(TOKEN) })).toEqual([
      200,
      true,
    ]);
  });
});

describe('a correlation id that the caller sends', () => {
  const lookedUp = async (sent: string) => {
    const { backend, local } = await start();
    const answer = await operator(local).get('session', { 'x-correlation-id': sent });
    const ours = answer.headers.get('x-correlation-id') ?? '';
    expect(ours).toMatch(/^[0-9a-f-]{36}$/);
    const [line] = refusalsIn(backend);
    expect(line?.correlationId).toBe(ours);
    return { ours, theirs: line?.callerCorrelationId };
  };

  it('is logged beside ours, and never becomes ours', async () => {
    const id = '0193f0a0-0000-7000-8000-00000000abcd';
    const { ours, theirs } = await lookedUp(id);
    expect(ours).not.toBe(id);
    expect(theirs).toBe(id);
  });

  it.each(['x'.repeat(65), 'forged"}', 'two words'])('is dropped if it is %s', async (sent) => {
    expect((await lookedUp(sent)).theirs).toBeUndefined();
  });
});

it.each(['/api/%zz', '/%E0%A4%A', '/api/;%zz', '/api/auth/sso/%c3%28/url?x=1'])(
  'the answer to the undecodable address %s is like every other one',
  async (path) => {
    const { local } = await start({ PUBLIC_URL: 'https://console.example.org' });
    const [bad, other] = [await fetch(local + path), await fetch(`${local}/api/nowhere`)];
    expect([bad.status, await bad.json()]).toEqual([400, { msg: 'this address is not valid' }]);
    const comparable = (answer: Response) =>
      [...answer.headers]
        .filter(([name]) => !['date', 'content-length', 'x-correlation-id'].includes(name))
        .sort(([a], [b]) => a.localeCompare(b));
    expect(comparable(bad)).toEqual(comparable(other));
    for (const name of ['content-security-policy', 'strict-transport-security', 'x-content-type-options'])
      expect(bad.headers.get(name)).toBeTruthy();
    expect(bad.headers.get('x-correlation-id')).toMatch(/^[0-9a-f-]{36}$/);
  },
);
