// covers: SVC-01
import { refusedHealthPath, refusedPort, repositoryNamed, service } from './services.noun';

test('the ports of sites are none of a service', () => {
  expect([80, 443, 3000].map((port) => refusedPort(port) === undefined)).toEqual([false, false, true]);
});

test.each([
  '/',
  '/health',
  '/health?f[0]=1',
  '/a/{b}',
  '/%2F',
  '/a//b',
  '/a.b/..c',
  '/ü',
  '/health?next=../x',
])('%s is a health path', (path) => expect(refusedHealthPath(path)).toBeUndefined());

test.each([
  ['health', /beginning with \//],
  ['', /beginning with \//],
  ['https://a.example/', /beginning with \//],
  ['//evil', /would name another host/],
  ['/%zz', /^%zz is no character/],
  ['/100%', /^% is no character/],
  ['/%2', /^%2 is no character/],
  ['/a#b', /after # is never sent/],
  ['/../x', /no \. or \.\./],
  ['/a/..', /no \. or \.\./],
  ['/./x', /no \. or \.\./],
  ['/%2e%2E/x', /no \. or \.\./],
  ['/a b', /a space is written %20/],
  ['/a\tb', /invisible characters/],
  ['/a\u0007', /invisible characters/],
  ['/a\u200Bb', /invisible characters/],
  ['/a\u00A0b', /invisible characters/],
  ['/"a"', /no quotes/],
  ['/a\\b', /no backslashes/],
])('the health path %j is refused in words', (path, words) => expect(refusedHealthPath(path)).toMatch(words));

test.each(['shop', 'Shop', 'shop.git', 'SHOP.GIT', ' shop.git/', 'shop/'])(
  '%j is the repository shop, so a client part needs another one',
  (repoFront) => {
    expect(repositoryNamed(repoFront).toLowerCase()).toBe('shop');
    for (const repo of ['shop', 'shop.git'])
      expect(service.fields.repoFront.refuses?.(repoFront, { repo })).toMatch(/of its own/);
    expect(service.fields.repoFront.refuses?.(repoFront, { repo: 'shop-front' })).toBeUndefined();
  },
);
