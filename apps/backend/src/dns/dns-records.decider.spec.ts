// covers: DOM-05
import { given, meta } from '../platform/decider-testing';
import { dnsRecordsDecider, RecordAddition } from './dns-records.decider';

const ID = '0193f0a0-0000-7000-8000-000000000001';
const data = { name: 'shop.example.org', address: '192.0.2.1', zone: 'example.org', provider: 'rfc2136' };

test('every record that was added is told, also again: somebody else had taken it away meanwhile', () => {
  const added = { type: 'DnsRecordAdded', data } as const;
  given(dnsRecordsDecider, [])
    .when(new RecordAddition(ID, data, meta))
    .then([added]);
  given(dnsRecordsDecider, [added])
    .when(new RecordAddition(ID, data, meta))
    .then([added]);
  const replaced = { ...data, replaced: '192.0.2.9' };
  given(dnsRecordsDecider, [added])
    .when(new RecordAddition(ID, replaced, meta))
    .then([{ type: 'DnsRecordAdded', data: replaced }]);
});
