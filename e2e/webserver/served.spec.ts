/** covers: DOM-03, DOM-07. What visitors get from a running nginx with generated configuration. */
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { siteLogs, type Site } from '../../apps/backend/src/webserver/site-model';
import { until } from '../../testing/patience';
import { idOf, startServedSites, type ServedSites } from './served-sites';
import { askedOf } from './site-traffic';

let world: ServedSites;
beforeAll(async () => {
  world = await startServedSites();
});
afterAll(() => world.end());
const get: ServedSites['get'] = (...asked) => world.get(...asked);

describe.each(['pass', 'docker'])('Requests are forwarded (%s)', (site) => {
  it.each([
    ['/a%20b//c?x=%2F&y', '/a%20b//c?x=%2F&y'],
    ['/plain/x?y=1', '/plain/x?y=1'],
    ['/api/', '/v1/'],
    ['/api/users?x=1', '/v1/users?x=1'],
    ['/api/a%20b', '/v1/a%20b'],
    ['/api/a%3Fb', '/v1/a%3Fb'],
    ['/api/a%0Ab', '/v1/a%0Ab'],
    ['/bare/users', '/v1/users'],
    ['/bare', '/v1'],
    ['/strip', '/'],
    ['/strip/', '/'],
    ['/strip/users?x=1', '/users?x=1'],
    ['/strip.too/users', '/users'],
    ['/one?x=1', '/v2/other?x=1'],
    ['/re42/x', '/re42/x'],
  ])('%s as %s', async (path, expected) => expect(askedOf(await get(site, path)).url).toBe(expected));

  it('with the client, the requested name and the protocol', async () => {
    const { headers } = askedOf(await get(site, '/x', { headers: { 'X-Forwarded-For': '203.0.113.9' } }));
    expect(headers).toMatchObject({
      host: `${site}.site.test`,
      'x-real-ip': '127.0.0.1',
      'x-forwarded-for': '203.0.113.9, 127.0.0.1',
      'x-forwarded-proto': 'http',
      'x-forwarded-host': `${site}.site.test`,
    });
  });

  it('with redirects of the upstream rewritten to addresses of the site', async () => {
    const { headers } = await get(site, '/api/moved');
    expect(headers.location).toBe(`http://${site}.site.test:${world.ports.http}/api/there`);
  });
});

it('An upstream that is down causes a 502 in its own location only', async () => {
  expect((await get('down', '/')).status).toBe(502);
  expect((await get('down', '/up/')).status).toBe(200);
});

it('A timeout causes a 504 after the configured seconds', async () => {
  expect((await get('mixed', '/slow')).status).toBe(504);
});

it('Redirects keep the path if the target is only a host', async () => {
  const to = async (path: string) => {
    const { status, headers } = await get('mixed', path);
    return [status, headers.location];
  };
  expect(await to('/old/a?b=1')).toEqual([308, 'https://new.test/old/a?b=1']);
  expect(await to('/fixed?b=1')).toEqual([301, 'https://new.test/here?x=1#y']);
  expect(await to('/local')).toEqual([302, `https://mixed.site.test:${world.ports.https}/cors/`]);
});

it('A 404 location answers 404, and so does a path without a location', async () => {
  expect((await get('mixed', '/gone/x')).status).toBe(404);
  expect((await get('closed', '/x')).status).toBe(404);
  const empty = await get('empty', '/');
  expect([empty.status, empty.body]).toEqual([404, expect.not.stringContaining('Welcome')]);
});

describe('Files', () => {
  it.each([
    ['/files/a.txt', 'a file'],
    ['/robots.txt', 'robots'],
    ['/sub/page.css', 'css'],
  ])('%s is served', async (path, content) => expect((await get('mixed', path)).body).toBe(content));

  it('of the default folder have an index, with its type', async () => {
    expect((await get('files', '/')).headers['content-type']).toBe('text/html');
    const start = await get('files', '/start/');
    expect([start.headers['content-type'], start.body]).toEqual([
      'text/html',
      expect.stringContaining('front'),
    ]);
  });

  it('below a path without a final slash are found by the path itself', async () => {
    const { status, headers } = await get('mixed', '/files?x=1');
    expect([status, headers.location]).toEqual([301, expect.stringMatching(/\/files\/\?x=1$/)]);
  });

  it.each([
    '/files/.env',
    '/files/../a.txt',
    '/files../a.txt',
    '/files.neighbour/a.txt',
    '/files/%2e%2e/site.key',
  ])('are not served for %s', async (path) =>
    expect((await get('mixed', path)).body).not.toMatch(/SECRET|not for you|PRIVATE KEY/),
  );

  it('are hidden if their names begin with a dot', async () => {
    expect((await get('files', '/.git/config')).status).toBe(404);
  });
});

it('A body above the limit is answered with 413', async () => {
  const status = await new Promise((resolve, reject) => {
    const sending = request(
      {
        host: '127.0.0.1',
        port: world.ports.http,
        method: 'POST',
        path: '/x',
        agent: false,
        headers: { host: 'pass.site.test', 'content-length': 65 * 1024 * 1024, expect: '100-continue' },
      },
      (response) => {
        resolve(response.statusCode);
        sending.destroy();
      },
    );
    sending.once('error', reject).flushHeaders();
  });
  expect(status).toBe(413);
});

it('Each location has its own logs', async () => {
  await get('mixed', '/gone/for-the-log');
  const { access } = siteLogs(world.sites.mixed as Site, idOf(3));
  // nginx writes the line after the answer, so the client may be first.
  await until(() => readFileSync(access, 'utf8').includes('/gone/for-the-log'));
  const { error } = siteLogs(world.sites.down as Site, idOf(0));
  expect((await get('down', '/')).status).toBe(502);
  expect(readFileSync(error, 'utf8')).toContain('Connection refused');
});
