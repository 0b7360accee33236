import { DiscoveryService } from '@nestjs/core';
import { startBackend, type Operator, type RunningBackend } from '../../../../e2e/peers/backend';
import { operator } from '../../../../e2e/peers/operator';
import { startTestPostgres, type TestPostgres } from '../../../../e2e/peers/postgres';
import { mayActAs } from './session';
import { routeTable, type Route } from './route-table';
import { CarelessModule, TrialModule } from './testing-routes';

const roles = ['nobody', 'member', 'admin', 'superadmin'] as const;
type Caller = (typeof roles)[number];

/** What a call of the route by that caller has to answer before anything else is looked at. */
const expected = (route: Route, caller: Caller): number | undefined => {
  if (route.level === 'public' || route.level === 'local') return undefined;
  if (caller === 'nobody') return 401;
  return mayActAs(caller, route.level) ? undefined : 403;
};

describe('access to routes', () => {
  let postgres: TestPostgres;
  let backend: RunningBackend;
  let routes: Route[];
  const callers = new Map<Caller, Operator>();

  beforeAll(async () => {
    postgres = await startTestPostgres();
    backend = await startBackend({ databaseUrl: postgres.url, modules: [TrialModule] });
    routes = routeTable(backend.app.get(DiscoveryService, { strict: false }));
    for (const role of ['member', 'admin', 'superadmin'] as const)
      callers.set(role, await backend.signIn({ role }));
    callers.set('nobody', operator(backend.url));
  });
  afterAll(async () => {
    await backend.close();
    await postgres.stop();
  });

  const call = (
    route: Route,
    caller: Operator,
    headers: Record<string, string> = { 'x-requested-with': 'test' },
  ) =>
    fetch(`${backend.url}${route.path.replace(/:\w+/g, 'x')}`, {
      method: route.method,
      headers: { ...headers, ...(caller.cookie ? { cookie: caller.cookie } : {}) },
    });

  // covers: AUTH-06
  it('is what each route declares, for every role and for nobody', async () => {
    const wrong: string[] = [];
    for (const route of routes.filter(({ path }) => !path.endsWith('/auth/logout')))
      for (const [role, caller] of callers) {
        const { status } = await call(route, caller);
        const right = expected(route, role);
        const isRight =
          right === undefined
            ? status !== 403 && (status !== 401 || route.level === 'public')
            : status === right;
        if (!isRight) wrong.push(`${route.method} ${route.path} as ${role}: ${status}`);
      }
    expect(wrong).toEqual([]);
    expect(routes.length).toBeGreaterThan(10);
  });

  it('asks for X-Requested-With on every call that changes something, and refuses other sites', async () => {
    const changing = routes.filter((route) => route.changes === true || route.method !== 'GET');
    const admin = callers.get('superadmin')!;
    for (const route of changing) {
      const without = await call(route, admin, {});
      expect([route.path, without.status]).toEqual([route.path, 403]);
      expect(await without.json()).toEqual({ msg: expect.stringContaining('X-Requested-With') as string });
      for (const site of ['cross-site', 'same-site']) {
        const crossSite = await call(route, admin, { 'x-requested-with': 'x', 'sec-fetch-site': site });
        expect([route.path, crossSite.status]).toEqual([route.path, 403]);
      }
    }
    expect(changing.some(({ method, path }) => method === 'GET' && path === '/api/auth/logout')).toBe(true);
  });

  it('stops the start when a route does not say who may call it', async () => {
    const start = startBackend({ databaseUrl: await postgres.newDatabase(), modules: [CarelessModule] });
    await expect(start).rejects.toThrow('@Access): CarelessController.careless');
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

  it('takes over a correlation id that is a uuid, and no other text', async () => {
    const id = '0193f0a0-0000-7000-8000-00000000abcd';
    const nobody = operator(backend.url);
    expect((await nobody.get('session', { 'x-correlation-id': id })).headers.get('x-correlation-id')).toBe(
      id,
    );
    const forged = await nobody.get('session', { 'x-correlation-id': 'forged"}' });
    expect(forged.headers.get('x-correlation-id')).not.toContain('forged');
  });

  it('describes every route in the OpenAPI answer, and the page lists it', async () => {
    const nobody = operator(backend.url);
    const { body } = await nobody.get<{ openapi: string; paths: Record<string, Record<string, object>> }>(
      'docs-json',
    );
    expect(body.openapi).toBe('3.1.0');
    const page = await nobody.get<string>('docs');
    for (const route of routes) {
      expect(body.paths[route.path]).toHaveProperty(route.method.toLowerCase());
      expect(page.body).toContain(route.path);
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
