/** covers: DOM-07. CORS, websockets, compression, TLS, challenges and headers, from a running nginx. */
import { connect as connectHttp2 } from 'node:http2';
import { connect as connectTls } from 'node:tls';
import { startServedSites, type ServedSites } from './served-sites';
import { ask, askedOf, times } from './site-traffic';

let world: ServedSites;
beforeAll(async () => {
  world = await startServedSites();
});
afterAll(() => world.end());
const get: ServedSites['get'] = (...asked) => world.get(...asked);

describe('CORS', () => {
  const headers = { origin: 'https://shop.test' };
  it('answers a preflight itself', async () => {
    const answer = await get('mixed', '/cors/x', {
      method: 'OPTIONS',
      headers: {
        ...headers,
        'access-control-request-method': 'PUT',
        'access-control-request-headers': 'x-token, content-type',
      },
    });
    expect(answer.status).toBe(204);
    expect(answer.headers).toMatchObject({
      'access-control-allow-origin': 'https://shop.test',
      'access-control-allow-methods': expect.stringContaining('PUT'),
      'access-control-allow-headers': 'x-token, content-type',
      'access-control-max-age': '7200',
      vary: expect.stringContaining('Origin'),
      'x-content-type-options': 'nosniff',
    });
    expect(answer.headers['access-control-allow-credentials']).toBeUndefined();
  });

  it('names the origin once in every answer, even if the upstream names another', async () => {
    const answer = await get('mixed', '/cors/strict', { headers });
    expect(answer.headers['access-control-allow-origin']).toBe('https://shop.test');
    expect(times(answer, 'access-control-allow-origin')).toBe(1);
    expect(answer.headers.vary).toContain('Origin');
  });

  it('leaves an OPTIONS request that is not a preflight to the upstream, and does not affect other locations', async () => {
    expect(askedOf(await get('mixed', '/cors/x', { method: 'OPTIONS' })).method).toBe('OPTIONS');
    expect((await get('mixed', '/x', { headers })).headers['access-control-allow-origin']).toBeUndefined();
  });
});

it('A websocket is opened, but no other protocol', async () => {
  const upgrade = (protocol: string) =>
    new Promise<string>((resolve, reject) => {
      const socket = connectTls({
        host: '127.0.0.1',
        port: world.ports.https,
        servername: 'mixed.site.test',
        rejectUnauthorized: false,
      });
      let got = '';
      socket.once('error', reject).on('data', (data: Buffer) => {
        got += data.toString('latin1');
        if (got.endsWith('\r\n\r\n') && got.startsWith('HTTP/1.1 101')) socket.write('ping');
        if (got.endsWith('ping') || got.startsWith('HTTP/1.1 200')) {
          socket.destroy();
          resolve(got);
        }
      });
      socket.write(
        `GET /ws HTTP/1.1\r\nHost: mixed.site.test\r\nUpgrade: ${protocol}\r\nConnection: Upgrade\r\n\r\n`,
      );
    });
  expect(await upgrade('WebSocket')).toMatch(/^HTTP\/1\.1 101 .*ping$/s);
  expect(await upgrade('h2c')).toMatch(/^HTTP\/1\.1 200 /);
});

it('Compression is on if requested, and off otherwise', async () => {
  const headers = { 'accept-encoding': 'gzip' };
  expect((await get('mixed', '/x', { headers })).headers['content-encoding']).toBe('gzip');
  expect((await get('files', '/', { headers })).headers['content-encoding']).toBe('gzip');
  expect((await get('pass', '/x', { headers })).headers['content-encoding']).toBeUndefined();
});

it("With TLS port 80 redirects to https, with the site's name", async () => {
  const http = { host: 'mixed.site.test', port: world.ports.http };
  const { status, headers } = await ask(http, '/a?b=1');
  expect([status, headers.location]).toEqual([301, `https://mixed.site.test:${world.ports.https}/a?b=1`]);
});

it.each(['mixed', 'closed', 'empty', 'docker', 'files'])(
  'An ACME challenge is answered on port 80 whatever the site does (%s)',
  async (name) => {
    const http = { host: `${name}.site.test`, port: world.ports.http };
    const { status, body } = await ask(http, '/.well-known/acme-challenge/token-1');
    expect([status, body]).toEqual([200, 'token-1.thumbprint']);
  },
);

it('TLS is 1.2 or newer, with HTTP/2', async () => {
  const session = connectHttp2(`https://mixed.site.test:${world.ports.https}`, {
    createConnection: () =>
      connectTls({
        host: '127.0.0.1',
        port: world.ports.https,
        servername: 'mixed.site.test',
        ALPNProtocols: ['h2'],
        rejectUnauthorized: false,
      }),
  });
  const status = await new Promise((resolve, reject) => {
    session.once('error', reject);
    const stream = session.request({ ':path': '/x', ':authority': 'mixed.site.test' });
    stream.once('error', reject).once('response', (headers) => resolve(headers[':status']));
    stream.resume();
  });
  session.destroy();
  expect(status).toBe(200);

  const protocolOf = (version: 'TLSv1.1' | 'TLSv1.2' | 'TLSv1.3') =>
    new Promise((resolve) => {
      const options = { minVersion: version, maxVersion: version, ciphers: 'DEFAULT@SECLEVEL=0' };
      const socket = connectTls(
        {
          host: '127.0.0.1',
          port: world.ports.https,
          servername: 'mixed.site.test',
          rejectUnauthorized: false,
          ...options,
        },
        () => {
          resolve(socket.getProtocol());
          socket.destroy();
        },
      );
      socket.once('error', ({ message }) => resolve(message));
    });
  expect(await protocolOf('TLSv1.3')).toBe('TLSv1.3');
  expect(await protocolOf('TLSv1.2')).toBe('TLSv1.2');
  expect(await protocolOf('TLSv1.1')).toMatch(/alert|protocol/);
});

describe('Security headers', () => {
  it.each([
    '/x',
    '/cors/x',
    '/slow',
    '/gone/',
    '/old/',
    '/fixed',
    '/local',
    '/files',
    '/files/a.txt',
    '/files/.env',
  ])('are in the answer of %s exactly once', async (path) => {
    const answer = await get('mixed', path);
    expect(answer.headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'SAMEORIGIN',
      'referrer-policy': 'strict-origin-when-cross-origin',
      'strict-transport-security': 'max-age=31536000',
    });
    for (const name of ['x-content-type-options', 'x-frame-options']) expect(times(answer, name)).toBe(1);
  });

  it.each(['/strict', '/cors/strict'])("are the upstream's if it sets them (%s)", async (path) => {
    const answer = await get('mixed', path);
    expect(answer.headers).toMatchObject({ 'x-frame-options': 'DENY', 'referrer-policy': 'no-referrer' });
    for (const name of ['x-content-type-options', 'x-frame-options', 'referrer-policy'])
      expect(times(answer, name)).toBe(1);
  });

  it('do not promise https without TLS', async () => {
    expect((await get('pass', '/x')).headers['strict-transport-security']).toBeUndefined();
  });
});
