/** What other names of a site mean for its DNS and its certificate. */
import {
  certificateStateOf,
  dnsInWords,
  dnsStateOf,
  domainVerdict,
  type JudgedDomain,
} from './domain-verdict';
import { lackedNames, type CertificateView } from './domain-view';
import { domainColumns } from './domain-columns';
import { doubtsIn, namesInWords } from './pointing';
import type { DomainRow } from './domain-view';

const at = '2026-11-20T12:00:00.000Z';
const now = Date.parse(at);
const v4 = (address: string) => ({ address, family: 4 as const });
const here = { outcome: 'found' as const, addresses: [v4('192.0.2.1')], pointsHere: true };
const away = { ...here, pointsHere: false, addresses: [v4('192.0.2.9')], elsewhere: [v4('192.0.2.9')] };
const none = { outcome: 'none' as const, addresses: [], pointsHere: false };
const failed = { ...none, outcome: 'failed' as const, code: 'timeout' };
const of = <T extends object>(name: string, answer: T) => ({ name, ...answer });

describe('DNS', () => {
  test('is as good as the worst of all names', () => {
    expect(dnsStateOf(here)).toBe('correct');
    expect(dnsStateOf({ ...here, names: [of('www.shop.example', here)] })).toBe('correct');
    expect(dnsStateOf({ ...here, names: [of('www.shop.example', failed)] })).toBe('unknown');
    expect(dnsStateOf({ ...here, names: [of('a.example', failed), of('b.example', none)] })).toBe('none');
    expect(dnsStateOf({ ...failed, names: [of('a.example', away)] })).toBe('wrong');
  });

  test('says which name does not point here', () => {
    expect(dnsInWords({ ...here, names: [of('www.shop.example', away), of('ok.example', here)] })).toBe(
      'DNS wrong: www.shop.example',
    );
    expect(dnsInWords({ ...here, names: [of('www.shop.example', none)] })).toBe(
      'no DNS address: www.shop.example',
    );
    expect(dnsInWords({ ...away, names: [of('www.shop.example', here)] })).toBe('DNS wrong: IPv4 192.0.2.9');
  });

  test('doubts name the name, and long lists are cut', () => {
    const half = { ...away, addresses: [v4('192.0.2.1'), { address: '2001:db8::9', family: 6 as const }] };
    const six = { ...half, elsewhere: [{ address: '2001:db8::9', family: 6 as const }] };
    expect(doubtsIn({ ...here, names: [of('www.shop.example', six)] })).toMatch(
      /^www\.shop\.example: IPv6 2001:db8::9 in DNS is not an address of its server/,
    );
    expect(doubtsIn({ ...here, names: [of('www.shop.example', here)] })).toBeUndefined();
    expect(namesInWords(['a', 'b', 'c', 'd', 'e'])).toBe('a, b, c and 2 more');
  });
});

describe('the certificate', () => {
  const facts = {
    serial: '0A',
    issuer: 'Pebble',
    notBefore: '2026-11-01T00:00:00Z',
    keyType: 'ECDSA P-256',
    notAfter: '2027-01-30T00:00:00Z',
    fingerprint: 'one',
    at,
    run: 'r',
    renewals: 0,
  };
  const shop = (names: string[], notAfter = facts.notAfter): JudgedDomain =>
    ({
      serverName: 'shop.example',
      names: [
        { name: 'www.shop.example', does: 'redirects' },
        { name: 'shop.example.org', does: 'serves' },
      ],
      dns: { ...here, at },
      config: { at, options: { docker: false, ssl: true, gzip: false } },
      answer: { is: 'answers', says: '', at },
      certificate: { ...facts, notAfter, names } as CertificateView,
      served: { valid: true, at, served: { ...facts, notAfter, names, protocol: 'TLSv1.3' } },
    }) as unknown as JudgedDomain;
  const whole = ['shop.example', 'www.shop.example', 'shop.example.org'];

  test('that lacks a name is a state of its own, which names it', () => {
    expect(certificateStateOf(shop(whole), { now })).toBe('valid');
    const lacks = shop(['shop.example', '*.shop.example']);
    expect(lackedNames(lacks)).toEqual(['shop.example.org']);
    expect(certificateStateOf(lacks, { now })).toBe('lacksName');
    expect(domainVerdict(lacks, { now })).toMatchObject({
      label: 'Needs attention: certificate lacks shop.example.org',
      category: 'Needs attention: certificate lacks a name',
      tone: 'bad',
    });
  });

  test('that has ended or ends today is worse than one that lacks a name', () => {
    expect(certificateStateOf(shop(['shop.example'], '2026-11-19T00:00:00Z'), { now })).toBe('expired');
    expect(certificateStateOf(shop(['shop.example'], '2026-11-20T20:00:00Z'), { now })).toBe('lastDay');
  });
});

test('lists find a domain by any of its names, in Unicode too', () => {
  const [column] = domainColumns({ now });
  const row = { serverName: 'shop.example', names: [{ name: 'xn--bcher-kva.example', does: 'serves' }] };
  expect(column.value(row as DomainRow)).toBe('shop.example xn--bcher-kva.example bücher.example');
});
