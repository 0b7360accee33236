// covers: DOM-04
import { foldEvents } from '../platform/decider';
import { HALF_KNOWN, type DnsAnswer } from './domain-answers';
import { domainsDecider, type DomainEvent } from './domains.decider';

const v4 = { address: '192.0.2.1', family: 4 };
const v6 = { address: '2001:db8::1', family: 6 };
const data = {
  serverName: 'shop.example.org',
  server: '0193f0a0-0000-7000-8000-0000000000a1',
  addresses: [v4, v6],
};
const silent: DnsAnswer = { outcome: 'failed', addresses: [], pointsHere: false, code: 'ETIMEOUT' };
const whole = (...addresses: DnsAnswer['addresses']): DnsAnswer => ({
  outcome: 'found',
  addresses,
  pointsHere: true,
});
const half = (...addresses: DnsAnswer['addresses']): DnsAnswer => ({
  ...whole(...addresses),
  code: HALF_KNOWN,
});
const moved = { address: '192.0.2.2', family: 4 };

/** Where a domain that was added with both families is known to point after these answers. */
const knownAfter = (...answers: DnsAnswer[]): DnsAnswer['addresses'] => {
  const told = answers.map((answer): DomainEvent => ({ type: 'DnsAnswerChanged', data: answer }));
  const state = foldEvents(domainsDecider, [{ type: 'DomainAdded', data }, ...told]);
  if (state.is !== 'present') throw new Error('it was added');
  return state.dns.known ?? state.dns.addresses;
};

test.each<[string, DnsAnswer[], DnsAnswer['addresses']]>([
  ['silence takes no address away, however long', [silent, silent], [v4, v6]],
  ['nor does an answer for the other family alone', [half(v4)], [v4, v6]],
  ['which is taken for its own', [silent, half(moved)], [moved, v6]],
  ['a whole answer takes away what it does not name', [half(v4), whole(v4)], [v4]],
  ['and so does one that there is none', [silent, { outcome: 'none', addresses: [], pointsHere: false }], []],
])('%s', (_what, answers, known) => {
  expect(knownAfter(...answers)).toEqual(known);
});
