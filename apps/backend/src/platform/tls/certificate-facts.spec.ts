// covers: DOM-06
import { X509Certificate } from 'node:crypto';
import { testAuthority, type TestAuthority } from '../../../../../testing/test-authority';
import { CertificateUnreadable, daysRemaining, issuedCertificate, renewalIdOf } from './certificate-facts';

const DAY_MS = 86_400_000;
const notBefore = new Date('2026-06-01T00:00:00.000Z');
const notAfter = new Date('2026-08-29T23:59:59.000Z');
let authority: TestAuthority;
beforeAll(async () => {
  authority = await testAuthority();
});

describe('the days left', () => {
  const now = new Date('2026-06-15T12:00:00.000Z');
  const left = (ms: number) => daysRemaining(new Date(now.getTime() + ms).toISOString(), now);

  test.each([
    ['30 days to the millisecond', 30 * DAY_MS, 30],
    ['a millisecond less', 30 * DAY_MS - 1, 29],
    ['a day', DAY_MS, 1],
    ['less than a day', DAY_MS - 1, 0],
    ['a millisecond', 1, 0],
    ['none', 0, 0],
    ['over for a millisecond', -1, -1],
    ['over for a day', -DAY_MS, -1],
  ])('%s', (_, ms, days) => {
    expect(left(ms)).toBe(days);
  });
});

describe('an issued certificate', () => {
  it('is described with its chain', async () => {
    const { cert, serial } = await authority.leaf({
      names: ['a.example.org', '*.a.example.org', '192.0.2.7', '2001:db8::7'],
      notBefore,
      notAfter,
    });
    expect(issuedCertificate(cert)).toEqual({
      serial,
      issuer: 'Quarterdeck Test E1',
      issuerOrganization: 'Quarterdeck Test',
      subject: 'a.example.org',
      names: ['a.example.org', '*.a.example.org', '192.0.2.7', '2001:db8:0:0:0:0:0:7'],
      notBefore: notBefore.toISOString(),
      notAfter: notAfter.toISOString(),
      keyType: 'ECDSA P-256',
      fingerprint256: new X509Certificate(cert).fingerprint256,
      selfSigned: false,
      lifetimeDays: 90,
      renewalId: expect.stringMatching(/^[\w-]{27}\.[\w-]{22}$/),
      chain: [{ subject: 'Quarterdeck Test E1', notAfter: expect.stringMatching(/^20\d\d-/) }],
    });
  });

  it('may be alone, with an RSA key, self-signed, and then has no renewal id', async () => {
    const wish = { names: ['a.example.org'], notBefore, notAfter, keyType: 'rsa', selfSigned: true } as const;
    const facts = issuedCertificate((await authority.leaf({ ...wish, names: ['a.example.org'] })).cert);
    expect(facts).toMatchObject({
      keyType: 'RSA 2048',
      selfSigned: true,
      chain: [],
      issuer: 'a.example.org',
    });
    expect(facts).not.toHaveProperty('renewalId');
  });

  it('is found in surrounding text, with the line ends of any system', async () => {
    const { cert, serial } = await authority.leaf({ names: ['a.example.org'], notBefore, notAfter });
    const text = `subject=CN = a.example.org\r\n${cert.replaceAll('\n', '\r\n')}\r\n`;
    expect(issuedCertificate(text)).toMatchObject({ serial });
  });

  test.each([
    ['', /no part between BEGIN CERTIFICATE and END CERTIFICATE/],
    ['-----BEGIN PRIVATE KEY-----\nMC4=\n-----END PRIVATE KEY-----', /no part between/],
    [
      '-----BEGIN CERTIFICATE-----\nbm8=\n-----END CERTIFICATE-----',
      /^certificate 1 of the PEM text is damaged$/,
    ],
    ['x'.repeat(200_000), /more than 128000 characters/],
  ])('is refused with a reason when it is not a certificate (%#)', (text, words) => {
    expect(() => issuedCertificate(text)).toThrow(CertificateUnreadable);
    expect(() => issuedCertificate(text)).toThrow(words);
  });

  it('is refused if its chain is too long', async () => {
    const { cert } = await authority.leaf({ names: ['a.example.org'], notBefore, notAfter });
    expect(() => issuedCertificate(`${cert}\n`.repeat(6))).toThrow('has 12 certificates, more than 10');
  });
});

/** Appendix A. The serial begins with a zero that keeps it positive. */
const exampleOfRfc9773 = `-----BEGIN CERTIFICATE-----
MIIBQzCB66ADAgECAgUAh2VDITAKBggqhkjOPQQDAjAVMRMwEQYDVQQDEwpFeGFt
cGxlIENBMCIYDzAwMDEwMTAxMDAwMDAwWhgPMDAwMTAxMDEwMDAwMDBaMBYxFDAS
BgNVBAMTC2V4YW1wbGUuY29tMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEeBZu
7cbpAYNXZLbbh8rNIzuOoqOOtmxA1v7cRm//AwyMwWxyHz4zfwmBhcSrf47NUAFf
qzLQ2PPQxdTXREYEnKMjMCEwHwYDVR0jBBgwFoAUaYhba4dGQEHhs3uEe6CuLN4B
yNQwCgYIKoZIzj0EAwIDRwAwRAIge09+S5TZAlw5tgtiVvuERV6cT4mfutXIlwTb
+FYN/8oCIClDsqBklhB9KAelFiYt9+6FDj3z4KGVelYM5MdsO3pK
-----END CERTIFICATE-----`;

it('has the renewal id of the example in RFC 9773', () => {
  expect(renewalIdOf(new X509Certificate(exampleOfRfc9773))).toBe('aYhba4dGQEHhs3uEe6CuLN4ByNQ.AIdlQyE');
});
