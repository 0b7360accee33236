/** Sites as operators could make them, and hostile input. */
import fc from 'fast-check';
import { networkInterfaces } from 'node:os';
import { isServerName } from '@quarterdeck/events';
import type { Site, SiteLocation } from '../../apps/backend/src/webserver/site-model';
import { siteProblems } from '../../apps/backend/src/webserver/site-problems';
import { hostileTexts } from '../fuzz/hostile';

const word = fc.stringMatching(/^[a-z0-9]([a-z0-9-]{0,12}[a-z0-9])?$/);
const label = fc.oneof(word, fc.stringMatching(/^[a-z]{20,40}$/));
const serverName = fc
  .tuple(fc.array(label, { minLength: 1, maxLength: 3 }), fc.constantFrom('test', 'example', 'xn--p1ai'))
  .map(([labels, top]) => [...labels, top].join('.'))
  // A random label that begins with `xn--` is hardly ever valid punycode.
  .filter(isServerName);
const segment = fc.oneof(
  word,
  fc.constantFrom('grüße', 'a(b)', '@scope', 'v1.2', 'a,b=c', '~me', 'a&b!c', '.well-known', 'a+b*c'),
);
const path = fc
  .tuple(fc.array(segment, { maxLength: 3 }), fc.boolean())
  .map(([parts, slash]) => `/${parts.join('/')}${slash && parts.length > 0 ? '/' : ''}`);
const asciiPath = path.map((one) => one.replace(/[^!-~]/g, 'u'));
const regex = fc.constantFrom(
  '\\.php$',
  '^/api/v[0-9]{1,2}/',
  '^/(?:a|b)/(?!c)',
  '(?i)\\.(jpe?g|png)$',
  '^/[^/]+/edit$',
  '^/\\d+\\w*\\\\',
  '/ä+',
);
const folder = fc
  .array(fc.oneof(word, fc.constantFrom('my files', 'grüße', 'a#b', 'a,b', '[x]', '*')), {
    minLength: 1,
    maxLength: 3,
  })
  .map((parts) => `/srv/${parts.join('/')}`);
const scheme = fc.constantFrom('http', 'https');
const port = fc.option(fc.integer({ min: 1, max: 65_535 }), { nil: undefined });
const url = (host: fc.Arbitrary<string>, rest: fc.Arbitrary<string>) =>
  fc
    .tuple(scheme, host, port, rest)
    .map(([how, name, number, tail]) => `${how}://${name}${number === undefined ? '' : `:${number}`}${tail}`);
/** What has no host in the usual place. */
const others = fc.constantFrom('unix:/run/app.sock', 'grpc://127.0.0.1:50051', 'grpcs://[::1]');
const rest = fc.oneof(fc.constant(''), asciiPath);

/** Without Docker the upstream's name is resolved when nginx starts. */
const location = (docker: boolean): fc.Arbitrary<SiteLocation> =>
  fc
    .record({
      id: fc.uuid(),
      does: fc.constantFrom('pass', 'serve', 'redirect', 'notFound'),
      match: fc.constantFrom('prefix' as const, 'exact' as const, 'regex' as const, undefined),
      path,
      regex,
      upstream: fc.oneof(
        {
          weight: 5,
          arbitrary: url(
            docker
              ? fc.constantFrom('app', 'my_app', 'absent.container', '172.17.0.2')
              : fc.constantFrom('127.0.0.1', 'localhost', '[::1]', '10.1.2.3'),
            rest,
          ),
        },
        { weight: 1, arbitrary: others },
      ),
      target: fc.oneof(url(serverName, rest), asciiPath, fc.constant('https://a.test/x?y=1&z=%20#top')),
      redirectCode: fc.constantFrom(301, 302, 307, 308, undefined),
      volumes: fc.option(folder, { nil: undefined }),
      isCorsEnabled: fc.boolean(),
      websocket: fc.boolean(),
      timeout: fc.option(fc.integer({ min: 1, max: 86_400 }), { nil: undefined }),
      maxBody: fc.option(fc.integer({ min: 1, max: 100_000 }), { nil: undefined }),
      maxHeader: fc.option(fc.integer({ min: 4, max: 128 }), { nil: undefined }),
      frames: fc.constantFrom('deny' as const, 'sameOrigin' as const, 'app' as const, undefined),
      corsOrigins: fc.constantFrom(`https://${'long-name.'.repeat(8)}test http://[::1]:3000`, undefined),
      singlePage: fc.boolean(),
    })
    .map(({ does, path: plain, regex: source, upstream, target, match, singlePage, ...others }) => ({
      ...others,
      ...(match !== 'exact' && match !== 'regex' && { singlePage }),
      match,
      location: match === 'regex' ? source : plain,
      is404: does === 'notFound',
      isRedirect: does === 'redirect',
      ...(does === 'pass' && {
        url: match === 'regex' ? (/^unix:.*|^[^/]*\/\/[^/]*/.exec(upstream) ?? [''])[0] : upstream,
      }),
      ...(does === 'redirect' && { url: target }),
    }));

