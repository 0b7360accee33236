import {
  isDisplayName,
  isFolder,
  isNetwork,
  isOrigin,
  isLocationPath,
  isLocationPattern,
  isRedirectCode,
  isRedirectTarget,
  isServedFolder,
  isServerName,
  isSiteName,
  isTimeout,
  isUpstream,
  partsOfRedirect,
  partsOfUpstream,
  nameOnDisk,
  siteErrors,
} from './site-grammar';

const rules: Record<string, [(value: string) => boolean, accepted: string[], refused: string[]]> = {
  serverName: [
    isServerName,
    ['example.org', 'a.b', 'localhost', 'xn--bcher-kva.example', '1.2.3.example', `${'a'.repeat(63)}.test`],
    [
      'Example.org',
      'example.org.',
      '*.example.org',
      '.example.org',
      'a..b',
      '-a.test',
      'a-.test',
      'a_b.test',
      '10.0.0.1',
      '1',
      'bücher.example',
      'xn--a.test',
      '~^a$',
      'a b.test',
      `${'a'.repeat(64)}.test`,
      `${'a.'.repeat(127)}test`,
    ],
  ],
  displayName: [isDisplayName, ['bücher.example', 'example.org'], ['a b', 'a\u202eb', 'a#b', 'a\u2028b']],
  locationPath: [
    isLocationPath,
    ['/', '/api/', '/api', '/a.b/c_d-e~f', '/grüße/', '/a(b)', '/@scope/x'],
    [
      'api',
      '/a b',
      '//',
      '/a//b',
      '/../',
      '/a/..',
      '/./a',
      '/a%20b',
      '/a?b',
      '/a#b',
      '/$uri',
      '/a;',
      '/a\\b',
    ],
  ],
  locationPattern: [
    isLocationPattern,
    ['\\.php$', '^/api/v[0-9]{1,2}/', '^/(?:a|b)/(?=c)(?<!d)', '^/(?i)x', '^/ä'],
    ['a b', '"', "'", ';', '`', '(?<host>.*)', '(?P<host>.*)', 'a\nb', 'x'.repeat(257)],
  ],
  upstream: [
    isUpstream,
    [
      'http://app',
      'http://my_app:3000',
      'https://10.0.0.5:8443/v1/',
      'http://[::1]:3000',
      'http://App.Test/',
      'unix:/run/app.sock',
      'unix:/run/my-app/web.sock:/v1/',
      'http://unix:/run/app.sock',
      'grpc://app:50051',
      'grpcs://10.0.0.5:443',
    ],
    [
      'app:3000',
      'ftp://app',
      'http://',
      'http://a b',
      'http://user@app',
      'http://app:0',
      'http://app:65536',
      'http://app:080',
      'http://app/?q',
      'http://app/#f',
      'http://app/../x',
      'http://app//x',
      'http://app/%20',
      'http://app/$uri',
      'http://$host',
      'unix:run/app.sock',
      'unix:/run/../app.sock',
      'unix:/run/app.sock;',
      'unix:/run/app.sock:v1',
      'unix:/run/$app.sock',
      'https://unix:/run/app.sock',
      `unix:/${'x'.repeat(107)}`,
      'grpc://app/v1',
      'grpc://app:50051/',
      'http://300.1.1.1',
      'http://0x7f.1',
      'http://1',
      'http://[zz]',
      'http://xn--a',
    ],
  ],
  redirectTarget: [
    isRedirectTarget,
    [
      'https://www.example.org',
      'https://a.test/',
      'http://a.test:8080/x?y=1&z=%20#top',
      '/new/',
      '/',
      '/?a=b',
    ],
    [
      '//evil.test',
      '/\\evil.test',
      'javascript:alert(1)',
      'https://a.test/%zz',
      '/a/../b',
      '/$uri',
      '/a b',
      '',
    ],
  ],
  origin: [
    isOrigin,
    ['https://shop.test', 'http://localhost:3000', 'https://xn--bcher-kva.test', 'http://[::1]:8080'],
    [
      '*',
      'shop.test',
      'https://shop.test/',
      'https://Shop.test',
      'https://*.test',
      'null',
      'https://a.test"',
      '/a',
    ],
  ],
  network: [
    isNetwork,
    ['10.0.0.0/8', '192.0.2.1', '2001:db8::/32', '::1', '::ffff:192.0.2.1'],
    [
      '0.0.0.0/0',
      '::/0',
      '10.0.0.0/33',
      '10.0.0/8',
      '256.1.1.1',
      '::/129',
      'proxy.test',
      '10.0.0.0/8;',
      'unix:',
      ':::',
      '',
    ],
  ],
  folder: [
    isFolder,
    ['/srv/static', '/srv/static/', '/', '/srv/my files', '/srv/grüße', '/srv/a#b'],
    [
      'srv',
      '',
      '/a/../b',
      '/a/..',
      '/a//b',
      '/a$b',
      '/a"b',
      "/a'b",
      '/a;b',
      '/a{b',
      '/a\\b',
      '/a\nb',
      '/a\u0000',
      '/a\u202eb',
    ],
  ],
  servedFolder: [isServedFolder, ['/srv'], ['/', '//', 'srv']],
};

