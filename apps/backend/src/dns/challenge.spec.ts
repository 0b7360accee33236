import { hostToAsk, challengeName, whyUnprovable } from './challenge';

it('asks about a new name below a wildcard each time, and about any other name itself', () => {
  expect(hostToAsk('shop.example.org')).toBe('shop.example.org');
  const asked = [hostToAsk('*.shop.example.org'), hostToAsk('*.shop.example.org')];
  for (const name of asked) expect(name).toMatch(/^quarterdeck-[0-9a-f]{12}\.shop\.example\.org$/);
  expect(asked[0]).not.toBe(asked[1]);
});

it('proves a name and its wildcard under the same name', () => {
  for (const name of ['shop.example.org', '*.shop.example.org'])
    expect(challengeName(name)).toBe('_acme-challenge.shop.example.org');
});

it.each([
  ['*.example.org', undefined, 'no DNS provider is set up: choose one in the DNS settings of the workspace'],
  ['example.org', 'example.org', undefined],
  ['*.example.org', 'example.org', undefined],
  ['a.b.example.org', 'example.org', undefined],
  [
    'myexample.org',
    'example.org',
    'the DNS provider of the workspace writes example.org, and myexample.org is not in that zone',
  ],
])('judges whether %s can be proved in the zone %s', (name, zone, why) => {
  expect(whyUnprovable(name, zone === undefined ? undefined : { zone })).toBe(why);
});
