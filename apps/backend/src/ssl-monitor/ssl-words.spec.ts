// covers: DOM-10
import { parseLogLine } from '@quarterdeck/events';
import { REMOVED } from '@quarterdeck/projections';
import { foundOf } from '../certificates';
import { foundLines, sslWords } from './ssl-words';
import type { TlsReached } from '../platform/tls';

const seen = (daysRemaining: number, problem?: TlsReached['problem']): TlsReached => ({
  reachable: true,
  at: '2026-06-15T12:00:00.000Z',
  tookMs: 12,
  protocol: 'TLSv1.3',
  cipher: 'TLS_AES_256_GCM_SHA384',
  trusted: problem === undefined,
  nameMatches: true,
  valid: problem === undefined,
  ...(problem && { problem }),
  ocspStapled: false,
  certificate: {
    serial: '01',
    issuer: 'E7',
    subject: '',
    names: ['example.org'],
    notBefore: '2026-06-01T00:00:00.000Z',
    notAfter: '2026-08-30T00:00:00.000Z',
    keyType: 'ECDSA P-256',
    fingerprint256: '',
    selfSigned: false,
    daysRemaining,
  },
});

describe('the messages of the specification', () => {
  test.each([
    [sslWords.fetchFailed(503), 'error', 'Failed to fetch domains: 503'],
    [sslWords.checkFailed('example.org'), 'warning', 'Failed to check SSL for example.org'],
    [sslWords.renewalFailed(500), 'error', 'Renewal failed with status: 500'],
  ])('%s', (line, level, text) => {
    expect(parseLogLine(line)).toEqual({ level, text });
  });
});

describe('the message about a check', () => {
  test.each([
    [seen(76), ['[success] example.org is valid for 76 days, to 2026-08-30']],
    [seen(29), ['[warning] example.org expires in 29 days, on 2026-08-30']],
    [seen(1), ['[warning] example.org expires in 1 day, on 2026-08-30']],
    [seen(0), ['[error] example.org expires within 1 day, on 2026-08-30']],
    [
      seen(-3, { code: 'CERT_HAS_EXPIRED', reason: 'It expired on 2026-08-30.' }),
      ['[error] example.org has expired on 2026-08-30'],
    ],
    [
      seen(76, { code: 'NAME_MISMATCH', reason: 'It is not for example.org but for example.net.' }),
      ['[warning] example.org: It is not for example.org but for example.net'],
    ],
    [
      seen(12, {
        code: 'DEPTH_ZERO_SELF_SIGNED_CERT',
        reason: 'It is self-signed, not signed by an authority.',
      }),
      [
        '[warning] example.org expires in 12 days, on 2026-08-30',
        '[warning] example.org: It is self-signed, not signed by an authority',
      ],
    ],
  ])('check %# is logged in words', (check, lines) => {
    expect(foundLines('example.org', foundOf(check, 30))).toEqual(lines);
  });

  it("is the specification's warning with the cause if the host could not be reached", () => {
    const problem = { code: 'timeout', reason: 'example.org:443 did not answer in time.' } as const;
    const check = { reachable: false, at: '2026-06-15T12:00:00.000Z', tookMs: 1, problem } as const;
    expect(foundLines('example.org', foundOf(check, 30))).toEqual([
      '[warning] Failed to check SSL for example.org',
      '[warning] example.org: example.org:443 did not answer in time',
    ]);
  });

  it('is one word if the domain was removed meanwhile', () => {
    const found = { label: 'unchecked', valid: false, code: REMOVED, reason: 'It was removed.' } as const;
    expect(foundLines('example.org', found)).toEqual(['[info] example.org was removed meanwhile']);
  });

  it('uses the labels of the workspace', () => {
    expect(foundLines('example.org', foundOf(seen(76), 100))).toEqual([
      '[warning] example.org expires in 76 days, on 2026-08-30',
    ]);
  });
});

describe('the message at the end of a run', () => {
  it('has all counters', () => {
    const counters = {
      total: 300,
      checked: 300,
      valid: 116,
      expiring: 3,
      expired: 1,
      renewed: 3,
      failed: 0,
      unreachable: 120,
      invalid: 60,
    };
    expect(sslWords.complete(counters)).toBe(
      '[success] Complete: 300 domains, 3 expiring, 1 expired, 120 unreachable, 60 not valid, 3 renewed, 0 renewals failed',
    );
  });

  it('says how far the run got when it was stopped', () => {
    expect(sslWords.stopped(1, 1)).toBe('[warning] Stopped after 1 of 1 domain');
    expect(sslWords.stopped(0, 3, 'renewal')).toBe('[warning] Stopped after 0 of 3 renewals');
  });
});