describe.each(Object.entries(rules))('The rule for %s', (name, [is, accepted, refused]) => {
  it.each(accepted)('accepts %j', (value) => expect(is(value)).toBe(true));
  it.each(refused)('refuses %j', (value) => expect(is(value)).toBe(false));
  it('says what would be right', () =>
    expect(siteErrors).toHaveProperty(name, expect.stringMatching(/such as/)));
});

it('limits a folder and a path in bytes, not in characters', () => {
  expect(isFolder(`/${'ü'.repeat(511)}`)).toBe(true);
  expect(isFolder(`/${'ü'.repeat(512)}`)).toBe(false);
  expect(isLocationPath(`/${'ü'.repeat(512)}`)).toBe(false);
});

it('A timeout is a whole number of seconds, at most one day', () => {
  expect([1, 60, 86_400].every(isTimeout)).toBe(true);
  expect([0, -1, 1.5, 86_401, Number.NaN, Number.POSITIVE_INFINITY].some(isTimeout)).toBe(false);
});

it('A redirect has one of four codes', () => {
  expect([301, 302, 307, 308].every(isRedirectCode)).toBe(true);
  expect([200, 300, 303, 304, 404, 301.5].some(isRedirectCode)).toBe(false);
});

it('An upstream without a path differs from one with the path /', () => {
  expect(partsOfUpstream('http://app:3000')).toEqual({
    scheme: 'http',
    authority: 'app:3000',
    host: 'app',
    path: '',
  });
  expect(partsOfUpstream('http://app:3000/')).toMatchObject({ path: '/' });
});

it('A redirect target may be a host alone or a host with a path', () => {
  expect(partsOfRedirect('https://A.test:8443')).toEqual({
    scheme: 'https',
    host: 'a.test',
    port: 8443,
    rest: '',
  });
  expect(partsOfRedirect('https://a.test?x')).toMatchObject({ rest: '?x' });
  expect(partsOfRedirect('/new')).toEqual({ rest: '/new' });
});

it.each(['*', '*.org', '.example.org', '*.*.example.org', 'a.*.example.org', 'a*.example.org', '*.10.0.0.1'])(
  '%j is no wildcard of a site',
  (name) => expect(isSiteName(name)).toBe(false),
);

it('gives a wildcard files of its own, whatever other sites there are', () => {
  expect(['shop.test', '*.shop.test'].map(nameOnDisk)).toEqual(['shop.test', '_wildcard.shop.test']);
  expect(['shop.test', '*.shop.test', '_wildcard.shop.test'].map(isSiteName)).toEqual([true, true, false]);
});
