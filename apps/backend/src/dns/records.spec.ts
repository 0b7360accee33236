/** covers: DOM-05 */
import { addressRecord, type DnsRecord, planUpsert } from './records';

const name = 'shop.example.org';
const a = (value: string): DnsRecord => ({ name, type: 'A', value, ttl: 60 });
const six: DnsRecord = { name, type: 'AAAA', value: '2001:db8::1', ttl: 60 };
const alias: DnsRecord = { name, type: 'CNAME', value: 'other.example.net', ttl: 60 };
const wanted = a('192.0.2.9');

it.each<[string, DnsRecord, DnsRecord[], string, DnsRecord[], DnsRecord[]]>([
  ['nothing', wanted, [], 'added', [], [wanted]],
  ['the other family', wanted, [six], 'added', [], [wanted]],
  ['the record itself with another TTL', wanted, [{ ...wanted, ttl: 5 }, six], 'unchanged', [], []],
  ['another address', wanted, [a('192.0.2.1'), six], 'replaced', [a('192.0.2.1')], [wanted]],
  ['the record itself among others', wanted, [a('192.0.2.1'), wanted], 'replaced', [a('192.0.2.1')], []],
  ['an alias', wanted, [alias], 'replaced', [alias], [wanted]],
  ['addresses, for an alias', alias, [wanted, six], 'replaced', [wanted, six], [alias]],
])('the plan is right if the zone has %s', (_what, record, standing, done, remove, add) => {
  expect(planUpsert(record, standing, true)).toEqual({ done, remove, add });
  if (done !== 'replaced') expect(planUpsert(record, standing, false)).toEqual({ done, remove, add });
  else expect(() => planUpsert(record, standing, false)).toThrow('already has');
});

it('makes a record of its family from an address, in canonical form', () => {
  expect(addressRecord('Shop.Example.org.', ' 192.0.2.9 ', 60)).toEqual(wanted);
  expect(addressRecord(name, '2001:DB8:0:0::1', 60)).toEqual(six);
  expect(addressRecord(name, '::ffff:192.0.2.9', 60)).toEqual(wanted);
  for (const ip of ['', 'shop', '1.2.3', 'fe80::1%eth0'])
    expect(() => addressRecord(name, ip, 60)).toThrow('ip is not');
  expect(() => addressRecord('a b', '192.0.2.9', 60)).toThrow('name is not a host name');
});
