/** covers: DOM-07. Generated configuration, checked by nginx itself. */
import fc from 'fast-check';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { originOfMessage, siteConfig, siteText } from '../../apps/backend/src/webserver/site-config';
import { siteFileName, type Site, type SiteLocation } from '../../apps/backend/src/webserver/site-model';
import { siteProblems } from '../../apps/backend/src/webserver/site-problems';
import { NginxPrefix } from './nginx-prefix';
import { HIGH_PORTS, hostileValues, siteArbitrary } from './site-samples';

const SITES = 500;
/** `npm run faults -- --n 10` tries ten seeds. */
const SEEDS = Array.from({ length: Number(process.env.FAULTS_N ?? 1) }, (_, nth) => 564398743 + nth);

let nginx: NginxPrefix;
beforeEach(() => {
  nginx = new NginxPrefix();
});
afterEach(() => nginx.end());

const id = '0190a000-0000-7000-8000-000000000001';
const plain = (change: Partial<Site> = {}): Site => ({
  serverName: 'app.test',
  options: { docker: false, ssl: false, gzip: false },
  locations: [],
  folders: { path: '/srv/static', root: nginx.folder, nginxPath: '/srv/nginx' },
  certificate: nginx.certificate,
  ipv6: false,
  listen: HIGH_PORTS,
  ...change,
});
const withLocation = (location: Partial<SiteLocation>): Site =>
  plain({ locations: [{ id, location: '/', ...location }] });

const refusedBy = (run: () => unknown): Record<string, string> | undefined => {
  try {
    run();
    return undefined;
  } catch (error) {
    return (error as { data?: Record<string, string> }).data ?? { thrown: String(error) };
  }
};

it.each(SEEDS)(
  `nginx accepts ${SITES} sites with random locations and options, in one tree: seed %i`,
  (seed) => {
    const ground = { root: nginx.folder, certificate: nginx.certificate };
    const sites = new Map<string, Site>();
    for (const site of fc.sample(siteArbitrary(ground), { numRuns: SITES * 2, seed }))
      if (sites.size < SITES) sites.set(site.serverName, site);
    expect(sites.size).toBe(SITES);
    const locations = [...sites.values()].flatMap((site) => site.locations);
    expect(locations.length).toBeGreaterThan(SITES);
    for (const match of ['exact', 'regex', undefined])
      expect(locations.some((one) => one.match === match)).toBe(true);

    for (const site of sites.values()) nginx.write(site);
    const { status, message } = nginx.test();
    const unwanted = message.split('\n').filter((line) => /\[(emerg|crit|alert)\]|conflicting/.test(line));
    expect({ seed, status, unwanted }).toEqual({ seed, status: 0, unwanted: [] });
  },
);

const HARMLESS = 'x';

