import { X509Certificate } from 'node:crypto';
import { testAuthority, type TestAuthority } from '../../../../testing/test-authority';
import { refusalIn, reportedFacts, wastedIn } from './certificate-facts-of';
import { CertificateUnreadable } from '../platform/tls';

let authority: TestAuthority;
beforeAll(async () => {
  authority = await testAuthority();
});
const now = new Date('2026-11-20T10:00:00.000Z');
const notAfter = new Date('2027-02-18T10:00:00.000Z');

it('reads the facts of an issued certificate from the certificate itself', async () => {
  const { cert } = await authority.leaf({ names: ['app.test', 'www.app.test'], notBefore: now, notAfter });
  const der = new X509Certificate(cert).raw.toString('base64');
  const facts = reportedFacts({ certificate: der, state: 'issued' });
  expect(facts).toMatchObject({
    names: ['app.test', 'www.app.test'],
    keyType: expect.any(String),
    notAfter: notAfter.toISOString(),
  });
  expect([facts.serial, facts.fingerprint]).toEqual([
    expect.stringMatching(/^[0-9A-F]+$/),
    expect.stringMatching(/^[0-9A-F:]+$/i),
  ]);
  expect(JSON.parse(JSON.stringify(facts))).toEqual(facts);
});

it('treats an invalid or missing certificate as an error, not as a fact', () => {
  expect(() => reportedFacts({ certificate: 'bm8gY2VydGlmaWNhdGU=' })).toThrow(CertificateUnreadable);
  expect(() => reportedFacts({})).toThrow('reported no certificate');
});

it("reports a refusal with its URN, the authority's words and the retry time", () => {
  expect(
    refusalIn({ problem: 'rateLimited', detail: 'too many', retryAfter: '3600' }, ['app.test'], now),
  ).toEqual({
    problem: 'urn:ietf:params:acme:error:rateLimited',
    detail: 'too many',
    names: ['app.test'],
    retryAt: '2026-11-20T11:00:00.000Z',
  });
  expect(
    refusalIn(
      { problem: 'http503', detail: 'HTTP 503', retryAfter: 'Fri, 20 Nov 2026 12:00:00 GMT' },
      ['app.test'],
      now,
    ),
  ).toEqual({
    detail: 'HTTP 503',
    names: ['app.test'],
    retryAt: '2026-11-20T12:00:00.000Z',
  });
});

it('reports no refusal if the authority was not reached or certbot itself failed', () => {
  for (const problem of ['unreachable', 'certbot'])
    expect(refusalIn({ problem, detail: 'x' }, ['app.test'], now)).toBeUndefined();
  expect(refusalIn({}, ['app.test'], now)).toBeUndefined();
});

it('keeps what certbot calls the certificate, and how its owner proves the names', async () => {
  const { cert } = await authority.leaf({ names: ['app.test', 'www.app.test'], notBefore: now, notAfter });
  const report = { certificate: new X509Certificate(cert).raw.toString('base64'), authenticator: 'webroot' };
  expect(reportedFacts(report)).not.toHaveProperty('lineage');
  expect(reportedFacts(report, { lineage: { name: 'quarterdeck-app.test' } }).lineage).toEqual({
    name: 'quarterdeck-app.test',
  });
  const adopted = { name: 'app.test', adopted: { webroot: '/srv/app' } };
  expect(reportedFacts(report, { lineage: adopted }).lineage).toEqual({
    name: 'app.test',
    adopted: { authenticator: 'webroot', webroot: '/srv/app' },
  });
});

it('reports an order that the authority took for nothing, which is no refusal', () => {
  const names = ['app.test'];
  for (const problem of ['wasted', 'certbot']) {
    const report = { problem, detail: 'stored elsewhere', wasted: 'issued' };
    expect(refusalIn(report, names, now)).toBeUndefined();
    expect(wastedIn(report, names)).toEqual({ detail: 'stored elsewhere', names, issued: true });
  }
  expect(wastedIn({ problem: 'unreachable', detail: 'gone', wasted: 'sent' }, names)).toEqual({
    detail: 'gone',
    names,
    issued: false,
  });
  expect(wastedIn({ problem: 'certbot', detail: 'no order was sent' }, names)).toBeUndefined();
});
