import { contract, isRead, type Call } from '@quarterdeck/contract';
import { publicReads } from '@quarterdeck/contract/public-reads';
import { v7 as uuidv7 } from 'uuid';
import { startBackend, type Operator, type RunningBackend } from '../../../../../testing/backend';
import { operator } from '../../../../../testing/operator';
import { startTestPostgres, type TestPostgres } from '../../../../../testing/postgres';
import { mayActAs } from '../sessions/session';
import { CarelessModule, trial, TrialModule } from './testing-routes';

const roles = ['nobody', 'member', 'admin', 'superadmin'] as const;
type Caller = (typeof roles)[number];

const calls: readonly Call[] = [...contract, ...Object.values(trial)];

/** The status that this caller must get before anything else is checked. */
const expected = ({ access }: Call, caller: Caller): number | undefined => {
  if (access === 'public' || access === 'local') return undefined;
  if (caller === 'nobody') return 401;
  return mayActAs(caller, access) ? undefined : 403;
};

describe('access to routes', () => {
  let postgres: TestPostgres;
  let backend: RunningBackend;
  const callers = new Map<Caller, Operator>();

  beforeAll(async () => {
    postgres = await startTestPostgres();
    backend = await startBackend({ databaseUrl: postgres.url, modules: [TrialModule] });
    for (const role of ['member', 'admin', 'superadmin'] as const)
      callers.set(role, await backend.signIn({ role }));
    callers.set('nobody', operator(backend.url));
  });
  afterAll(async () => {
    await backend.close();
    await postgres.stop();
  });

  const send = (
    { method, path }: Call,
    caller: Operator,
    headers: Record<string, string> = { 'x-requested-with': 'test' },
  ) =>
    fetch(`${backend.url}/api/${path.replace(/:\w+/g, 'x')}`, {
      method,
      headers: { ...headers, ...(caller.cookie ? { cookie: caller.cookie } : {}) },
    });

  // covers: AUTH-06
  it('is what each call declares, for every role and without a session', async () => {
    const wrong: string[] = [];
    for (const call of calls.filter(({ path }) => path !== 'auth/logout'))
      for (const [role, caller] of callers) {
        const { status } = await send(call, caller);
        const right = expected(call, role);
        const isRight =
          right === undefined
            ? status !== 403 && (status !== 401 || call.access === 'public')
            : status === right;
        if (!isRight) wrong.push(`${call.method} ${call.path} as ${role}: ${status}`);
      }
    expect(wrong).toEqual([]);
    expect(calls.length).toBeGreaterThan(100);
  });

  // covers: NOTIF-01
  it('of products is by a token of the product alone: no session opens it, and no other token', async () => {
    const openProduct = async (who: Operator) => {
      const ask = async (path: string, body: object) =>
        (await who.post<{ id: string; token: string }>(path, body)).body;
      const { id } = await ask('product/insert', { data: { name: `Shop ${uuidv7()}` } });
      return { id, token: (await ask('public-token/issue', { product: { id } })).token };
    };
    const stranger = await backend.signIn({ role: 'superadmin', workspace: 'elsewhere' });
    const [own, other, foreign] = [
      await openProduct(callers.get('admin')!),
      await openProduct(callers.get('admin')!),
      await openProduct(stranger),
    ];
    const bearer = ({ token }: { token: string }) => ({ authorization: `Bearer ${token}` });
    const session = ({ cookie }: Operator) => ({ cookie, 'x-requested-with': 'test' });
    const doors: [name: string, headers: Record<string, string>, status: number][] = [
      ...[...callers].map(([role, who]): (typeof doors)[number] => [`session of ${role}`, session(who), 401]),
      ['session of another workspace', session(stranger), 401],
      ['its token', bearer(own), 200],
      ['its token, beside a session of another workspace', { ...session(stranger), ...bearer(own) }, 200],
      ['token of another product', bearer(other), 404],
      [
        'token of another product, beside a session',
        { ...session(callers.get('admin')!), ...bearer(other) },
        404,
      ],
      ['token of a product of another workspace', bearer(foreign), 404],
    ];
    const reads = Object.values(publicReads);
    expect(reads).toHaveLength(3);
    for (const { path } of reads) {
      const address = path.replace(':product', own.id).replace(':language', 'fr');
      const seen: typeof doors = [];
      for (const [name, headers] of doors)
        seen.push([name, headers, (await fetch(`${backend.url}/api/${address}`, { headers })).status]);
      expect([path, seen]).toEqual([path, doors]);
    }
  });

  // covers: API-04
  it('of served APIs is by their own tokens: no session counts, and none is needed', async () => {
    const unknown = `${backend.url}/api/instance/${uuidv7()}/orders`;
    for (const [role, { cookie }] of callers) {
      const headers = { ...(cookie ? { cookie } : {}), 'x-requested-with': 'test' };
      for (const method of ['GET', 'POST', 'PUT', 'DELETE']) {
        const answer = await fetch(unknown, { method, headers });
        expect([role, method, answer.status, await answer.json()]).toEqual([
          role,
          method,
          404,
          { message: 'uuid not found' },
        ]);
        expect(answer.headers.get('set-cookie')).toBeNull();
        expect(answer.headers.get('content-security-policy')).toBe(`default-src 'none'; sandbox`);
      }
    }
  });

  it('requires X-Requested-With for every change, and refuses other sites', async () => {
    const changing = calls.filter((call) => call.method === 'POST' || !isRead(call));
    const admin = callers.get('superadmin')!;
    for (const call of changing) {
      const without = await send(call, admin, {});
      expect([call.path, without.status]).toEqual([call.path, 403]);
      expect(await without.json()).toEqual({ msg: expect.stringContaining('X-Requested-With') as string });
      for (const site of ['cross-site', 'same-site']) {
        const crossSite = await send(call, admin, { 'x-requested-with': 'x', 'sec-fetch-site': site });
        expect([call.path, crossSite.status]).toEqual([call.path, 403]);
      }
    }
    expect(changing.some(({ method, path }) => method === 'GET' && path === 'auth/logout')).toBe(true);
  });

  it('stops the start if a method is not bound to a call', async () => {
    const start = startBackend({ databaseUrl: await postgres.newDatabase(), modules: [CarelessModule] });
    await expect(start).rejects.toThrow('CarelessController.careless is bound to no call');
  });

  it('follows a changed role at the next call', async () => {
    const email = 'promoted@example.org';
    const person = await backend.signIn({ role: 'member', email });
    expect((await person.post('person/list')).status).toBe(403);
    await backend.signInLink({ role: 'admin', email });
    expect((await person.post('person/list')).status).toBe(200);
  });

  it('answers every call with a strict content security policy and a correlation id', async () => {
    const answer = await operator(backend.url).get('health/live');
    const policy = answer.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("script-src 'self'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('unsafe');
    expect(answer.headers.get('x-correlation-id')).toMatch(/^[0-9a-f-]{36}$/);
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });

  it('compresses a long answer for a client that accepts it, and no short one', async () => {
    const encodingOf = async (path: string, accepted: string): Promise<string | null> => {
      const headers = { 'accept-encoding': accepted };
      return (await operator(backend.url).get(path, headers)).headers.get('content-encoding');
    };
    expect(await encodingOf('docs-json', 'gzip, br')).toBe('br');
    expect(await encodingOf('docs-json', 'gzip')).toBe('gzip');
    expect(await encodingOf('docs-json', 'identity')).toBeNull();
    expect(await encodingOf('health/live', 'gzip, br')).toBeNull();
  });

  it('describes every call in the OpenAPI answer, and the page lists it', async () => {
    const nobody = operator(backend.url);
    const { body } = await nobody.get<{ openapi: string; paths: Record<string, Record<string, object>> }>(
      'docs-json',
    );
    expect(body.openapi).toBe('3.1.0');
    const page = await nobody.get<string>('docs');
    for (const { path, method } of contract) {
      const described = `/api/${path}`.replaceAll(/:(\w+)/g, '{$1}');
      expect(body.paths[described]).toHaveProperty(method.toLowerCase());
      expect(page.body).toContain(`/api/${path}`);
    }
    expect(body.paths['/api/auth/link']?.post).toMatchObject({
      'x-access': 'public',
      requestBody: {
        content: { 'application/json': { schema: { required: ['code'], additionalProperties: false } } },
      },
    });
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
  });
});