/** Directives and blocks as nginx reads them, without their arguments: the structure that a value must not change. */
const shapeOf = (text: string): string => {
  const shape: string[] = [];
  let isName = true;
  const tokens = text.matchAll(
    /\s+|#[^\n]*|"(?:[^"\\]|\\[^])*"|'(?:[^'\\]|\\[^])*'|[;{}]|(?:[^\s;{}"'\\]|\\[^])+/g,
  );
  for (const [token] of tokens) {
    if (/^(\s|#)/.test(token)) continue;
    if (/^[;{}]$/.test(token)) {
      shape.push(token);
      isName = true;
    } else if (isName) {
      // What is quoted is the key of a map, and not the name of a directive.
      shape.push(token.startsWith('"') ? '""' : token);
      isName = false;
    }
  }
  return shape.join(' ');
};

it('The comparison below detects an escaping value', () => {
  const shapes = [
    'root "/a;b";',
    'root "/a"; b";',
    'root /a;',
    'root /a;\nb on;',
    'root /a }',
    '#\nroot "\\"";',
  ].map(shapeOf);
  expect(shapes).toEqual(['root ;', 'root ; b ;', 'root ;', 'root ; b ;', 'root }', 'root ;']);
});

it('No operator text escapes its argument: it is refused by name, or nginx reads it as one value', () => {
  const upstream = 'http://127.0.0.1:3000';
  const folders = (change: Partial<Site['folders']>) =>
    plain({ folders: { ...plain().folders, ...change }, locations: [{ id, location: '/' }] });
  /** Per field: sites with the text in it, alone or inside a valid value. */
  const fields: Record<string, ((value: string) => Site)[]> = {
    serverName: [(value) => plain({ serverName: value }), (value) => plain({ serverName: `a${value}.test` })],
    displayName: [(displayName) => plain({ displayName })],
    'folders.path': [(path) => folders({ path }), (value) => folders({ path: `/srv/${value}x` })],
    'folders.root': [(root) => folders({ root }), (value) => folders({ root: `${nginx.folder}/${value}x` })],
    'folders.nginxPath': [(value) => folders({ nginxPath: `/srv/${value}` })],
    'certificate.fullchain': [
      (value) => plain({ certificate: { ...nginx.certificate, fullchain: `/srv/${value}x` } }),
    ],
    'certificate.key': [(value) => plain({ certificate: { ...nginx.certificate, key: `/srv/${value}x` } })],
    'locations.0.id': [
      (value) => withLocation({ id: value }),
      (value) => withLocation({ id: `${id}${value}` }),
    ],
    'locations.0.location': [
      (location) => withLocation({ location, url: upstream }),
      (value) => withLocation({ location: `/a${value}x`, url: upstream }),
      (value) => withLocation({ location: `/a${value}x`, match: 'exact', url: upstream }),
      (value) => withLocation({ location: `^/a${value}x`, match: 'regex', url: upstream }),
    ],
    'locations.0.match': [(value) => withLocation({ match: value as 'prefix', url: upstream })],
    'locations.0.url': [
      (url) => withLocation({ url }),
      (value) => withLocation({ url: `${upstream}${value}` }),
      (value) => withLocation({ url: `${upstream}/a${value}x` }),
      (value) => withLocation({ url: `unix:/run/a${value}x` }),
      (value) => withLocation({ url: `grpc://a${value}x` }),
      (value) => withLocation({ url: `https://a.test/a${value}x`, isRedirect: true }),
      (value) => withLocation({ url: `/a${value}x`, location: '/b', isRedirect: true }),
    ],
    'locations.0.corsOrigins': [
      (value) => withLocation({ url: upstream, isCorsEnabled: true, corsOrigins: value }),
      (value) => withLocation({ url: upstream, isCorsEnabled: true, corsOrigins: `https://a${value}x.test` }),
    ],
    'locations.0.frames': [(value) => withLocation({ url: upstream, frames: value as 'deny' })],
    'settings.trustedProxies': [
      (trustedProxies) => plain({ settings: { trustedProxies } }),
      (value) => plain({ settings: { trustedProxies: `10.0.0.${value}1` } }),
    ],
    'settings.realAddress': [
      (value) => plain({ settings: { trustedProxies: '10.0.0.1', realAddress: value as 'X-Real-IP' } }),
    ],
    'settings.hsts': [(value) => plain({ settings: { hsts: value as 'on' } })],
    'locations.0.volumes': [
      (volumes) => withLocation({ volumes }),
      (value) => withLocation({ volumes: `/srv/${value}x` }),
    ],
  };
  expect(hostileValues.length).toBeGreaterThanOrEqual(200);
  let refused = 0;
  let inert = 0;
  const wrong: unknown[] = [];
  for (const [field, makers] of Object.entries(fields))
    for (const make of makers)
      for (const value of hostileValues) {
        const site = make(value);
        const problems = refusedBy(() => siteConfig(site));
        if (problems !== undefined) {
          refused += 1;
          if (Object.keys(problems).join() !== field) wrong.push([field, value, problems]);
          continue;
        }
        inert += 1;
        const text = siteConfig(site);
        if (shapeOf(text) !== shapeOf(siteConfig(make(HARMLESS)))) wrong.push([field, value, text]);
        if (field.startsWith('certificate') || field === 'folders.root') continue;
        nginx.write({ ...site, serverName: `site${inert}.test` });
      }
  expect(wrong).toEqual([]);
  expect(refused).toBeGreaterThan(1000);
  expect(inert).toBeGreaterThan(20);
  const { status, message } = nginx.test();
  expect([status, message.split('\n').filter((line) => line.includes('[emerg]'))]).toEqual([0, []]);
});

describe('A refusal of nginx is mapped to the field of', () => {
  const refusal = (site: Site): string | undefined => {
    nginx.write(site);
    const { status, message } = nginx.test();
    expect(status).toBe(1);
    return originOfMessage(siteText(site), message, siteFileName(site.serverName));
  };

  it('a pattern that cannot be compiled', () =>
    expect(refusal(withLocation({ location: '^/(a', match: 'regex', is404: true }))).toBe(
      'locations.0.location',
    ));

  it('a missing certificate', () => {
    const certificate = { fullchain: '/nowhere/fullchain.pem', key: '/nowhere/privkey.pem' };
    const options = { docker: false, ssl: true, gzip: false };
    expect(refusal(plain({ certificate, options }))).toBe('certificate.fullchain');
  });

  it('a log that cannot be opened', () => {
    const site = withLocation({ is404: true });
    nginx.write(site);
    const misplaced = siteText({ ...site, folders: { ...site.folders, root: '/nowhere' } });
    writeFileSync(join(nginx.sites, 'app.test.conf'), misplaced.text);
    expect(originOfMessage(misplaced, nginx.test().message, 'app.test.conf')).toBe('folders.root');
  });

  it("no field, if another site's file is wrong", () => {
    writeFileSync(join(nginx.sites, 'other.test.conf'), 'nonsense on;\n');
    nginx.write(plain());
    expect(originOfMessage(siteText(plain()), nginx.test().message, 'app.test.conf')).toBeUndefined();
  });
});

it('An upstream whose name is unknown does not keep nginx from starting', () => {
  const site = withLocation({ url: 'http://absent.invalid:3000/x' });
  for (const docker of [true, false]) {
    nginx.write({ ...site, options: { ...site.options, docker } });
    expect(nginx.test()).toMatchObject({ status: 0 });
  }
});

it("A name too long for nginx's hash of names is accepted, also beside others", () => {
  for (const length of [46, 47, 63])
    for (const top of ['test', 'example.test'])
      nginx.write(plain({ serverName: `${'a'.repeat(length - 5)}.${top}` }));
  const { status, message } = nginx.test();
  expect([status, message]).toEqual([0, expect.not.stringContaining('emerg')]);
  expect(readFileSync(join(nginx.sites, `${'a'.repeat(58)}.test.conf`), 'utf8')).toContain('"~^');
});

it('Invalid locations are refused with a message, before anything is written', () => {
  const problems = siteProblems(
    plain({
      locations: [
        { id, location: '/a', isRedirect: true },
        { id, location: '/a', is404: true, isRedirect: true, url: '/b' },
        { id, location: '^/a', match: 'regex', url: 'http://app/x' },
      ],
    }),
  );
  expect(problems).toEqual({
    'locations.0.url': expect.stringContaining('an address or a path is expected'),
    'locations.1.is404': 'a location either redirects or answers 404',
    'locations.1.location': 'the location /a already exists',
    'locations.2.url': expect.stringContaining('without a path'),
  });
});
