// covers: DOM-02
import { namesOfSite } from '@quarterdeck/projections';
import { foldEvents } from '../platform/decider';
import { NameNotClaimed } from '../platform/errors';
import { given, meta } from '../platform/decisions/decider-testing';
import { RecordDnsAnswer } from './domain-answers';
import { domainsDecider, EditDomain, type DomainEvent } from './domains.decider';
import { ChangeSiteNames, type SiteName } from './site-names';

const ID = '0193f0a0-0000-7000-8000-000000000001';
const SERVER = '0193f0a0-0000-7000-8000-0000000000a1';
const here = [{ address: '192.0.2.1', family: 4 as const }];
const main = { serverName: 'shop.example', server: SERVER };
const added: DomainEvent = { type: 'DomainAdded', data: { ...main, addresses: here } };
const www: SiteName = { name: 'www.shop.example', does: 'redirects' };
const org: SiteName = { name: 'shop.example.org', does: 'serves' };
const named = (...names: SiteName[]): DomainEvent => ({ type: 'SiteNamesChanged', data: { names } });
const domain = (...events: DomainEvent[]) => given(domainsDecider, [added, ...events]);
const change = (names: SiteName[], claimed = true) =>
  new ChangeSiteNames(ID, { names, ...(claimed && { claimed }) }, meta);

test('a domain of the past has no other names', () => {
  const state = foldEvents(domainsDecider, [added]);
  expect(state).toMatchObject({ is: 'present', names: [] });
});

test('all other names are recorded at once, and the same again records nothing', () => {
  domain()
    .when(change([www, org]))
    .then([named(www, org)]);
  domain(named(www, org))
    .when(change([www, org]))
    .then([]);
  domain(named(www))
    .when(change([{ ...www, does: 'serves' }]))
    .then([named({ ...www, does: 'serves' })]);
  domain(named(www)).when(change([])).then([named()]);
});

test('a name has to be claimed before the site gets it', () => {
  expect(() => domainsDecider.decide(change([www], false), foldEvents(domainsDecider, [added]))).toThrow(
    NameNotClaimed,
  );
  domain(named(www))
    .when(change([{ ...www, does: 'serves' }], false))
    .then([named({ ...www, does: 'serves' })]);
});

test('the main name is none of the others, at its row', () => {
  domain()
    .when(change([www, { name: 'shop.example', does: 'serves' }]))
    .thenRejected('invalid', 'this is the main name of the domain already');
  domain(named(www))
    .when(new EditDomain(ID, { ...main, serverName: 'www.shop.example', nameClaimed: true }, meta))
    .thenRejected('invalid', 'this is one of its other names: remove it there first');
});

test('a site with names that redirect gets no wildcard as its main name', () => {
  const rename = new EditDomain(ID, { ...main, serverName: '*.shop.example', nameClaimed: true }, meta);
  domain(named(org, www))
    .when(rename)
    .thenRejected(
      'invalid',
      '*.shop.example is no address to redirect to: serve its other names, or remove them, first',
    );
  domain(named(org))
    .when(rename)
    .then([{ type: 'DomainRenamed', data: { serverName: '*.shop.example' } }]);
});

test('an answer of DNS counts only for the names that the domain has', () => {
  const none = { outcome: 'none' as const, addresses: [], pointsHere: false };
  const answer = { outcome: 'found' as const, addresses: here, pointsHere: true };
  const heard = (names?: string[]) => {
    const others = names?.map((name) => ({ name, ...none }));
    return new RecordDnsAnswer(
      ID,
      { ...main, answer: { ...answer, ...(others && { names: others }) } },
      meta,
    );
  };
  const found = { ...answer, names: [{ name: www.name, ...none }] };
  domain(named(www))
    .when(heard([www.name]))
    .then([{ type: 'DnsAnswerChanged', data: found }]);
  domain(named(www), { type: 'DnsAnswerChanged', data: found })
    .when(heard([www.name]))
    .then([]);
  domain(named(www)).when(heard()).then([]);
  domain(named(www))
    .when(heard([org.name]))
    .then([]);
  domain()
    .when(heard([www.name]))
    .then([]);
});

test('all names of a site begin with the main one', () => {
  expect(namesOfSite({ serverName: 'shop.example', names: [www, org] })).toEqual([
    'shop.example',
    'www.shop.example',
    'shop.example.org',
  ]);
});
