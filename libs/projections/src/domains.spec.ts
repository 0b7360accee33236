// covers: DOM-01, DOM-02, DOM-03, DOM-04, DOM-06, DOM-07
import type { AppEvent } from '@quarterdeck/events';
import { domains } from './domains';
import { ALICE, logOf, viewOf, viewsOf, WORKSPACE } from './testing/log';

const ID = '0193f0a0-0000-7000-8000-000000000001';
const STREAM = `domain-${ID}`;
const [SERVER, OTHER] = ['0193f0a0-0000-7000-8000-0000000000a1', '0193f0a0-0000-7000-8000-0000000000a2'];
const PACKAGE = '0193f0a0-0000-7000-8000-0000000000b1';
const at = (second: number): string => `2026-11-20T12:00:${String(second).padStart(2, '0')}.000Z`;

const here = [{ address: '192.0.2.1', family: 4 }];
const added: AppEvent = {
  type: 'DomainAdded',
  data: { serverName: 'shop.example.org', server: SERVER, addresses: here },
};
const view = (...events: AppEvent[]) =>
  viewOf(domains, STREAM, logOf(...[added, ...events].map((event): [string, AppEvent] => [STREAM, event])));

const api = { id: `${ID.slice(0, -1)}7`, location: '/api/', match: 'prefix' as const, deployLog: PACKAGE };
const files = { id: `${ID.slice(0, -1)}8`, location: '/files/', match: 'prefix' as const };
const there = (location: typeof api | typeof files): AppEvent => ({
  type: 'LocationAdded',
  data: { location },
});

const site = (text: string, more: object = {}): AppEvent => ({
  type: 'SiteConfigApplied',
  data: {
    text,
    sha256: `sha of ${text}`,
    options: { docker: true, ssl: false, gzip: true },
    file: '/srv/nginx/shop.conf',
    ...more,
  },
});
const facts = (serial: string) => ({
  serial,
  issuer: 'Pebble',
  names: ['shop.example.org'],
  notBefore: at(0),
  notAfter: at(59),
  keyType: 'ECDSA P-256',
  fingerprint: `SHA256:${serial}`,
});

test('an added domain points to its server', () => {
  expect(view()).toEqual({
    id: ID,
    uuid: ID,
    workspace: WORKSPACE,
    serverName: 'shop.example.org',
    server: { id: SERVER },
    serverId: SERVER,
    locations: [],
    locationIds: [],
    deployLogs: [],
    serviceIds: [],
    dns: { outcome: 'found', addresses: here, pointsHere: true, at: at(0) },
    dnsHistory: [],
    led: ['shop.example.org'],
    configs: [],
    issuances: [],
    refusals: [],
    addedAt: at(0),
    addedBy: ALICE,
    changedAt: at(0),
    changedBy: ALICE,
    revision: 0,
    position: '1',
  });
});

test('a rename and a move are edits; what was served under the old name is forgotten', () => {
  const served: AppEvent = { type: 'CertificateServed', data: { valid: false, reason: 'nobody listens' } };
  const seen = view(
    served,
    { type: 'DomainRenamed', data: { serverName: 'www.example.org' } },
    { type: 'DomainMoved', data: { server: OTHER } },
  );
  expect(seen).toMatchObject({
    serverName: 'www.example.org',
    server: { id: OTHER },
    serverId: OTHER,
    changedAt: at(3),
    revision: 3,
    position: '4',
  });
  expect(seen?.served).toBeUndefined();
  expect(view(served)).toMatchObject({ served: { valid: false, at: at(1) }, changedAt: at(0), revision: 1 });
});

test("alert thresholds are the domain's own, or absent if those of the workspace apply", () => {
  const configured = (thresholds: number[] | null): AppEvent => ({
    type: 'DomainAlertsConfigured',
    data: { thresholds },
  });
  expect(view(configured([30, 7]))?.thresholds).toEqual([30, 7]);
  expect(view(configured([30, 7]), configured(null))?.thresholds).toBeUndefined();
});

test('settings of the site are those of the last change', () => {
  const changed = (settings: object): AppEvent => ({ type: 'SiteSettingsChanged', data: { settings } });
  expect(view()?.settings).toBeUndefined();
  expect(view(changed({ hsts: 'off' }))?.settings).toEqual({ hsts: 'off' });
  expect(view(changed({ hsts: 'off' }), changed({ trustedProxies: '10.0.0.1' }))).toMatchObject({
    settings: { trustedProxies: '10.0.0.1' },
    changedAt: at(2),
  });
});

test('locations keep their order, and are found by their id and their package', () => {
  const revised: AppEvent = {
    type: 'LocationRevised',
    data: { location: { id: api.id, location: '/v2/', match: 'prefix' } },
  };
  expect(view(there(api), there(files))).toMatchObject({
    locations: [{ ...api, deployLog: { id: PACKAGE } }, files],
    locationIds: [api.id, files.id],
    deployLogs: [PACKAGE],
    changedAt: at(2),
  });
  expect(view(there(api), there(files), revised)).toMatchObject({
    locations: [{ id: api.id, location: '/v2/', match: 'prefix' }, files],
    deployLogs: [],
  });
  const removed: AppEvent = { type: 'LocationRemoved', data: { id: api.id, location: '/api/' } };
  expect(view(there(api), there(files), removed)).toMatchObject({
    locations: [files],
    locationIds: [files.id],
    deployLogs: [],
  });
});

