import type { EventData } from '@quarterdeck/events';
import { attemptOf, type Attempted } from './budget-history';

const at = new Date('2026-11-20T10:00:00.000Z');
const facts = {
  serial: '01',
  issuer: 'E1',
  names: ['shop.example.org'],
  keyType: 'ECDSA P-256',
  fingerprint: 'f',
  notBefore: '2026-11-20T09:00:00.000Z',
  notAfter: '2027-02-18T09:00:00.000Z',
};
const refusal = (problem?: string, retryAt?: string): Attempted => ({
  type: 'CertificateRefused',
  at,
  serverName: 'shop.example.org',
  data: {
    detail: 'no',
    ...(problem && { problem: `urn:ietf:params:acme:error:${problem}` }),
    ...(retryAt && { retryAt }),
  },
});

it('an issue and a renewal count for the names of the certificate', () => {
  const issued: Attempted = { type: 'CertificateIssued', at, serverName: 'renamed.example.org', data: facts };
  const attempt = { at: at.toISOString(), names: ['shop.example.org'], outcome: 'issued' };
  expect(attemptOf(issued)).toEqual(attempt);
  expect(attemptOf({ ...issued, type: 'CertificateRenewed', data: { ...facts, previous: '00' } })).toEqual(
    attempt,
  );
});

it.each(['unauthorized', 'dns', 'connection', 'tls', 'caa', 'incorrectResponse'])(
  'a failed validation (%s) counts as a failed attempt',
  (problem) => {
    expect(attemptOf(refusal(problem))).toEqual({
      at: at.toISOString(),
      names: ['shop.example.org'],
      outcome: 'failed',
    });
  },
);

it('a refusal counts for the requested name, whatever the domain is called now', () => {
  const named = refusal('unauthorized');
  const data = { ...named.data, names: ['tpyo.example.org'] } as EventData<'CertificateRefused'>;
  expect(attemptOf({ ...named, type: 'CertificateRefused', data }).names).toEqual(['tpyo.example.org']);
});

it.each(['rateLimited', 'rejectedIdentifier', 'badCSR', 'serverInternal', undefined])(
  'an attempt without validation (%s) does not count',
  (problem) => {
    expect(attemptOf(refusal(problem)).outcome).toBe('refused');
  },
);

it('the retry time is included', () => {
  const retryAt = '2026-11-20T11:00:00.000Z';
  expect(attemptOf(refusal('rateLimited', retryAt)).retryAt).toBe(retryAt);
});
