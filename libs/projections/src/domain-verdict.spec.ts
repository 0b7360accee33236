import { domainColumns } from './domain-columns';
import {
  certificateEndOf,
  certificateStateOf,
  configInWords,
  configStateOf,
  domainVerdict,
  foundStateOf,
  daysUntil,
  type JudgedDomain,
} from './domain-verdict';
import { outcomeOf, type SslFound } from './ssl';

const serverName = 'shop.example.org';
const now = Date.parse('2026-11-22T12:00:00.000Z');
const inDays = (days: number): string => new Date(now + days * 86_400_000).toISOString();
const issued = (days: number) => ({ certificate: { notAfter: inDays(days) } as never });
const served = (days: number, more: object = {}) => ({
  served: { valid: true, served: { notAfter: inDays(days), names: [serverName] }, ...more } as never,
});
const unreachable = { served: { valid: false, code: 'refused', at: inDays(0) } as never };
const ssl = { config: { options: { docker: false, ssl: true, gzip: false } } as never };
const plain = { config: { options: { docker: false, ssl: false, gzip: false } } as never };
const answers = { answer: { is: 'answers' } as never };
const dns = (pointsHere: boolean, outcome = 'found') => ({ dns: { outcome, pointsHere } as never });

const stateOf = (domain: object, expiringDays?: number) =>
  certificateStateOf({ serverName, ...domain }, { now, expiringDays });

test('a certificate is expiring below thirty days, and expired only when it is over', () => {
  expect([90, 30, 29.9, 1, 0.9, 0, -0.1, -3].map((days) => stateOf(issued(days)))).toEqual([
    'valid',
    'valid',
    'expiring',
    'expiring',
    'lastDay',
    'lastDay',
    'expired',
    'expired',
  ]);
  expect(stateOf({})).toBe('none');
  expect(stateOf(issued(45), 60)).toBe('expiring');
  expect(daysUntil(inDays(-0.5), now)).toBe(-1);
});

test('a certificate that lives for 6 or 45 days is expiring when a third of that is left', () => {
  const living = (lifetime: number, left: number) => {
    const certificate = { notBefore: inDays(left - lifetime), notAfter: inDays(left) };
    return [
      stateOf({ certificate }),
      stateOf({ served: { valid: true, served: { ...certificate, names: [serverName] } } }),
    ];
  };
  expect([living(6, 5.9), living(6, 1.5)]).toEqual([
    ['valid', 'valid'],
    ['expiring', 'expiring'],
  ]);
  expect([living(45, 15), living(45, 14)]).toEqual([
    ['valid', 'valid'],
    ['expiring', 'expiring'],
  ]);
});

test('the served certificate counts before the issued one', () => {
  expect(stateOf({ ...issued(80), ...served(3) })).toBe('expiring');
  expect(stateOf({ ...issued(80), ...unreachable })).toBe('unreachable');
});

test('a certificate for another name is a wrong name, with or without one of our own', () => {
  const another = served(89, {
    valid: false,
    code: 'NAME_MISMATCH',
    served: { notAfter: inDays(89), names: ['blog.example.org'] },
  });
  expect(stateOf(another)).toBe('wrongName');
  expect(stateOf({ ...issued(80), ...another })).toBe('wrongName');
});

test('a certificate that was applied and never looked at is not said to be fine', () => {
  expect(stateOf({ ...ssl, ...issued(80) })).toBe('unchecked');
  expect(stateOf(ssl)).toBe('unchecked');
  expect(stateOf({ ...ssl, ...issued(3) })).toBe('expiring');
  expect(stateOf({ ...ssl, ...served(80) })).toBe('valid');
});

test('the end that is shown is that of the certificate that is judged', () => {
  const end = (domain: object) => certificateEndOf({ serverName, ...domain });
  expect(end({ ...issued(80), ...served(3) })).toBe(inDays(3));
  expect(end({ ...issued(80), ...unreachable })).toBe(inDays(80));
  const names = ['blog.example.org'];
  const another = { valid: false, code: 'NAME_MISMATCH', served: { notAfter: inDays(89), names } };
  expect(end({ ...issued(80), ...served(89, another) })).toBeUndefined();
});

test('an untrusted certificate says what is wrong with it', () => {
  const untrusted = (code: string) => stateOf(served(80, { valid: false, code }));
  expect(untrusted('DEPTH_ZERO_SELF_SIGNED_CERT')).toBe('selfSigned');
  expect(untrusted('SELF_SIGNED_CERT_IN_CHAIN')).toBe('invalid');
});

test('the monitor judges a check as the domain is judged, and counts it once', () => {
  const found = (label: SslFound['label'], valid: boolean, code?: string): SslFound => ({
    label,
    valid,
    ...(code !== undefined && { code }),
  });
  const all = [
    found('valid', true),
    found('expiring', true),
    found('expiring', false, 'NAME_MISMATCH'),
    found('valid', false, 'DEPTH_ZERO_SELF_SIGNED_CERT'),
    found('expired', false, 'CERT_HAS_EXPIRED'),
    { ...found('expired', true), daysRemaining: 0 },
    found('unchecked', false, 'refused'),
    found('unchecked', false, 'removed'),
  ];
  expect(all.map(foundStateOf)).toEqual([
    'valid',
    'expiring',
    'wrongName',
    'selfSigned',
    'expired',
    'lastDay',
    'unreachable',
    undefined,
  ]);
  expect(all.map(outcomeOf)).toEqual([
    'valid',
    'expiring',
    'invalid',
    'invalid',
    'expired',
    'expired',
    'unreachable',
    undefined,
  ]);
});

