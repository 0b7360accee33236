import type { Site, SiteLocation } from './site-model';
import { siteProblems } from './site-problems';

const idOf = (index: number) => `0190a000-0000-7000-8000-00000000000${index}`;
const site = (locations: Omit<SiteLocation, 'id'>[], change: Partial<Site> = {}): Site => ({
  serverName: 'app.test',
  options: { docker: false, ssl: true, gzip: false },
  locations: locations.map((location, index) => ({ id: idOf(index), ...location })),
  folders: { path: '/srv/static', root: '/', nginxPath: '/srv/nginx' },
  ipv6: true,
  ...change,
});
const redirect = (location: string, url: string) => ({ location, url, isRedirect: true });

it('A valid site has no problems', () => {
  expect(siteProblems(site([{ location: '/', url: 'http://app:3000' }, { location: '/files' }]))).toEqual({});
});

it.each<[string, Partial<Site>, string]>([
  ['a name in capitals', { serverName: 'App.test' }, 'serverName'],
  ['a name that no file can have', { serverName: `${'a.'.repeat(117)}test` }, 'serverName'],
  ['a name shown with a line feed', { displayName: 'a\nb' }, 'displayName'],
  ['a folder that goes up', { folders: { path: '/srv/..', root: '/', nginxPath: '/n' } }, 'folders.path'],
  ['the whole file system', { folders: { path: '/', root: '/', nginxPath: '/n' } }, 'folders.path'],
  ['a key with a quote', { certificate: { fullchain: '/a.pem', key: '/a".pem' } }, 'certificate.key'],
  ['one port for both', { listen: { http: 8080, https: 8080 } }, 'listen.https'],
  ['a name as address', { listen: { http: 80, https: 443, address: 'eth0' } }, 'listen.address'],
])('%s is a problem of its field', (_what, change, field) =>
  expect(Object.keys(siteProblems(site([], change)))).toEqual([field]),
);

it('A wildcard that redirects takes no long name that is served', () => {
  const long = `${'a'.repeat(42)}.test`;
  const problemsOf = (serverName: string, ...names: NonNullable<Site['names']>) =>
    siteProblems(site([], { serverName, names }));
  const away = { name: '*.shop.test', does: 'redirects' as const };
  const longer = `a-name-with-more-than-46-characters.${'b'.repeat(6)}.shop.test`;
  const message = `nginx would redirect ${longer} as well, because that has more than 46 characters`;
  expect(longer).toHaveLength(52);
  expect(problemsOf(longer, away)).toEqual({ 'names.0.name': message });
  expect(problemsOf('shop.test', { name: longer, does: 'serves' }, away)).toEqual({
    'names.1.name': message,
  });
  expect(problemsOf(longer, { ...away, does: 'serves' })).toEqual({});
  expect(problemsOf(long, away)).toEqual({});
  expect(problemsOf('app.shop.test', away)).toEqual({});
});

it.each<[string, Omit<SiteLocation, 'id'>, string]>([
  ['a path without /', { location: 'api', is404: true }, 'location'],
  ['the path of challenges', { location: '/.well-known/acme-challenge/x', is404: true }, 'location'],
  [
    'the path of the proof',
    { location: '/.well-known/quarterdeck-site', match: 'exact', is404: true },
    'location',
  ],
  ['an upstream with a query', { location: '/', url: 'http://app/?x' }, 'url'],
  ['a path behind a pattern', { location: '^/a', match: 'regex', url: 'http://app/' }, 'url'],
  ['a redirect to nowhere', { location: '/', isRedirect: true }, 'url'],
  ['another code', { ...redirect('/a', '/b'), redirectCode: 303 }, 'redirectCode'],
  ['both at once', { ...redirect('/a', '/b'), is404: true }, 'is404'],
  ['the whole file system', { location: '/', volumes: '/' }, 'volumes'],
  ['no time at all', { location: '/', url: 'http://app', timeout: 0 }, 'timeout'],
])('%s is a problem of its location', (_what, location, field) =>
  expect(Object.keys(siteProblems(site([location])))).toEqual([`locations.0.${field}`]),
);

it('If nginx cannot distinguish two locations, the second one has the problem', () => {
  const files = { location: '/files' };
  expect(siteProblems(site([files, { location: '/files/', is404: true }]))).toEqual({
    'locations.1.location': 'the location /files/ already exists',
  });
  expect(siteProblems(site([files, { location: '/files', match: 'exact', is404: true }]))).toEqual({});
});

it.each<[string, Omit<SiteLocation, 'id'>[], boolean]>([
  ['a host only, its own', [redirect('/', 'https://app.test')], true],
  ['a path of the same location', [redirect('/', '/new')], true],
  ['the same exact path', [{ ...redirect('/a', 'https://app.test/a'), match: 'exact' }], true],
  ['a path of another location', [redirect('/', '/new'), { location: '/new', is404: true }], false],
  ['another host', [redirect('/', 'https://www.app.test')], false],
  ['another port', [redirect('/', 'https://app.test:8443/')], false],
])('A redirect to %s', (_what, locations, isLoop) => {
  expect(Object.keys(siteProblems(site(locations)))).toEqual(isLoop ? ['locations.0.url'] : []);
});

it('A redirect to https may be correct if something else terminates TLS', () => {
  const options = { docker: false, ssl: false, gzip: false };
  expect(siteProblems(site([redirect('/', 'https://app.test')], { options }))).toEqual({});
});
