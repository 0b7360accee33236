// covers: DOM-02
import type { SiteSettings } from '@quarterdeck/events';
import { foldEvents } from '../platform/decider';
import { given, meta } from '../platform/decisions/decider-testing';
import { RecordDnsAnswer } from './domain-answers';
import { AdoptConfig, RecordAppliedConfig, RecordConfigRemoval, RecordFoundConfig } from './domain-config';
import {
  AddDomain,
  ChangeSiteSettings,
  ConfigureDomainAlerts,
  domainsDecider,
  EditDomain,
  RecordLeftRemoval,
  RemoveDomain,
  RestoreDomain,
  type DomainEvent,
} from './domains.decider';

const ID = '0193f0a0-0000-7000-8000-000000000001';
const SERVER = '0193f0a0-0000-7000-8000-0000000000a1';
const OTHER = '0193f0a0-0000-7000-8000-0000000000a2';
const here = [{ address: '192.0.2.1', family: 4 }];
const [sha256, another] = ['a'.repeat(64), 'b'.repeat(64)];

const fields = { serverName: 'shop.example.org', server: SERVER };
const data = { ...fields, addresses: here };
const added: DomainEvent = { type: 'DomainAdded', data };
const removed: DomainEvent = {
  type: 'DomainRemoved',
  data: { serverName: 'shop.example.org', kept: { config: false, certificate: false } },
};
const site = {
  text: 'server {}\n',
  sha256,
  options: { docker: false, ssl: true, gzip: true },
  file: 'shop.example.org.conf',
};
const applied: DomainEvent = { type: 'SiteConfigApplied', data: site };
const found = { text: 'server { }\n', sha256: another };
const drifted: DomainEvent = { type: 'SiteConfigDrifted', data: { found } };
const facts = {
  serial: '0A',
  issuer: 'Pebble',
  names: ['shop.example.org'],
  notBefore: '2026-11-01T00:00:00Z',
  notAfter: '2027-01-30T00:00:00Z',
  keyType: 'ECDSA P-256',
  fingerprint: 'SHA256:one',
};
const issued: DomainEvent = { type: 'CertificateIssued', data: facts };

const domain = (...events: DomainEvent[]) => given(domainsDecider, [added, ...events]);

describe('adding', () => {
  const add = (more: object = {}) => new AddDomain(ID, { ...data, ...more }, meta);

  test('is recorded once; the same again records nothing', () => {
    given(domainsDecider, []).when(add()).then([added]);
    domain()
      .when(add({ serverName: 'other.example.org' }))
      .thenRejected('conflict', 'domain already exists');
    domain(removed).when(add()).thenRejected('conflict');
  });
});

