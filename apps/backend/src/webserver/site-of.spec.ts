import type { PresentDomain } from '../domains';
import { firstOptions, siteOf, withDraft } from './site-of';

const one = '0190a000-0000-7000-8000-000000000001';
const two = '0190a000-0000-7000-8000-000000000002';
const options = { docker: true, ssl: true, gzip: true };
const server = {
  id: 'a',
  alias: 'web',
  host: '192.0.2.7',
  port: 22,
  username: 'root',
  root: '/root',
  path: '/srv/static',
  nginxPath: '/srv/nginx',
};

const domain = (change: Partial<PresentDomain> = {}): PresentDomain => ({
  is: 'present',
  names: [],
  serverName: 'app.test',
  server: 'a',
  locations: [{ id: one, location: '/', match: 'prefix' }],
  dns: { outcome: 'found', addresses: [{ address: '192.0.2.7', family: 4 }], pointsHere: true },
  certificate: {},
  thresholds: null,
  left: [],
  ...change,
});

it('uses the last applied options, by default plain HTTP; requested options take precedence', () => {
  const config = { sha256: 'x', file: 'app.test.conf', options };
  expect(siteOf(domain(), server).options).toEqual(firstOptions);
  expect(siteOf(domain({ config }), server).options).toEqual(options);
  expect(siteOf(domain({ config }), server, firstOptions).options).toEqual(firstOptions);
});

it('takes only the paths from the server', () => {
  expect(siteOf(domain(), server).folders).toEqual({
    root: '/root',
    path: '/srv/static',
    nginxPath: '/srv/nginx',
  });
});

it('listens on IPv6 if the name has an IPv6 address', () => {
  expect(siteOf(domain(), server).ipv6).toBe(false);
  const addresses = [
    { address: '192.0.2.7', family: 4 },
    { address: '2001:db8::7', family: 6 },
  ];
  expect(siteOf(domain({ dns: { ...domain().dns, addresses } }), server).ipv6).toBe(true);
  const silent = { outcome: 'failed' as const, addresses: [], pointsHere: false, known: addresses };
  expect(siteOf(domain({ dns: silent }), server).ipv6).toBe(true);
});

it('keeps an edited location in its place, and appends a new one', () => {
  const site = siteOf(
    domain({ locations: [...domain().locations, { id: two, location: '/b', match: 'prefix' }] }),
    server,
  );
  expect(withDraft(site, { id: one, location: '/new' }).locations.map(({ location }) => location)).toEqual([
    '/new',
    '/b',
  ]);
  const third = '0190a000-0000-7000-8000-000000000003';
  expect(withDraft(site, { id: third, location: '/c' }).locations.map(({ id }) => id)).toEqual([
    one,
    two,
    third,
  ]);
});
