// covers: DOM-08
import { DomainError } from '../platform/errors';
import { knownNames, orderedNames, provableNames } from './certificate-names';

const star = '*.shop.example';
const site = (serverName: string, ...others: string[]) => ({
  serverName,
  names: others.map((name) => ({ name, does: 'serves' as const })),
  certificate: {},
});
const live = (...names: string[]) => names.map((name) => `  server_name ${name};\n`).join('');
const unseen = { unseen: true };
const seen = { unseen: false };

test.each([
  [site('shop.example', 'www.shop.example', star), ['shop.example', star]],
  [
    site('shop.example', star, 'a.b.shop.example', '*.b.shop.example'),
    ['shop.example', star, '*.b.shop.example'],
  ],
  [site('www.shop.example', star), [star]],
  [site(star, 'www.shop.example', 'shop.example'), [star, 'shop.example']],
  [
    site('shop.example', 'www.shop.example', '*.other.example'),
    ['shop.example', 'www.shop.example', '*.other.example'],
  ],
])('a name that a wildcard of the site covers is not ordered beside it: %j', (domain, names) => {
  expect(orderedNames(domain, undefined)).toEqual(names);
  expect(provableNames(domain, undefined, seen)).toEqual(names);
  expect(knownNames(domain)).toEqual(expect.arrayContaining(names));
});

test('a wildcard that is not live stands for no other name', () => {
  const domain = site('shop.example', 'www.shop.example', star);
  const text = live('shop.example', 'www.shop.example');
  expect(provableNames(domain, text, unseen)).toEqual(['shop.example', 'www.shop.example']);
  expect(() => provableNames(domain, text, seen)).toThrow(
    new DomainError(
      'invalid',
      `the live configuration does not answer for ${star} yet: apply the configuration first`,
    ),
  );
});

test('an adopted certificate keeps the names that its owner gave it', () => {
  const issued = {
    names: ['www.shop.example', star],
    serial: '0A',
    issuer: 'Pebble',
    notBefore: '2026-11-01T00:00:00Z',
    notAfter: '2027-01-30T00:00:00Z',
    keyType: 'ECDSA P-256',
    fingerprint: 'SHA256:0A',
  };
  const domain = { ...site('www.shop.example'), certificate: { issued } };
  expect(orderedNames(domain, { name: 'www.shop.example', adopted: {} })).toEqual(issued.names);
});