describe('editing', () => {
  const edit = (more: object = {}) => new EditDomain(ID, { ...fields, ...more }, meta);

  test('records only what has changed', () => {
    domain().when(edit()).then([]);
    const renamed = { serverName: 'www.example.org', nameClaimed: true };
    domain()
      .when(edit({ ...renamed, server: OTHER }))
      .then([
        { type: 'DomainRenamed', data: { serverName: 'www.example.org' } },
        { type: 'DomainMoved', data: { server: OTHER } },
      ]);
    domain()
      .when(edit({ server: OTHER }))
      .then([{ type: 'DomainMoved', data: { server: OTHER } }]);
  });

  test('refuses a name that was not reserved', () => {
    domain()
      .when(edit({ serverName: 'www.example.org' }))
      .thenRejected('conflict', 'the name www.example.org is not reserved for this domain');
  });

  test.each([
    ['configuration', 'move', applied, { server: OTHER }],
    ['configuration', 'rename', applied, { serverName: 'www.example.org', nameClaimed: true }],
    ['certificate', 'move', issued, { server: OTHER }],
    ['certificate', 'rename', issued, { serverName: 'www.example.org', nameClaimed: true }],
  ] as const)('its %s is removed from the server before a %s', (what, _how, onServer, change) => {
    domain(onServer)
      .when(edit(change))
      .thenRejected('invalid', `remove its ${what} from the server first, or leave what is there`);
    domain(onServer).when(edit()).then([]);
  });

  test('may leave what is on the server, once, and gets it back with its name and server', () => {
    const leave = { leave: { alias: 'web-1' } };
    const left = { serverName: fields.serverName, server: fields.server };
    const abandoned: DomainEvent = {
      type: 'DomainFilesAbandoned',
      data: { ...left, alias: 'web-1', config: true, certificate: true },
    };
    const moved: DomainEvent = { type: 'DomainMoved', data: { server: OTHER } };
    const back: DomainEvent[] = [
      { type: 'DomainMoved', data: { server: fields.server } },
      { type: 'DomainFilesReturned', data: left },
    ];
    domain(applied, issued)
      .when(edit({ server: OTHER, ...leave }))
      .then([abandoned, moved]);
    domain()
      .when(edit({ server: OTHER, ...leave }))
      .then([moved]);
    domain(applied, issued, abandoned, moved).when(edit()).then(back);
    domain(applied, issued, abandoned, moved, ...back)
      .when(edit({ server: OTHER }))
      .thenRejected('invalid');
    const removal = new RecordLeftRemoval(ID, left, meta);
    const removed: DomainEvent = { type: 'DomainFilesRemoved', data: left };
    domain(applied, issued, abandoned, moved).when(removal).then([removed]);
    domain(applied, issued, abandoned, moved, removed).when(removal).then([]);
    domain(applied).when(removal).then([]);
  });

  test('allows another server once the configuration is removed from the old one', () => {
    const clean: DomainEvent = { type: 'SiteConfigRemoved', data: { file: site.file } };
    domain(applied, clean)
      .when(edit({ server: OTHER }))
      .then([{ type: 'DomainMoved', data: { server: OTHER } }]);
  });

  test('only another edit makes an edit stale', () => {
    const clashes = (type: DomainEvent['type']) => domainsDecider.clashes?.(type, edit());
    expect(clashes('DomainRenamed')).toBe(true);
    expect(clashes('DomainMoved')).toBe(true);
    for (const type of [
      'DnsAnswerChanged',
      'LocationAdded',
      'SiteConfigApplied',
      'CertificateServed',
    ] as const)
      expect([type, clashes(type)]).toEqual([type, false]);
  });
});

describe('alerts', () => {
  test('thresholds are set, setting the same again records nothing, and they can be cleared', () => {
    const configure = (thresholds: number[] | null) => new ConfigureDomainAlerts(ID, { thresholds }, meta);
    const chosen: DomainEvent = { type: 'DomainAlertsConfigured', data: { thresholds: [30, 7] } };
    domain()
      .when(configure([30, 7]))
      .then([chosen]);
    domain().when(configure(null)).then([]);
    domain(chosen)
      .when(configure(null))
      .then([{ type: 'DomainAlertsConfigured', data: { thresholds: null } }]);
  });
});

describe('settings of the site', () => {
  test('are recorded as a whole; the same again records nothing, and none are the defaults', () => {
    const change = (settings: SiteSettings) => new ChangeSiteSettings(ID, { settings }, meta);
    const made: DomainEvent = {
      type: 'SiteSettingsChanged',
      data: { settings: { hsts: 'off', trustedProxies: '10.0.0.0/8' } },
    };
    domain().when(change({})).then([]);
    domain().when(change(made.data.settings)).then([made]);
    domain(made).when(change(made.data.settings)).then([]);
    domain(made)
      .when(change({}))
      .then([{ type: 'SiteSettingsChanged', data: { settings: {} } }]);
  });
});

