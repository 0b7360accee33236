// covers: DOM-03
import { given, meta } from '../platform/decisions/decider-testing';
import { AddLocation, locationOf, RemoveLocation, ReviseLocation, type Location } from './domain-locations';
import { domainsDecider, type DomainEvent } from './domains.decider';

const ID = '0193f0a0-0000-7000-8000-000000000001';
const idOf = (index: number): string => `0193f0a0-0000-7000-8000-${String(index).padStart(12, '0')}`;
const added: DomainEvent = {
  type: 'DomainAdded',
  data: { serverName: 'shop.example.org', server: ID, addresses: [] },
};
const api: Location = { id: idOf(1), location: '/api/', match: 'prefix', url: 'http://app:3000/' };
const files: Location = { id: idOf(2), location: '/files/', match: 'prefix' };
const there = (location: Location): DomainEvent => ({ type: 'LocationAdded', data: { location } });
const domain = (...locations: Location[]) => given(domainsDecider, [added, ...locations.map(there)]);

test('is added once; the same again records nothing, and another one with its id is refused', () => {
  domain()
    .when(new AddLocation(ID, api, meta))
    .then([there(api)]);
  domain(api)
    .when(new AddLocation(ID, { ...api, location: '/v2/' }, meta))
    .thenRejected('invalid', 'this location already exists');
});

test('has a unique path for each kind of match', () => {
  const twin = { ...files, location: '/api/' };
  const words = 'this domain already has a location /api/';
  domain(api)
    .when(new AddLocation(ID, twin, meta))
    .thenRejected('invalid', words);
  domain(api, files)
    .when(new ReviseLocation(ID, twin, meta))
    .thenRejected('invalid', words);
  const exact: Location = { ...twin, match: 'exact' };
  domain(api)
    .when(new AddLocation(ID, exact, meta))
    .then([there(exact)]);
});

test('is revised as a whole: omitted fields are cleared', () => {
  const bare: Location = { id: api.id, location: '/api/', match: 'prefix' };
  domain(api, files)
    .when(new ReviseLocation(ID, bare, meta))
    .then([{ type: 'LocationRevised', data: { location: bare } }]);
  domain(api)
    .when(new ReviseLocation(ID, { ...api }, meta))
    .then([]);
  domain(api)
    .when(new ReviseLocation(ID, files, meta))
    .thenRejected('notFound', 'location could not be found');
});

test('is removed with its path; an unknown one cannot be found', () => {
  domain(api, files)
    .when(new RemoveLocation(ID, { location: api.id }, meta))
    .then([{ type: 'LocationRemoved', data: { id: api.id, location: '/api/' } }]);
  domain(api)
    .when(new RemoveLocation(ID, { location: files.id }, meta))
    .thenRejected('notFound', 'location could not be found');
});

test('a domain can have at most 200 locations', () => {
  const many = Array.from({ length: 200 }, (_, index): Location => {
    return { id: idOf(index + 100), location: `/${index}/`, match: 'prefix' };
  });
  domain(...many)
    .when(new AddLocation(ID, api, meta))
    .thenRejected('invalid', 'a domain can have at most 200 locations');
});

test('only a change of locations makes an edit stale, and nothing makes an addition stale', () => {
  const clashes = (type: DomainEvent['type'], given: AddLocation | ReviseLocation) =>
    domainsDecider.clashes?.(type, given);
  const revise = new ReviseLocation(ID, api, meta);
  expect([clashes('LocationRevised', revise), clashes('LocationRemoved', revise)]).toEqual([true, true]);
  expect([clashes('LocationAdded', revise), clashes('DomainRenamed', revise)]).toEqual([false, false]);
  expect(clashes('LocationRevised', new AddLocation(ID, files, meta))).toBe(false);
});

test.each([
  new AddLocation(ID, api, meta),
  new ReviseLocation(ID, api, meta),
  new RemoveLocation(ID, { location: api.id }, meta),
])('a domain that does not exist has no locations: $type', (command) => {
  given(domainsDecider, []).when(command).thenRejected('notFound', 'domain could not be found');
});

test('is stored as entered: a prefix by default, without empty fields', () => {
  expect(locationOf(ID, { location: '/' })).toEqual({ id: ID, location: '/', match: 'prefix' });
  const entered = {
    location: '\\.php$',
    match: 'regex' as const,
    deployLog: { id: idOf(9) },
    timeout: undefined,
  };
  const made = locationOf(ID, entered);
  expect(made).toEqual({ id: ID, location: '\\.php$', match: 'regex', deployLog: idOf(9) });
  expect(Object.keys(made)).not.toContain('timeout');
});