test('DNS answers have the time of the look-up, are listed newest first, and do not count as edits', () => {
  const none: AppEvent = {
    type: 'DnsAnswerChanged',
    data: { outcome: 'none', addresses: [], pointsHere: false },
  };
  const back: AppEvent = {
    type: 'DnsAnswerChanged',
    data: { outcome: 'found', addresses: here, pointsHere: true },
  };
  expect(view(none, back)).toMatchObject({
    dns: { outcome: 'found', at: at(2) },
    dnsHistory: [
      { outcome: 'none', at: at(1) },
      { outcome: 'found', at: at(0) },
    ],
    changedAt: at(0),
  });
  const many = Array.from({ length: 60 }, (_, index) => (index % 2 ? back : none));
  expect(view(...many)?.dnsHistory).toHaveLength(50);
});

describe('the configuration of a domain', () => {
  const drifted: AppEvent = {
    type: 'SiteConfigDrifted',
    data: { found: { text: 'by hand', sha256: 'hand' } },
  };

  test('is the last applied one, with its run; earlier ones are listed without their text', () => {
    const seen = view(site('one'), site('two', { restored: 'sha of one' }));
    const options = { docker: true, ssl: false, gzip: true };
    const common = { options, file: '/srv/nginx/shop.conf', by: ALICE, run: 'command-1' };
    const [one, two] = [
      { ...common, sha256: 'sha of one', at: at(1), position: '2' },
      { ...common, sha256: 'sha of two', at: at(2), position: '3', restored: 'sha of one' },
    ];
    expect(seen?.config).toEqual({ ...two, text: 'two' });
    expect(seen?.configs).toEqual([two, one]);
  });

  test('shows drift until the file matches again, or is adopted, applied again or removed', () => {
    expect(view(site('one'), drifted)?.drift).toEqual({
      found: { text: 'by hand', sha256: 'hand' },
      at: at(2),
    });
    const adopted: AppEvent = { type: 'SiteConfigAdopted', data: { text: 'by hand', sha256: 'hand' } };
    const ends: AppEvent[] = [
      { type: 'SiteConfigReturned', data: { sha256: 'sha of one' } },
      adopted,
      site('two'),
      { type: 'SiteConfigRemoved', data: { file: '/srv/nginx/shop.conf' } },
    ];
    for (const end of ends)
      expect([end.type, view(site('one'), drifted, end)?.drift]).toEqual([end.type, undefined]);
    expect(view(site('one'), drifted, adopted)).toMatchObject({
      config: { text: 'by hand', sha256: 'hand', options: { docker: true }, file: '/srv/nginx/shop.conf' },
      changedAt: at(3),
    });
    expect(view(site('one'), ends[3] as AppEvent)).toMatchObject({ configs: [{ sha256: 'sha of one' }] });
    expect(view(site('one'), ends[3] as AppEvent)?.config).toBeUndefined();
  });
});

test('the certificate counts renewals, and keeps what the CA issued and refused', () => {
  const issued: AppEvent = { type: 'CertificateIssued', data: facts('0A') };
  const renewed: AppEvent = { type: 'CertificateRenewed', data: { ...facts('0B'), previous: '0A' } };
  const refused: AppEvent = { type: 'CertificateRefused', data: { detail: 'too many certificates' } };
  const names = ['shop.example.org'];
  const seen = view(issued, refused, renewed);
  expect(seen?.certificate).toEqual({ ...facts('0B'), at: at(3), run: 'command-1', renewals: 1 });
  expect(seen?.issuances).toEqual([
    { at: at(3), names, renewed: true },
    { at: at(1), names, renewed: false },
  ]);
  expect(seen?.refusals).toEqual([{ detail: 'too many certificates', at: at(2) }]);
  const removed: AppEvent = { type: 'CertificateRemoved', data: { serial: '0B' } };
  expect(view(issued, renewed, removed)?.certificate).toBeUndefined();
  expect(view(issued, renewed, removed)?.issuances).toHaveLength(2);
});

test('a removed domain is gone, and ignores events of other streams', () => {
  const removed: AppEvent = {
    type: 'DomainRemoved',
    data: { serverName: 'shop.example.org', kept: { config: false, certificate: false } },
  };
  expect(view(removed)).toBeUndefined();
  const script: AppEvent = { type: 'ScriptRenamed', data: { name: 'other' } };
  expect(viewsOf(domains, logOf([STREAM, added], [`script-${OTHER}`, script])).size).toBe(1);
});

// covers: AUD-03
test.each([true, false])(
  'a restored domain has its locations and what was left on the server: %s',
  (keeps) => {
    const kept = { config: keeps, certificate: keeps };
    const gone: AppEvent = { type: 'DomainRemoved', data: { serverName: 'shop.example.org', kept } };
    const restored: AppEvent = {
      type: 'DomainRestored',
      data: { serverName: 'shop.example.org', server: SERVER },
    };
    const whole = [there(api), site('one'), { type: 'CertificateIssued', data: facts('0A') }] as const;
    const before = view(...whole);
    const after = view(...whole, gone, restored);
    expect(before?.config && before.certificate).toBeDefined();
    expect(after).toMatchObject({
      serverName: before?.serverName,
      locations: before?.locations,
      issuances: before?.issuances,
      configs: before?.configs,
      removedAt: undefined,
    });
    expect([after?.config, after?.certificate]).toEqual(
      keeps ? [before?.config, before?.certificate] : [undefined, undefined],
    );
  },
);
