// covers: DOM-02, DOM-03, VAL-01
import { asciiName, domainInsert, locationEdit } from './domains.inputs';
import { fieldMessages } from './rules';

const id = '0193f0a0-0000-7000-8000-000000000001';

describe('the name of a domain', () => {
  test.each([
    ['Shop.Example.ORG', 'shop.example.org'],
    [' shop.example.org. ', 'shop.example.org'],
    ['Bücher.Example', 'xn--bcher-kva.example'],
    ['xn--bcher-kva.example', 'xn--bcher-kva.example'],
    ['例え.テスト', 'xn--r8jz45g.xn--zckzah'],
    ['localhost', 'localhost'],
    ['*.Bücher.Example', '*.xn--bcher-kva.example'],
  ])('%j is kept as %s', (typed, kept) => {
    expect(domainInsert.parse({ serverName: typed, server: { id } }).serverName).toBe(kept);
    expect(asciiName(kept)).toBe(kept);
  });

  test.each([
    ['https://shop.example.org', 'enter the name alone, without https://'],
    ['https://shop.example.org/', 'enter the name alone, without https://'],
    ['shop.example.org/', 'enter the name alone, without a path'],
    ['shop.example.org:443', 'enter the name alone, without a port'],
    ['ops@shop.example.org', 'enter the name alone, without a user name'],
  ])('%j says what to leave out', (serverName, message) => {
    const { error } = domainInsert.safeParse({ serverName, server: { id } });
    expect(error && fieldMessages(error)).toEqual({ serverName: message });
  });

  test.each([
    '',
    'a..b',
    '*',
    '*.org',
    '*.*.example.org',
    'shop.*.example.org',
    'shop*.example.org',
    'shop_1.example.org',
    '-a.example.org',
    'a-.example.org',
    '203.0.113.7',
    '::1',
    '2130706433',
    'two words.org',
    'shop.example.org/path',
    'user@shop.example.org',
    'shop.example.org:443',
    `${'a'.repeat(64)}.org`,
    `${'a.'.repeat(130)}org`,
    'xn--a.example',
  ])('%j is not a domain name', (serverName) => {
    const { error } = domainInsert.safeParse({ serverName, server: { id } });
    expect(error && Object.keys(fieldMessages(error))).toEqual(['serverName']);
  });
});

const nameOf = (length: number) => `${'a.'.repeat(200).slice(4 - length)}test`.replace(/^\./, 'b');
test.each([238, 253, 300])('a server name of %i characters is refused with the limit, in ASCII', (length) => {
  for (const serverName of [nameOf(length), `${nameOf(length)}.`]) {
    const { error } = domainInsert.safeParse({ serverName, server: { id } });
    expect(error && fieldMessages(error)).toEqual({
      serverName:
        'a server name of at most 237 characters is expected: nginx reads it from a file of that name',
    });
  }
});

test('a server name of 237 characters is accepted', () => {
  expect(nameOf(237)).toHaveLength(237);
  expect(domainInsert.parse({ serverName: nameOf(237), server: { id } }).serverName).toBe(nameOf(237));
});

describe('A location', () => {
  const messagesOf = (data: object): Record<string, string> => {
    const { error } = locationEdit.safeParse(data);
    return error ? fieldMessages(error) : {};
  };

  test.each([
    [{ location: '/' }],
    [{ location: '/api/', url: 'http://app:3000/v1/', timeout: 86_400, websocket: true }],
    [{ location: '/old', isRedirect: true, url: 'https://www.example.org/new?x=1#y', redirectCode: 308 }],
    [{ location: '/old', isRedirect: true, url: '/new' }],
    [{ location: '\\.php$', match: 'regex', url: 'http://php:9000' }],
    [{ location: '/gone', match: 'exact', is404: true }],
    [{ location: '/files/', volumes: '/srv/static', deployLog: { id }, env: 2, isCorsEnabled: true }],
  ])('%j is one', (data) => {
    expect(messagesOf(data)).toEqual({});
  });

  test.each([
    [{}, 'location'],
    [{ location: 'api' }, 'location'],
    [{ location: '/a', match: 'regex', url: 'http://a/b' }, 'url'],
    [{ location: '(', match: 'suffix' }, 'match'],
    [{ location: '/a', isRedirect: true }, 'url'],
    [{ location: '/a', isRedirect: true, url: 'javascript:alert(1)' }, 'url'],
    [{ location: '/a', redirectCode: 303, isRedirect: true, url: '/b' }, 'redirectCode'],
    [{ location: '/a', isRedirect: true, is404: true, url: '/b' }, 'is404'],
    [{ location: '/a', url: 'unix:app.sock' }, 'url'],
    [{ location: '/a', url: 'grpc://app:50051/v1' }, 'url'],
    [{ location: '/a', singlePage: true, match: 'exact' }, 'singlePage'],
    [{ location: '/a', maxBody: 0 }, 'maxBody'],
    [{ location: '/a', maxHeader: 3 }, 'maxHeader'],
    [{ location: '/a', maxHeader: 129 }, 'maxHeader'],
    [{ location: '/a', frames: 'none' }, 'frames'],
    [{ location: '/a', isCorsEnabled: true, corsOrigins: 'https://a.test *' }, 'corsOrigins'],
    [{ location: '/a', url: 'http://a;b/' }, 'url'],
    [{ location: '/a', volumes: 'static' }, 'volumes'],
    [{ location: '/a', volumes: '/srv/../etc' }, 'volumes'],
    [{ location: '/a', timeout: 1.5 }, 'timeout'],
    [{ location: '/a', env: 4 }, 'env'],
    [{ location: '/a', deployLog: 'web' }, 'deployLog'],
    [{ location: '/a', id }, 'id'],
  ])('%j is refused by the field %s', (data, field) => {
    expect(Object.keys(messagesOf(data))).toEqual([field]);
  });
});