interface Ground {
  root: string;
  certificate: { fullchain: string; key: string };
}

/** nginx's test binds the ports. Those below 1024 need privileges, and not every machine has IPv6. */
export const HIGH_PORTS = { http: 18_080, https: 18_443, address: '127.0.0.1' };
const hasIpv6 = Object.values(networkInterfaces()).some((all) =>
  all?.some(({ family }) => family === 'IPv6'),
);

/** Repeated, because removing one location may reveal another problem, such as a redirect to itself. */
const withoutClashes = (site: Site): Site => {
  const clashing = Object.keys(siteProblems(site)).map((field) => Number(field.split('.')[1]));
  const locations = site.locations.filter((_, index) => !clashing.includes(index));
  return locations.length === site.locations.length ? site : withoutClashes({ ...site, locations });
};

/** A valid site: locations that clash with others are left out. */
export const siteArbitrary = ({ root, certificate }: Ground): fc.Arbitrary<Site> =>
  fc
    .record({
      serverName,
      docker: fc.boolean(),
      ssl: fc.boolean(),
      gzip: fc.boolean(),
      ipv6: fc.boolean(),
      path: folder,
      others: fc.subarray(['www', '*', 'old']),
      settings: fc.option(
        fc.record({
          hsts: fc.constantFrom('on' as const, 'off' as const, 'app' as const, undefined),
          trustedProxies: fc.constantFrom('10.0.0.0/8 2001:db8::/32', '127.0.0.1', undefined),
          realAddress: fc.constantFrom('CF-Connecting-IP' as const, undefined),
        }),
        { nil: undefined },
      ),
    })
    .chain(({ docker, ssl, gzip, serverName: name, ipv6, path: files, others, settings }) =>
      fc.array(location(docker), { maxLength: 7 }).map((locations) => {
        const site: Site = {
          serverName: name,
          names: others
            .map((other) => ({
              name: `${other}.${name}`,
              does: other === 'old' ? ('redirects' as const) : ('serves' as const),
            }))
            .filter((other) => other.name.length < 100),
          options: { docker, ssl, gzip },
          ...(settings && { settings }),
          locations,
          folders: { path: files, root, nginxPath: '/srv/nginx' },
          certificate,
          ipv6: ipv6 && hasIpv6,
          listen: HIGH_PORTS,
        };
        return withoutClashes(site);
      }),
    );

const meaningful = [
  ...'"\'`;{}$#\\\n\r\t\u0000\u0001\u007f\u0085\u00a0\u2028\u2029\u202e\ufeff<>|^%?',
  '\ud800',
  '../',
  '/../',
  '${host}',
  '$request_uri',
  '\\"',
  '%00',
  '%0a',
  '"; }',
  "'; }",
];

/** Each character with a meaning to nginx, a shell or a terminal: alone, doubled, inside, and before a directive. */
export const hostileValues: readonly string[] = [
  ...new Set([
    ...meaningful.flatMap((one) => [
      one,
      `${one}${one}`,
      `a${one}b`,
      `x${one} return 200 owned; #`,
      `${one}a`,
      `a${one}`,
    ]),
    ...hostileTexts.filter((one) => one !== ''),
    '"; } server { listen 1; } #',
    "'; include /etc/passwd; #",
    ';\nload_module /tmp/x.so;\n',
    '}\n}\nhttp {',
    '\\";access_log /tmp/x;"',
    '*/ return 200; /*',
    'a b',
    ' a',
    'a ',
  ]),
];
