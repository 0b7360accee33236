/** Records that the console wrote into a zone: one stream for each name of a workspace. */
import type { EventData, EventsOf } from '@quarterdeck/events';
import type { dnsEvents } from '@quarterdeck/events/catalogue';
import { command, type Decider } from '../platform/decider';

type DnsRecordEvent = EventsOf<typeof dnsEvents>;

/** What the provider has done: it stands in the zone already. */
export class RecordAddition extends command<'RecordAddition', EventData<'DnsRecordAdded'>>(
  'RecordAddition',
) {}

export const dnsRecordsDecider: Decider<object, RecordAddition, DnsRecordEvent> = {
  category: 'dnsrecord',
  initial: {},
  opens: ['RecordAddition'],
  // Adding the same again is told again: somebody else had taken it away or changed it.
  idempotent: [],
  decide: ({ data }) => [{ type: 'DnsRecordAdded', data }],
  evolve: (state) => state,
};
