// covers: DOM-06, DOM-08
import { given, meta } from '../platform/decisions/decider-testing';
import {
  IssueCertificate,
  RecordServed,
  RefuseCertificate,
  RemoveCertificate,
  type CertificateFacts,
  type Served,
} from './domain-certificate';
import { domainsDecider, type DomainEvent } from './domains.decider';

const ID = '0193f0a0-0000-7000-8000-000000000001';
const added: DomainEvent = {
  type: 'DomainAdded',
  data: { serverName: 'shop.example.org', server: ID, addresses: [] },
};
const facts = (serial: string): CertificateFacts => ({
  serial,
  issuer: 'Pebble',
  names: ['shop.example.org'],
  notBefore: '2026-11-01T00:00:00Z',
  notAfter: '2027-01-30T00:00:00Z',
  keyType: 'ECDSA P-256',
  fingerprint: `SHA256:${serial}`,
});
const issued: DomainEvent = { type: 'CertificateIssued', data: facts('0A') };
const renewed: DomainEvent = { type: 'CertificateRenewed', data: { ...facts('0B'), previous: '0A' } };
const removed: DomainEvent = { type: 'CertificateRemoved', data: { serial: '0A' } };
const domain = (...events: DomainEvent[]) => given(domainsDecider, [added, ...events]);

describe('the issued certificate', () => {
  const issue = (serial: string) => new IssueCertificate(ID, facts(serial), meta);

  test('the first one is issued, another one is a renewal, and the same one records nothing', () => {
    domain().when(issue('0A')).then([issued]);
    domain(issued).when(issue('0B')).then([renewed]);
    domain(issued, renewed).when(issue('0B')).then([]);
    domain(issued, removed)
      .when(issue('0B'))
      .then([{ type: 'CertificateIssued', data: facts('0B') }]);
  });

  test('ignores a certificate for another name', () => {
    const renamed: DomainEvent = { type: 'DomainRenamed', data: { serverName: 'www.example.org' } };
    domain(renamed).when(issue('0A')).thenRejected('conflict', 'this domain is now called www.example.org');
  });

  test('may be for a wildcard that covers the name', () => {
    const above = { ...facts('0A'), names: ['*.example.org'] };
    domain()
      .when(new IssueCertificate(ID, above, meta))
      .then([{ type: 'CertificateIssued', data: above }]);
    const below = { ...above, names: ['*.shop.example.org'] };
    domain()
      .when(new IssueCertificate(ID, below, meta))
      .thenRejected('conflict', 'this domain is now called shop.example.org');
  });

  test("records every refusal, since each counts against the CA's limits", () => {
    const data = { problem: 'urn:ietf:params:acme:error:rateLimited', detail: 'too many certificates' };
    const refused: DomainEvent = { type: 'CertificateRefused', data };
    domain(refused)
      .when(new RefuseCertificate(ID, data, meta))
      .then([refused]);
  });

  test('is removed if there is one', () => {
    const remove = new RemoveCertificate(ID, {}, meta);
    domain(issued).when(remove).then([removed]);
    domain().when(remove).then([]);
    domain(issued, renewed)
      .when(remove)
      .then([{ type: 'CertificateRemoved', data: { serial: '0B' } }]);
  });
});

describe('the served certificate', () => {
  const shown = (serial: string, valid = true): Served => {
    const { issuer, names, notBefore, notAfter } = facts(serial);
    return { valid, served: { serial, issuer, names, notBefore, notAfter, protocol: 'TLSv1.3' } };
  };
  const silent: Served = { valid: false, code: 'refused', reason: 'nobody listens' };
  const event = (data: Served): DomainEvent => ({ type: 'CertificateServed', data });
  const record = (served: Served, serverName = 'shop.example.org') =>
    new RecordServed(ID, { serverName, served }, meta);

  test('is recorded when it differs from the last one', () => {
    domain()
      .when(record(shown('0A')))
      .then([event(shown('0A'))]);
    domain(event(shown('0A')))
      .when(record(shown('0B')))
      .then([event(shown('0B'))]);
    domain(event(shown('0A')))
      .when(record(shown('0A', false)))
      .then([event(shown('0A', false))]);
    domain(event(shown('0A')))
      .when(record(silent))
      .then([event(silent)]);
    domain(event(silent))
      .when(record({ ...silent, reason: 'in other words' }))
      .then([]);
  });

  test('is dropped when the domain gets another name', () => {
    const elsewhere: DomainEvent = { type: 'DomainRenamed', data: { serverName: 'www.example.org' } };
    domain(event(shown('0A')), elsewhere)
      .when(record(shown('0A'), 'www.example.org'))
      .then([event(shown('0A'))]);
  });

  test('is ignored if it was looked up under an earlier name', () => {
    const elsewhere: DomainEvent = { type: 'DomainRenamed', data: { serverName: 'www.example.org' } };
    domain(elsewhere)
      .when(record(shown('0A')))
      .then([]);
  });
});

test.each([
  new IssueCertificate(ID, facts('0A'), meta),
  new RefuseCertificate(ID, { detail: 'no' }, meta),
  new RemoveCertificate(ID, {}, meta),
  new RecordServed(ID, { serverName: 'shop.example.org', served: { valid: false } }, meta),
])('a domain that does not exist has no certificate: $type', (command) => {
  given(domainsDecider, []).when(command).thenRejected('notFound', 'domain could not be found');
});