test('a self-signed certificate for another name is judged alike by the monitor and by the domain', () => {
  const names = ['localhost'];
  const code = 'DEPTH_ZERO_SELF_SIGNED_CERT';
  const domain = served(80, { valid: false, code, served: { notAfter: inDays(80), names } });
  expect(stateOf(domain)).toBe(foundStateOf({ label: 'valid', valid: false, code }));
});

test('a configuration is applied only as long as nothing is to be applied', () => {
  const config = {};
  const drift = {};
  expect(
    [{}, { config }, { config, pending: 13 }, { config, drift, pending: 13 }].map(configStateOf),
  ).toEqual(['never', 'applied', 'pending', 'changed']);
  expect(configInWords({ config, pending: 13 })).toBe('changes not applied: 13 lines');
  expect(configInWords({ config, pending: 1 })).toBe('changes not applied: 1 line');
});

describe('the verdict of a domain', () => {
  const verdictOf = (more: Partial<JudgedDomain>) =>
    domainVerdict({ serverName, ...dns(true), ...ssl, ...served(80), ...answers, ...more }, { now });

  test('is that it serves, if DNS, certificate and configuration are as they should be', () => {
    const label = 'Serving';
    expect(verdictOf({})).toEqual({ is: 'serving', label, category: label, tone: 'good', reasons: [] });
  });

  test('is filtered by without the count of lines, which changes', () => {
    const values = (pending: number) => {
      const domain = {
        serverName,
        ...dns(true),
        ...ssl,
        ...served(80),
        ...answers,
        pending,
        server: {},
      } as never;
      return domainColumns({ now })
        .filter(({ id }) => id === 'state' || id === 'config')
        .map(({ value }) => value(domain));
    };
    expect(values(13)).toEqual(['Needs attention: changes not applied', 'changes not applied']);
    expect(values(1)).toEqual(values(13));
  });

  test('names the worst reason first', () => {
    const { label, tone, reasons } = verdictOf({ ...dns(false), ...served(3), pending: 2 });
    expect([label, tone]).toEqual(['Needs attention: DNS wrong', 'bad']);
    expect(reasons.map((reason) => reason.label)).toEqual([
      'DNS wrong',
      'certificate expiring',
      'changes not applied: 2 lines',
    ]);
    expect(verdictOf({ ...dns(false, 'failed'), ...served(-1) }).label).toBe(
      'Needs attention: certificate expired',
    );
  });

  test.each([
    ['nginxStopped', 'nginx stopped'],
    ['another', 'another site answers'],
    ['502', 'answers 502'],
    ['silent', 'does not answer'],
    ['tlsGone', 'HTTPS does not answer'],
    ['unproven', 'answers, not proven'],
  ])('is never green for a site that is %s', (is, words) => {
    expect(verdictOf({ answer: { is } as never }).label).toBe(`Needs attention: ${words}`);
    expect(verdictOf({ ...unreachable, answer: { is } as never }).is).toBe('attention');
  });

  test('is not green before anybody has looked at the site', () => {
    expect(verdictOf({ answer: undefined }).label).toBe('Needs attention: not looked at yet');
    expect(verdictOf({ answer: undefined, pending: 2 }).label).toBe(
      'Needs attention: changes not applied: 2 lines',
    );
  });

  test('says that a certificate is not used by a site that went back to plain HTTP', () => {
    const seen = (days: number) => ({
      served: {
        valid: true,
        at: inDays(days),
        served: { notAfter: inDays(80), names: [serverName] },
      } as never,
    });
    const options = { docker: false, ssl: false, gzip: false };
    const back = { config: { options, at: inDays(-1) } as never };
    expect(stateOf({ ...seen(-2), ...back, ...issued(80) })).toBe('notUsed');
    expect(stateOf({ ...seen(-2), ...back })).toBe('none');
    // A proxy in front presents it.
    expect(stateOf({ ...seen(0), ...back, ...issued(80) })).toBe('valid');
    expect(verdictOf({ ...seen(-2), ...back, ...issued(80) }).label).toBe(
      'Needs attention: certificate not used: no HTTPS',
    );
  });

  test('expects no certificate of a site over plain HTTP', () => {
    expect(verdictOf({ ...plain, ...unreachable }).label).toBe('Serving');
    expect(verdictOf({ served: undefined }).label).toBe('Needs attention: certificate not checked yet');
    expect(verdictOf(unreachable).label).toBe('Needs attention: certificate unreachable');
    expect(verdictOf({ ...plain, ...unreachable, ...issued(80) }).label).toBe(
      'Needs attention: certificate not used: no HTTPS',
    );
    expect(stateOf({ ...plain, ...unreachable })).toBe('none');
  });

  test('asks nothing to be applied for a site that another host serves', () => {
    expect(verdictOf({ config: undefined }).label).toBe('Serving');
    expect(verdictOf({ config: undefined, served: undefined }).label).toBe('Needs attention: never applied');
  });
});
