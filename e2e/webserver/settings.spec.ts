/** covers: DOM-03, DOM-07. The settings of sites and locations, from a running nginx. */
import { createServer, type Server } from 'node:http';
import { createServer as createHttp2Server, connect as connectHttp2, type Http2Server } from 'node:http2';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AddressInfo } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { SiteSettings } from '@quarterdeck/events';
import type { Site, SiteLocation } from '../../apps/backend/src/webserver/site-model';
import { freePort } from '../../testing/free-port';
import { NginxPrefix } from './nginx-prefix';
import { idOf } from './served-sites';
import { ask, askedOf, times } from './site-traffic';

let nginx: NginxPrefix;
let app: Server;
let local: Server;
let grpc: Http2Server;
let ports: { http: number; https: number };

/** Like the apps of many people: it answers with the request, as JSON. */
const startApp = () =>
  createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://app');
    const { url, method, headers } = request;
    request.resume().once('end', () => {
      if (pathname.endsWith('/nosniff')) response.setHeader('x-content-type-options', 'nosniff');
      if (pathname.endsWith('/own')) {
        response.setHeader('x-frame-options', 'ALLOW-FROM https://a.test');
        response.setHeader('strict-transport-security', 'max-age=5');
        response.setHeader('access-control-expose-headers', 'x-total');
      }
      if (pathname.endsWith('/cookie'))
        response.setHeader('set-cookie', `session=${'x'.repeat(Number(searchParams.get('n')))}`);
      const to = searchParams.get('to');
      if (to !== null) response.writeHead(302, { location: to });
      else if (pathname.endsWith('/missing')) response.writeHead(404);
      response.end(JSON.stringify({ url, method, headers }));
    });
  });

const startGrpc = () =>
  createHttp2Server().on('stream', (stream, headers) => {
    stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
    stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0', 'x-path': headers[':path'] }));
    stream.end();
  });

const sites: Record<string, Site> = {};
const add = (
  name: string,
  locations: Omit<SiteLocation, 'id'>[],
  { ssl = false, settings }: { ssl?: boolean; settings?: SiteSettings } = {},
) => {
  const site: Site = {
    serverName: `${name}.site.test`,
    options: { docker: false, ssl, gzip: false },
    ...(settings && { settings }),
    locations: locations.map((location, index) => ({ id: idOf(index), ...location })),
    folders: { path: join(nginx.folder, 'static'), root: nginx.folder, nginxPath: nginx.sites },
    certificate: nginx.certificate,
    ipv6: false,
    listen: { ...ports, address: '127.0.0.1' },
  };
  sites[name] = site;
  nginx.write(site);
};
const get = (
  name: string,
  path: string,
  { tls = sites[name]?.options.ssl ?? false, ...options }: Parameters<typeof ask>[2] & { tls?: boolean } = {},
) => ask({ host: `${name}.site.test`, port: tls ? ports.https : ports.http, tls }, path, options);

beforeAll(async () => {
  nginx = new NginxPrefix();
  ports = { http: await freePort(), https: await freePort() };
  const listening = (server: Server | Http2Server, at: string | number) =>
    new Promise<void>((resolve) => server.listen(at, resolve));
  const socket = join(nginx.folder, 'app.sock');
  app = startApp();
  local = startApp();
  grpc = startGrpc();
  await Promise.all([listening(app, 0), listening(local, socket), listening(grpc, 0)]);
  const url = `http://127.0.0.1:${(app.address() as AddressInfo).port}`;
  const name = `http://localhost:${(app.address() as AddressInfo).port}`;
  const file = (path: string, content: string) => {
    mkdirSync(join(nginx.folder, path, '..'), { recursive: true });
    writeFileSync(join(nginx.folder, path), content);
  };
  const pages = join(nginx.folder, 'pages');
  file('pages/index.html', 'the app');
  file('pages/main.js', 'code');
  file('pages/docs/index.html', 'the docs');
  file('pages/.env', 'SECRET');
  file('empty/a.txt', 'a file');
  const locations: Omit<SiteLocation, 'id'>[] = [
    { location: '/', url },
    { location: '/api/', url: `${url}/` },
    { location: '/v2', url: `${name}/v1` },
    { location: '/large/', url, maxBody: 100, maxHeader: 64 },
    { location: '/deny/', url, frames: 'deny' },
    { location: '/same/', url, frames: 'sameOrigin' },
    { location: '/any/', url, frames: 'app' },
    { location: '/spa/', volumes: pages, singlePage: true },
    { location: '/bare', volumes: pages, singlePage: true },
    { location: '/none/', volumes: join(nginx.folder, 'empty'), singlePage: true },
    { location: '/proxied/', url, singlePage: true },
    { location: '/socket/', url: `unix:${socket}` },
    { location: '/inside/', url: `unix:${socket}:/v3/` },
    { location: '/cors/', url, isCorsEnabled: true, corsOrigins: 'https://shop.test https://b.test:8443' },
    { location: '/rpc.Echo/', url: `grpc://127.0.0.1:${(grpc.address() as AddressInfo).port}` },
  ];
  add('plain', locations);
  add('tls', locations, { ssl: true });
  add('off', locations, { ssl: true, settings: { hsts: 'off' } });
  add('own', locations, { ssl: true, settings: { hsts: 'app' } });
  add('behind', locations, { settings: { trustedProxies: '127.0.0.1/32 10.0.0.0/8' } });
  add('secure', locations, { ssl: true, settings: { trustedProxies: '127.0.0.1' } });
  add('flare', locations, { settings: { trustedProxies: '127.0.0.1', realAddress: 'CF-Connecting-IP' } });
  add('strange', locations, { ssl: true, settings: { trustedProxies: '192.0.2.1' } });
  file('static/.acme/.well-known/acme-challenge/token-1', 'token-1.thumbprint');
  const { status, message } = nginx.test();
  if (status !== 0) throw new Error(message);
  await nginx.start(ports.http);
});
afterAll(async () => {
  await nginx?.end();
  app?.closeAllConnections();
  local?.closeAllConnections();
  await Promise.all([app, local, grpc].map((one) => one && new Promise((resolve) => one.close(resolve))));
});

