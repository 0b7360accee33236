// covers: DOM-05
import type { EventsOf } from '@quarterdeck/events';
import type { dnsEvents } from '@quarterdeck/events/catalogue';
import { given, meta } from '../platform/decisions/decider-testing';
import {
  ConfirmRecord,
  dnsRecordsDecider,
  RecordAddition,
  RecordFailure,
  RequestRecord,
} from './dns-records.decider';

const ID = '0193f0a0-0000-7000-8000-000000000001';
const data = { name: 'shop.example.org', address: '192.0.2.1', zone: 'example.org', provider: 'rfc2136' };
const on = (...events: EventsOf<typeof dnsEvents>[]) => given(dnsRecordsDecider, events);

const replaces = { ...data, replaces: '192.0.2.9' };
const requested = { type: 'DnsRecordRequested', data: replaces } as const;
const added = { type: 'DnsRecordAdded', data } as const;
const replaced = { type: 'DnsRecordAdded', data: { ...data, replaced: '192.0.2.9' } } as const;
const failed = { type: 'DnsRecordFailed', data: { ...data, reason: 'it did not answer' } } as const;

test('records every requested and added record, also a repeated one: somebody else had removed it meanwhile', () => {
  const request = new RequestRecord(ID, replaces, meta);
  on().when(request).then([requested]);
  on(requested, replaced).when(request).then([requested]);
  const add = new RecordAddition(ID, data, meta);
  on(requested).when(add).then([added]);
  on(requested, added, requested).when(add).then([added]);
  on(requested)
    .when(new RecordAddition(ID, replaced.data, meta))
    .then([replaced]);
});

test('records the outcome when a record was not added', () => {
  on(requested)
    .when(new RecordFailure(ID, failed.data, meta))
    .then([failed]);
});

test('counts an existing record as added if it was requested and the outcome was unknown', () => {
  const confirm = new ConfirmRecord(ID, { address: data.address }, meta);
  on(requested).when(confirm).then([replaced]);
  on(requested, failed).when(confirm).then([replaced]);
  on().when(confirm).then([]);
  on(requested, added).when(confirm).then([]);
  on({ ...requested, data: { ...data, address: '192.0.2.7' } })
    .when(confirm)
    .then([]);
});
