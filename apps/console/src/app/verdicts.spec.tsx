/** Checks every verdict of a domain and of a server on all pages that show it. */
import { screen, waitFor, within } from '@testing-library/react';
import {
  certificateVerdicts,
  configVerdicts,
  dnsVerdicts,
  serverVerdicts,
  siteVerdicts,
  type CertificateState,
  type ConfigState,
  type DnsState,
  type NewestHealth,
  type ServerState,
  type SiteState,
} from '@quarterdeck/projections';
import { domainOf, pageOfDomains } from '../testing/domain';
import { answerWith } from '../testing/network';
import { renderRoutes, sessionOf } from '../testing/render';
import { pageOfServers, serverOf } from '../testing/server';
import { routes } from './router';

const SERVER = '01930000-0000-7000-8000-000000000d01';
const ID = '01930000-0000-7000-8000-000000000d02';
const NAME = 'shop.example.org';
const at = '2026-11-20T12:00:00.000Z';
const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString();

const options = { docker: false, ssl: true, gzip: false };
const config = {
  sha256: 'abc',
  options,
  file: `${NAME}.conf`,
  at,
  by: 'p',
  position: '7',
  text: 'server {}',
};
const served = (days: number, more: object = {}) => ({
  served: {
    at,
    valid: true,
    served: {
      notAfter: inDays(days),
      notBefore: inDays(days - 90),
      names: [NAME],
      serial: 'A',
      issuer: 'CA',
      protocol: 'TLSv1.3',
    },
    ...more,
  },
});
const dns = (outcome: string, pointsHere = false) => ({ dns: { outcome, addresses: [], pointsHere, at } });
const fine = { ...dns('found', true), config, ...served(80.5), answer: { is: 'answers', says: 'x', at } };

interface Sample {
  /** Expected words about the part (DNS, configuration or certificate). */
  part: string;
  verdict: string;
  more: object;
}

const dnsSamples: Record<DnsState, object> = {
  correct: {},
  wrong: dns('found'),
  none: dns('none'),
  unknown: dns('failed'),
};
const configSamples: Record<ConfigState, object> = {
  never: { config: undefined, served: undefined },
  applied: {},
  pending: { pending: 13 },
  changed: { drift: { at, found: { sha256: 'def', text: 'other' } } },
};
const untrusted = (code: string) => served(80.5, { valid: false, code });
const certificateSamples: Record<CertificateState, object> = {
  none: { served: undefined, config: { ...config, options: { ...options, ssl: false } } },
  valid: {},
  expiring: served(12.5),
  lastDay: served(0.5),
  expired: served(-3),
  lacksName: { names: [{ name: `www.${NAME}`, does: 'redirects' }] },
  wrongName: {
    served: {
      ...served(80.5).served,
      valid: false,
      code: 'NAME_MISMATCH',
      served: { ...served(89.5).served.served, names: ['blog.example.org'] },
    },
  },
  selfSigned: untrusted('DEPTH_ZERO_SELF_SIGNED_CERT'),
  invalid: untrusted('SELF_SIGNED_CERT_IN_CHAIN'),
  unreachable: { served: { at, valid: false, code: 'refused', reason: 'Nothing listens there.' } },
  unchecked: { served: undefined },
  notUsed: {
    served: undefined,
    certificate: served(80.5).served.served,
    config: { ...config, options: { ...options, ssl: false } },
  },
};
const siteSamples: Record<SiteState, object> = {
  ...Object.fromEntries(
    Object.keys(siteVerdicts).map((is) => [is, { answer: { is, says: 'as it was seen', at } }]),
  ),
  unchecked: { answer: undefined },
  none: { config: undefined },
} as Record<SiteState, object>;

const good = new Set(['answers', 'correct', 'applied', 'valid', 'none']);
const attention = (words: string) => `Needs attention: ${words}`;
const samples: Sample[] = [
  ...Object.entries(siteSamples).map(([is, more]) => {
    const { label } = siteVerdicts[is as SiteState];
    return { part: label, verdict: good.has(is) ? 'Serving' : attention(label), more };
  }),
  ...Object.entries(dnsSamples).map(([is, more]) => {
    const { label } = dnsVerdicts[is as DnsState];
    return { part: label, verdict: is === 'correct' ? 'Serving' : attention(label), more };
  }),
  ...Object.entries(configSamples).map(([is, more]) => {
    const { label } = configVerdicts[is as ConfigState];
    const words = is === 'pending' ? `${label}: 13 lines` : label;
    return { part: words, verdict: good.has(is) ? 'Serving' : attention(words), more };
  }),
  ...Object.entries(certificateSamples).map(([is, more]) => {
    const { label: category } = certificateVerdicts[is as CertificateState];
    const label = is === 'lacksName' ? `lacks www.${NAME}` : category;
    return { part: label, verdict: good.has(is) ? 'Serving' : attention(`certificate ${label}`), more };
  }),
];

