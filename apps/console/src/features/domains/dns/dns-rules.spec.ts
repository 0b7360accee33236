// covers: DOM-04, DOM-05
import { isAddress, pointsTo, recordParts } from './dns-rules';

const four = (address: string) => ({ address, family: 4 });
const six = (address: string) => ({ address, family: 6 });

test('a name points to a server if its addresses agree with those of the host', () => {
  const host = [four('192.0.2.1')];
  expect(pointsTo([four('192.0.2.1')], host)).toBe(true);
  expect(pointsTo([four('192.0.2.9')], host)).toBe(false);
  expect(pointsTo([four('192.0.2.1'), four('192.0.2.9')], host)).toBe(false);
  expect(pointsTo([], host)).toBe(false);
  expect(pointsTo([], [])).toBe(false);
});

test('ignores addresses of a family in which the host has none', () => {
  expect(pointsTo([four('192.0.2.1'), six('2001:db8::1')], [four('192.0.2.1')])).toBe(true);
  expect(pointsTo([six('2001:db8::1')], [four('192.0.2.1')])).toBe(false);
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