describe.each(['plain', 'tls'])('Of the %s site', (site) => {
  it.each([4000, 8000, 14_000])('a cookie of %d bytes arrives, and comes back', async (n) => {
    const answer = await get(site, `/cookie?n=${n}`);
    expect(answer.status).toBe(200);
    const cookie = String(answer.headers['set-cookie']?.[0]);
    expect(cookie).toHaveLength('session='.length + n);
    expect((await get(site, '/x', { headers: { cookie } })).status).toBe(200);
  });

  it('a larger header arrives where the location allows it', async () => {
    const statuses = ['/cookie?n=30000', '/large/cookie?n=15000'].map(
      async (path) => (await get(site, path)).status,
    );
    // Node accepts 16 kB of headers.
    expect(await Promise.all(statuses)).toEqual([502, 200]);
  });

  it('a body of 70 MB is possible where the location allows it', async () => {
    const body = Buffer.alloc(70_000_000);
    const post = (path: string) =>
      get(site, path, { method: 'POST', headers: { 'content-length': String(body.length) }, body });
    expect((await post('/large/x')).status).toBe(200);
    expect((await post('/x')).status).toBe(413);
  });

  it("an app's own nosniff is passed on, once", async () => {
    const answer = await get(site, '/nosniff');
    expect(answer.headers['x-content-type-options']).toBe('nosniff');
    expect(times(answer, 'x-content-type-options')).toBe(1);
  });

  it.each([
    ['/deny/own', 'DENY'],
    ['/same/own', 'SAMEORIGIN'],
    ['/any/own', 'ALLOW-FROM https://a.test'],
    ['/any/x', undefined],
    ['/deny/x', 'DENY'],
    ['/own', 'ALLOW-FROM https://a.test'],
  ])('frames at %s: %s', async (path, value) => {
    const answer = await get(site, path);
    expect(answer.headers['x-frame-options']).toBe(value);
    expect(times(answer, 'x-frame-options')).toBe(value === undefined ? 0 : 1);
  });

  it('a header of a location takes none of the others away', async () => {
    const { headers } = await get(site, '/deny/x');
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['referrer-policy']).toBe('strict-origin-when-cross-origin');
    expect(headers['strict-transport-security']).toBe(site === 'tls' ? 'max-age=31536000' : undefined);
  });

  it.each([
    ['/spa/', 200, 'the app'],
    ['/spa/users/7', 200, 'the app'],
    ['/spa/main.js', 200, 'code'],
    ['/spa/docs', 200, 'the docs'],
    ['/spa/.env', 404, undefined],
    ['/bare/users/7', 200, 'the app'],
    ['/none/x', 404, undefined],
    ['/none/a.txt', 200, 'a file'],
  ])('the single-page app at %s answers %d', async (path, status, body) => {
    const answer = await get(site, path);
    expect(answer.status).toBe(status);
    if (body !== undefined) expect(answer.body).toBe(body);
  });

  it('a proxied single-page app gets its page for an unknown path', async () => {
    const answer = await get(site, '/proxied/missing');
    expect([answer.status, askedOf(answer).url]).toEqual([200, '/proxied/index.html']);
    expect(askedOf(await get(site, '/proxied/x')).url).toBe('/proxied/x');
    expect((await get(site, '/missing')).status).toBe(404);
  });

  it.each([
    ['/socket/a?b=1', '/socket/a?b=1'],
    ['/inside/a', '/v3/a'],
    ['/inside/a%2Fb', '/v3/a%2Fb'],
  ])('%s reaches a Unix socket as %s', async (path, url) => {
    expect(askedOf(await get(site, path)).url).toBe(url);
  });

  it.each([
    ['/api/x?to=/elsewhere', '/api/elsewhere'],
    ['/api/x?to=/api/known', '/api/known'],
    ['/api/x?to=//other.test/a', '//other.test/a'],
    ['/api/x?to=https://other.test/a', 'https://other.test/a'],
    ['/api/x?to=near', 'near'],
    ['/v2/x?to=/v1/a', '/v2/a'],
    ['/v2/x?to=/v1', '/v2'],
    ['/v2/x?to=/v11/a', '/v11/a'],
    ['/x?to=/elsewhere', '/elsewhere'],
  ])('the redirect of %s leads to %s', async (path, location) => {
    const { headers } = await get(site, path);
    const here = new RegExp(`^https?://${site}\\.site\\.test:\\d+`);
    expect(String(headers.location).replace(here, '')).toBe(location);
  });

  it('a redirect of the app to its own name stays below the location', async () => {
    const { headers } = await get(site, `/api/x?to=https://${site}.site.test/there`);
    expect(String(headers.location)).toMatch(/\/api\/there$/);
  });

  it.each([
    ['/api/group%2Fname?x=%2F', '/group%2Fname?x=%2F'],
    ['/v2/group%2Fname/a%20b', '/v1/group%2Fname/a%20b'],
    ['/api/a%20b', '/a%20b'],
    ['/group%2Fname', '/group%2Fname'],
    // A step upwards is taken by nginx, as ever, and never by the upstream.
    ['/v2/a%2Fb/%2e%2e/c', '/v1/a/c'],
    ['/v2/%2e%2e/v2/a%2Fb', '/v1/a/b'],
    ['/v2/a%2F..%2F..%2Fv2/b', '/v1/b'],
  ])('%s reaches the upstream as %s', async (path, url) => {
    expect(askedOf(await get(site, path)).url).toBe(url);
  });

  it('listed origins may send cookies, and others may not', async () => {
    const asked = async (origin: string, more: Record<string, string> = {}, method = 'GET') =>
      get(site, '/cors/own', { method, headers: { origin, ...more } });
    for (const origin of ['https://shop.test', 'https://b.test:8443']) {
      const { headers } = await asked(origin);
      expect(headers).toMatchObject({
        'access-control-allow-origin': origin,
        'access-control-allow-credentials': 'true',
        'access-control-expose-headers': 'x-total',
        vary: expect.stringContaining('Origin'),
      });
      const preflight = await asked(origin, { 'access-control-request-method': 'PUT' }, 'OPTIONS');
      expect(preflight.status).toBe(204);
      expect(preflight.headers).toMatchObject({
        'access-control-allow-origin': origin,
        'access-control-allow-credentials': 'true',
        'access-control-allow-methods': expect.stringContaining('PUT'),
        vary: expect.stringContaining('Origin'),
      });
    }
    for (const origin of ['https://evil.test', 'https://shop.test.evil.test', 'https://shopxtest', 'null']) {
      const { headers } = await asked(origin);
      expect(headers['access-control-allow-origin']).toBeUndefined();
      expect(headers['access-control-allow-credentials']).toBeUndefined();
      expect(headers.vary).toContain('Origin');
    }
  });

  it('an upstream learns the address, protocol, host and port of the visitor, whatever the visitor says', async () => {
    const said = { 'x-forwarded-proto': 'gopher', 'x-forwarded-port': '1', 'x-forwarded-host': 'evil.test' };
    expect(askedOf(await get(site, '/x', { headers: said })).headers).toMatchObject({
      'x-real-ip': '127.0.0.1',
      'x-forwarded-proto': site === 'tls' ? 'https' : 'http',
      'x-forwarded-host': `${site}.site.test`,
      'x-forwarded-port': String(site === 'tls' ? ports.https : ports.http),
    });
  });

  it('an upstream does not learn the same in other words, which nobody has checked', async () => {
    const { headers } = askedOf(
      await get(site, '/x', {
        headers: {
          forwarded: 'for=198.51.100.9;proto=https;host=evil.test',
          proxy: 'http://evil.test',
          'x-forwarded-scheme': 'https',
          'x-forwarded-ssl': 'on',
          'front-end-https': 'on',
        },
      }),
    );
    expect(Object.keys(headers)).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/^(forwarded|proxy|front-end-https|x-forwarded-s.*)$/)]),
    );
  });
});

