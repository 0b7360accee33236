// covers: DOM-07
import { given, meta } from '../platform/decisions/decider-testing';
import { AdoptConfig, RecordAppliedConfig, RecordConfigRemoval, RecordFoundConfig } from './domain-config';
import { domainsDecider, type DomainEvent } from './domains.decider';

const ID = '0193f0a0-0000-7000-8000-000000000001';
const [sha256, another] = ['a'.repeat(64), 'b'.repeat(64)];
const added: DomainEvent = {
  type: 'DomainAdded',
  data: { serverName: 'shop.example.org', server: ID, addresses: [] },
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
const gone: DomainEvent = { type: 'SiteConfigDrifted', data: {} };
const domain = (...events: DomainEvent[]) => given(domainsDecider, [added, ...events]);

describe('the configuration of a domain', () => {
  const look = (data: RecordFoundConfig['data']) => new RecordFoundConfig(ID, data, meta);
  const adopt = (of: string) => new AdoptConfig(ID, { sha256: of }, meta);

  test('records every apply, since each was a run', () => {
    domain(applied)
      .when(new RecordAppliedConfig(ID, site, meta))
      .then([applied]);
  });

  test('ignores a configuration for another name', () => {
    const renamed: DomainEvent = { type: 'DomainRenamed', data: { serverName: 'www.example.org' } };
    domain(renamed)
      .when(new RecordAppliedConfig(ID, site, meta))
      .thenRejected('conflict', 'this domain is now called www.example.org: shop.example.org.conf is still');
  });

  test('records another or a missing text as drift, once, and takes it back when the text matches again', () => {
    domain(applied).when(look({ found })).then([drifted]);
    domain(applied).when(look({})).then([gone]);
    domain(applied, drifted).when(look({})).then([gone]);
    const unread: DomainEvent = { type: 'SiteConfigDrifted', data: { found: { text: '', sha256: another } } };
    domain(applied, drifted).when(look(unread.data)).then([]);
    domain(applied, unread).when(look(unread.data)).then([]);
    domain(applied, unread).when(look({ found })).then([drifted]);
    domain(applied)
      .when(look({ found: site }))
      .then([]);
    domain(applied, drifted)
      .when(look({ found: { text: site.text, sha256 } }))
      .then([{ type: 'SiteConfigReturned', data: { sha256 } }]);
    domain().when(look({ found })).then([]);
  });

  test('does not report drift from a look at an earlier configuration', () => {
    domain(applied)
      .when(look({ found, against: another }))
      .then([]);
    domain(applied)
      .when(look({ against: '' }))
      .then([]);
    domain(applied)
      .when(look({ found, against: sha256 }))
      .then([drifted]);
  });

  test('can be adopted by somebody who has seen it', () => {
    const adopted: DomainEvent = { type: 'SiteConfigAdopted', data: found };
    domain(applied, drifted).when(adopt(another)).then([adopted]);
    const again = 'this is not the configuration that was found on the server: check again';
    domain(applied, drifted)
      .when(adopt('c'.repeat(64)))
      .thenRejected('invalid', again);
    domain(applied, gone).when(adopt('')).thenRejected('invalid', again);
    domain(applied).when(adopt(another)).thenRejected('invalid', again);
    // The adopted text is the expected one from now on.
    domain(applied, drifted, adopted).when(look({ found })).then([]);
  });

  test('is removed if there is one', () => {
    const remove = new RecordConfigRemoval(ID, { file: site.file }, meta);
    domain(applied, drifted)
      .when(remove)
      .then([{ type: 'SiteConfigRemoved', data: { file: site.file } }]);
    domain().when(remove).then([]);
  });
});
