/** Records that the console wrote into a zone: one stream for each name of a workspace. */
import type { EventData, EventsOf } from '@quarterdeck/events';
import type { dnsEvents } from '@quarterdeck/events/catalogue';
import { command, type Decider } from '../platform/decider';

type DnsRecordEvent = EventsOf<typeof dnsEvents>;

/** Before the zone is changed. */
export class RequestRecord extends command<'RequestRecord', EventData<'DnsRecordRequested'>>(
  'RequestRecord',
) {}
/** What the provider has done: it stands in the zone already. */
export class RecordAddition extends command<'RecordAddition', EventData<'DnsRecordAdded'>>(
  'RecordAddition',
) {}
export class RecordFailure extends command<'RecordFailure', EventData<'DnsRecordFailed'>>('RecordFailure') {}
/** It was found to stand there. */
export class ConfirmRecord extends command<'ConfirmRecord', { address: string }>('ConfirmRecord') {}

export type DnsRecordCommand = RequestRecord | RecordAddition | RecordFailure | ConfirmRecord;
export const dnsRecordCommands = [RequestRecord, RecordAddition, RecordFailure, ConfirmRecord];

/** What was asked for last and is not known to stand. A failure settles nothing: the answer alone may have been lost. */
export interface DnsRecordState {
  asked?: EventData<'DnsRecordRequested'>;
}

/** Whoever asked for it died, or heard nothing, and it is there: so it was added, in place of what stood there then. */
const confirm = (address: string, { asked }: DnsRecordState): DnsRecordEvent[] => {
  if (asked?.address !== address) return [];
  const { replaces, ...record } = asked;
  return [{ type: 'DnsRecordAdded', data: { ...record, ...(replaces && { replaced: replaces }) } }];
};

export const dnsRecordsDecider: Decider<DnsRecordState, DnsRecordCommand, DnsRecordEvent> = {
  category: 'dnsrecord',
  initial: {},
  opens: ['RequestRecord'],
  // Adding the same again is told again: somebody else had taken it away or changed it.
  idempotent: ['ConfirmRecord'],
  decide: (given, state) => {
    switch (given.type) {
      case 'RequestRecord':
        return [{ type: 'DnsRecordRequested', data: given.data }];
      case 'RecordAddition':
        return [{ type: 'DnsRecordAdded', data: given.data }];
      case 'RecordFailure':
        return [{ type: 'DnsRecordFailed', data: given.data }];
      case 'ConfirmRecord':
        return confirm(given.data.address, state);
    }
  },
  evolve: (state, event) => {
    if (event.type === 'DnsRecordRequested') return { asked: event.data };
    return event.type === 'DnsRecordAdded' ? {} : state;
  },
};