it('A gRPC call reaches its service, with the trailers of the answer', async () => {
  const session = connectHttp2(`https://tls.site.test:${ports.https}`, {
    createConnection: () =>
      connectTls({
        host: '127.0.0.1',
        port: ports.https,
        servername: 'tls.site.test',
        ALPNProtocols: ['h2'],
        rejectUnauthorized: false,
      }),
  });
  const trailers = await new Promise((resolve, reject) => {
    session.once('error', reject);
    const stream = session.request({
      ':method': 'POST',
      ':path': '/rpc.Echo/Say',
      ':authority': 'tls.site.test',
      'content-type': 'application/grpc',
      te: 'trailers',
    });
    stream.once('error', reject).once('trailers', resolve).resume();
    stream.end();
  });
  session.destroy();
  expect(trailers).toMatchObject({ 'grpc-status': '0', 'x-path': '/rpc.Echo/Say' });
});

describe('HSTS', () => {
  it.each([
    ['tls', '/x', 'max-age=31536000'],
    ['tls', '/own', 'max-age=5'],
    ['off', '/x', 'max-age=0'],
    ['off', '/own', 'max-age=0'],
    ['off', '/deny/own', 'max-age=0'],
    ['own', '/x', undefined],
    ['own', '/own', 'max-age=5'],
    ['plain', '/x', undefined],
  ])('of the site %s at %s is %s', async (site, path, value) => {
    const answer = await get(site, path);
    expect(answer.headers['strict-transport-security']).toBe(value);
    expect(times(answer, 'strict-transport-security')).toBe(value === undefined ? 0 : 1);
  });
});