const open = (address: string, domains: object[], server: object, newest: Partial<NewestHealth>[] = []) => {
  answerWith({
    'GET /api/session': { body: sessionOf('admin') },
    'POST /api/run/list': { body: { runs: [] } },
    'POST /api/person/list': { body: [] },
    'POST /api/workspace/detail': {
      body: { dns: { resolvers: [], ttl: 300 }, revision: 1, sslMonitor: { expiringDays: 30 } },
    },
    'POST /api/server/list': { body: [server] },
    'POST /api/server/page': pageOfServers([server], newest),
    'POST /api/server/detail': { body: server },
    'POST /api/health/list': { body: newest },
    'POST /api/domain/page': pageOfDomains(...domains),
    'POST /api/domain/pageByServer': pageOfDomains(...domains),
    'POST /api/domain/detail': { body: domains[0] },
  });
  return renderRoutes(routes, { at: address, session: sessionOf('admin') });
};

const header = (name: string) => screen.findByRole('heading', { level: 1, name });
/** The page's main content. */
const main = () => within(screen.getByRole('main'));

test.each(samples)(
  'the page of a domain says "$verdict" because of "$part"',
  async ({ part, verdict, more }) => {
    open(`/app/domain/${ID}/edit`, [domainOf(ID, { ...fine, ...more })], serverOf(SERVER, 'web-1'));
    await header(NAME);
    await waitFor(() => expect(main().getAllByText(verdict)).not.toHaveLength(0));
    expect(main().getAllByText(part)).not.toHaveLength(0);
  },
);

/** The same of another domain. */
const named = (text: string, name: string): string => text.replaceAll(NAME, name);
const listed = samples.map(({ part, verdict, more }, at) => {
  const name = `shop-${at}.example.org`;
  const domain = domainOf(ID.slice(0, -2) + (at + 10), { ...fine, ...more, serverName: name });
  const row = JSON.parse(named(JSON.stringify(domain), name)) as object;
  return { name, row, words: [verdict, part].map((text) => named(text, name)) };
});
/** As many as a page of a list shows. */
const PAGE = 25;
const pages = Array.from({ length: Math.ceil(listed.length / PAGE) }, (_, at) =>
  listed.slice(at * PAGE, (at + 1) * PAGE),
);

test.each(['/app/domain', `/app/server/${SERVER}/detail?tab=domains`])(
  'the list at %s says the same of each domain',
  async (address) => {
    for (const shown of pages) {
      const page = open(
        address,
        shown.map(({ row }) => row),
        serverOf(SERVER, 'web-1'),
      );
      // Roles of so many rows take long to find.
      const rowOf = async (name: string) =>
        within((await screen.findByText(name)).closest('tr') as HTMLElement);
      for (const { name, words } of shown) {
        const row = await rowOf(name);
        for (const text of words) expect([name, text, row.queryAllByText(text)]).not.toContainEqual([]);
      }
      page.unmount();
    }
  },
);

const since = inDays(-3.5);
const reachable = { health: { state: 'reachable', since } };
const key = { algorithm: 'ssh-ed25519', fingerprint: 'SHA256:x' };
const figures = { server: SERVER, at, ok: true, tookMs: 20, load1: 0.5, cores: 2 };

const serverSamples: Record<ServerState, { more: object; newest?: Partial<NewestHealth>; words?: string }> = {
  healthy: { more: reachable, newest: figures },
  overloaded: { more: reachable, newest: { ...figures, load1: 9 } },
  memoryFull: { more: reachable, newest: { ...figures, memoryTotal: 100, memoryAvailable: 5 } },
  diskFull: { more: reachable, newest: { ...figures, diskTotal: 100, diskAvailable: 5 } },
  unreachable: {
    more: { health: { state: 'unreachable', since } },
    newest: { server: SERVER, at, ok: false },
    words: 'unreachable for 3 days',
  },
  hostKeyChanged: { more: { ...reachable, hostKey: { ...key, since }, refusedHostKey: { ...key, at } } },
  notReached: { more: {}, newest: { server: SERVER, at, ok: false } },
  notChecked: { more: {} },
};

test.each(Object.entries(serverSamples))(
  'a server that is %s says so on every page that shows it',
  async (is, { more, newest, words = serverVerdicts[is as ServerState].label }) => {
    const server = serverOf(SERVER, 'web-1', more);
    for (const [address, ready] of [
      ['/app/server', () => screen.findByRole('row', { name: /web-1/ })],
      [`/app/server/${SERVER}/detail`, () => screen.findByRole('region', { name: 'Health' })],
    ] as const) {
      const page = open(address, [domainOf(ID)], server, newest ? [newest] : []);
      await ready();
      await waitFor(() => expect(main().getAllByText(words)).not.toHaveLength(0));
      page.unmount();
    }
  },
);