describe('the DNS answer', () => {
  const record = (answer: RecordDnsAnswer['data']['answer'], asked: object = {}) =>
    new RecordDnsAnswer(ID, { ...fields, ...asked, answer }, meta);
  const elsewhere = {
    outcome: 'found' as const,
    addresses: [
      { address: '192.0.2.9', family: 4 },
      { address: '192.0.2.8', family: 4 },
    ],
    pointsHere: false,
  };
  const failed = (code: string) => ({
    outcome: 'failed' as const,
    addresses: [],
    pointsHere: false,
    code,
    reason: 'no answer',
  });

  test('is recorded when it differs, ignoring the order of the addresses', () => {
    domain()
      .when(record({ outcome: 'found', addresses: here, pointsHere: true }))
      .then([]);
    const changed: DomainEvent = { type: 'DnsAnswerChanged', data: elsewhere };
    domain().when(record(elsewhere)).then([changed]);
    domain(changed)
      .when(record({ ...elsewhere, addresses: elsewhere.addresses.toReversed() }))
      .then([]);
    const none = { outcome: 'none' as const, addresses: [], pointsHere: false };
    domain(changed)
      .when(record(none))
      .then([{ type: 'DnsAnswerChanged', data: none }]);
  });

  test('can count as pointing elsewhere with the same address, once the server has moved', () => {
    const left = { outcome: 'found' as const, addresses: here, pointsHere: false };
    domain()
      .when(record(left))
      .then([{ type: 'DnsAnswerChanged', data: left }]);
  });

  test('records a failure once, whichever resolver failed', () => {
    const silent: DomainEvent = { type: 'DnsAnswerChanged', data: failed('ETIMEOUT') };
    domain()
      .when(record(failed('ETIMEOUT')))
      .then([silent]);
    domain(silent)
      .when(record(failed('EREFUSED')))
      .then([]);
  });

  test('is ignored if it was for an earlier name or server', () => {
    domain()
      .when(record(elsewhere, { serverName: 'old.example.org' }))
      .then([]);
    domain()
      .when(record(elsewhere, { server: OTHER }))
      .then([]);
  });
});

describe('removal', () => {
  const remove = (serverName: string | undefined, keep: boolean) =>
    new RemoveDomain(ID, { serverName, kept: { config: keep, certificate: keep } }, meta);

  test('accepts the typed name, or none', () => {
    domain().when(remove('shop.example.org', false)).then([removed]);
    domain().when(remove(undefined, false)).then([removed]);
    domain()
      .when(remove('shop.example', false))
      .thenRejected('invalid', 'this is not the name of the domain');
  });

  test('records as kept only what existed', () => {
    const kept = (config: boolean, certificate: boolean): DomainEvent => ({
      type: 'DomainRemoved',
      data: { serverName: 'shop.example.org', kept: { config, certificate } },
    });
    domain()
      .when(remove(undefined, true))
      .then([kept(false, false)]);
    domain(applied)
      .when(remove(undefined, true))
      .then([kept(true, false)]);
    domain(issued)
      .when(remove(undefined, true))
      .then([kept(false, true)]);
    domain(applied, issued)
      .when(remove(undefined, false))
      .then([kept(false, false)]);
  });
});

describe('restoring', () => {
  const restore = new RestoreDomain(ID, {}, meta);
  const restored: DomainEvent = { type: 'DomainRestored', data: fields };

  test('brings a removed domain back, once', () => {
    domain(removed).when(restore).then([restored]);
    domain().when(restore).then([]);
    given(domainsDecider, []).when(restore).thenRejected('notFound', 'domain could not be found');
  });

  test('brings back what was left on the server, and nothing else of it', () => {
    const removal = (keeps: boolean): DomainEvent => ({
      type: 'DomainRemoved',
      data: { serverName: 'shop.example.org', kept: { config: keeps, certificate: keeps } },
    });
    const state = (...events: DomainEvent[]) => foldEvents(domainsDecider, [added, ...events]);
    expect(state(applied, drifted, issued, removal(true), restored)).toEqual(state(applied, drifted, issued));
    expect(state(applied, drifted, issued, removal(false), restored)).toEqual(state());
  });
});

test.each([
  new EditDomain(ID, fields, meta),
  new ConfigureDomainAlerts(ID, { thresholds: [7] }, meta),
  new RecordDnsAnswer(ID, { ...fields, answer: { outcome: 'none', addresses: [], pointsHere: false } }, meta),
  new RecordAppliedConfig(ID, site, meta),
  new RecordFoundConfig(ID, { found }, meta),
  new AdoptConfig(ID, { sha256 }, meta),
  new RecordConfigRemoval(ID, { file: site.file }, meta),
  new RemoveDomain(ID, { kept: { config: false, certificate: false } }, meta),
])('a domain that does not exist, or was removed, cannot be found: $type', (command) => {
  given(domainsDecider, []).when(command).thenRejected('notFound', 'domain could not be found');
  domain(removed).when(command).thenRejected('notFound', 'domain could not be found');
});