describe('Behind a proxy', () => {
  const proxied = { 'x-forwarded-for': '198.51.100.9, 203.0.113.7', 'x-forwarded-proto': 'https' };
  const heard = async (site: string, headers: Record<string, string>, tls = false) =>
    askedOf(await get(site, '/x', { headers, tls })).headers;

  it('the address and the protocol that it tells are those of the visitor', async () => {
    expect(await heard('behind', proxied)).toMatchObject({
      'x-real-ip': '203.0.113.7',
      'x-forwarded-proto': 'https',
      'x-forwarded-port': '443',
    });
    expect(await heard('flare', { ...proxied, 'cf-connecting-ip': '203.0.113.8' })).toMatchObject({
      'x-real-ip': '203.0.113.8',
    });
  });

  it('an odd protocol is not passed on', async () => {
    expect(await heard('behind', { 'x-forwarded-proto': 'gopher' })).toMatchObject({
      'x-forwarded-proto': 'http',
      'x-forwarded-port': String(ports.http),
    });
  });

  it('a proxy that ends TLS gets the site, and no redirect to itself', async () => {
    expect(await heard('secure', proxied)).toMatchObject({ 'x-forwarded-proto': 'https' });
    const { status, headers } = await get('secure', '/x', {
      tls: false,
      headers: { 'x-forwarded-proto': 'http' },
    });
    expect([status, headers.location]).toEqual([301, `https://secure.site.test:${ports.https}/x`]);
    expect((await get('secure', '/x', { tls: false })).status).toBe(301);
    const challenge = await get('secure', '/.well-known/acme-challenge/token-1', { tls: false });
    expect([challenge.status, challenge.body]).toEqual([200, 'token-1.thumbprint']);
    expect(await heard('secure', {}, true)).toMatchObject({ 'x-forwarded-proto': 'https' });
  });

  it('a redirect names no protocol and no port, because those of the visitor are the ones of the proxy', async () => {
    const locationOf = async (site: string, path: string, tls: boolean) =>
      (await get(site, path, { tls, headers: proxied })).headers.location;
    for (const [site, tls] of [
      ['behind', false],
      ['secure', false],
      ['secure', true],
    ] as const) {
      expect(await locationOf(site, '/api/x?to=/next', tls)).toBe('/api/next');
      expect(await locationOf(site, '/bare', tls)).toBe('/bare/');
    }
  });

  it('nobody else is believed', async () => {
    expect(await heard('strange', proxied, true)).toMatchObject({
      'x-real-ip': '127.0.0.1',
      'x-forwarded-proto': 'https',
      'x-forwarded-port': String(ports.https),
    });
    expect((await get('strange', '/x', { tls: false, headers: proxied })).status).toBe(301);
  });
});
