// covers: DOM-04, DOM-05
import { isAddress, lacksIpv4, recordParts } from './dns-rules';

const four = (address: string) => ({ address, family: 4 });
const six = (address: string) => ({ address, family: 6 });

test('a new IPv4 record helps a name that has none, or a wrong one', () => {
  expect(lacksIpv4([six('2001:db8::9')], [six('2001:db8::9')])).toBe(true);
  expect(lacksIpv4([four('192.0.2.9')], [four('192.0.2.9')])).toBe(true);
  expect(lacksIpv4([four('192.0.2.1'), six('2001:db8::9')], [six('2001:db8::9')])).toBe(false);
});

test('recognizes a literal address by its form', () => {
  expect(['192.0.2.1', '2001:db8::1', 'web-1.example.org', 'localhost'].map(isAddress)).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

const secret = { ref: '01930000-0000-7000-8000-000000000b01', fingerprint: 'SHA256:abc' };
const settings = (parent?: string) => ({
  ...(parent !== undefined && { parent }),
  provider: { kind: 'digitalocean' as const, zone: 'example.org', secret },
});

test('splits a name directly below the parent into three parts; the parent defaults to the zone', () => {
  expect(recordParts('shop.example.org', settings())).toEqual({
    parts: { name: 'shop', SLD: 'example', TLD: 'org' },
  });
  expect(recordParts('shop.eu.example.org', settings('eu.example.org'))).toEqual({
    parts: { name: 'shop', SLD: 'eu.example', TLD: 'org' },
  });
});

test.each([
  ['example.org', /is the parent itself/],
  ['shop.example.net', /does not end in \.example\.org/],
  ['myexample.org', /does not end in \.example\.org/],
  ['a.shop.example.org', /is deeper below example\.org/],
])('explains why no record can be added for %s', (serverName, words) => {
  expect(recordParts(serverName, settings())).toEqual({ why: expect.stringMatching(words) });
});

test('says so if the workspace has no DNS provider', () => {
  expect(recordParts('shop.example.org', { parent: 'example.org' })).toEqual({
    why: expect.stringMatching(/no DNS provider is set up/),
  });
});
