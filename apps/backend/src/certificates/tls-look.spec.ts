// covers: DOM-06, DOM-09
import { DomainError } from '../platform/errors';
import { Outbound } from '../platform/outbound/outbound';
import type { TlsCheck } from '../platform/tls';
import { foundOf, lookAt } from './tls-look';

const at = { at: '2026-06-15T12:00:00.000Z', tookMs: 12 };
const certificateOf = (daysRemaining: number) => ({
  serial: '01',
  issuer: 'E7',
  subject: '',
  names: ['example.org'],
  keyType: 'ECDSA P-256',
  notBefore: '2026-06-01T00:00:00.000Z',
  notAfter: '2026-08-30T00:00:00.000Z',
  fingerprint256: '',
  selfSigned: false,
  daysRemaining,
  chain: [],
});

const seen = (daysRemaining: number): TlsCheck => ({
  ...at,
  reachable: true,
  protocol: 'TLSv1.3',
  cipher: 'TLS_AES_256_GCM_SHA384',
  trusted: true,
  nameMatches: true,
  valid: true,
  ocspStapled: false,
  certificate: certificateOf(daysRemaining),
});

describe('the result of a check', () => {
  test.each([
    [31, 'valid'],
    [30, 'valid'],
    [29, 'expiring'],
    [1, 'expiring'],
    [0, 'expired'],
    [-1, 'expired'],
  ])('with %i days left it is %s', (days, label) => {
    expect(foundOf(seen(days), 30).label).toBe(label);
  });

  it('has the SSL info of the specification, and no more than a row needs', () => {
    expect(foundOf(seen(76), 30)).toEqual({
      label: 'valid',
      valid: true,
      daysRemaining: 76,
      validTo: '2026-08-30T00:00:00.000Z',
      validFrom: '2026-06-01T00:00:00.000Z',
      serial: '01',
      issuer: 'E7',
    });
  });

  it('keeps why a certificate is invalid beside its data', () => {
    const problem = { code: 'NAME_MISMATCH', reason: 'It is not for example.org.' };
    const check = { ...seen(76), valid: false, problem } as TlsCheck;
    expect(foundOf(check, 30)).toMatchObject({ label: 'valid', valid: false, ...problem });
  });

  it('counts as not checked if no certificate was seen', () => {
    const problem = { code: 'timeout', reason: 'It did not answer in time.' } as const;
    const check: TlsCheck = { ...at, reachable: false, problem };
    expect(foundOf(check, 30)).toEqual({ label: 'unchecked', valid: false, ...problem });
  });
});

describe('a check that cannot begin', () => {
  const logged: unknown[] = [];
  const logger = { error: (...words: unknown[]) => void logged.push(words) } as never;
  const go = new AbortController().signal;

  it('fails if the name must not be called, and says nothing about the domain', async () => {
    const outbound = new Outbound([], async () => ['10.0.0.7']);
    const look = await lookAt({ outbound, logger }, 'shop.example.org', 30, go);
    expect(look).toEqual({
      found: {
        label: 'unchecked',
        valid: false,
        code: 'outbound-refused',
        reason: expect.stringContaining('shop.example.org must not be called: the address 10.0.0.7 is'),
      },
    });
  });

  it('is what the domain presents if its name has no address', async () => {
    const outbound = new Outbound([], async () => {
      throw Object.assign(new Error('no such name'), { code: 'ENOTFOUND' });
    });
    const reason = 'the name shop.example.org has no address (ENOTFOUND)';
    expect(await lookAt({ outbound, logger }, 'shop.example.org', 30, go)).toEqual({
      found: { label: 'unchecked', valid: false, code: 'ENOTFOUND', reason },
      served: { valid: false, code: 'dns', reason },
    });
  });

  it('fails with a line in our own log if the reason is unexpected', async () => {
    const outbound = new Outbound();
    outbound.reach = () => Promise.reject(new TypeError('a mistake of ours'));
    const { found } = await lookAt({ outbound, logger }, 'shop.example.org', 30, go);
    expect(found).toMatchObject({ label: 'unchecked', code: 'internal' });
    expect(JSON.stringify(logged)).toContain('failed unexpectedly');
  });

  it('is aborted together with the run', async () => {
    const stop = new AbortController();
    const outbound = new Outbound([], async () => {
      stop.abort(new Error('cancelled'));
      throw new DomainError('upstream', 'no answer');
    });
    await expect(lookAt({ outbound, logger }, 'shop.example.org', 30, stop.signal)).rejects.toThrow(
      'cancelled',
    );
  });
});
