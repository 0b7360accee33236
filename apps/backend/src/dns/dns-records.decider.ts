/** Records that the console wrote into a zone: one stream per name of a workspace. */
import type { EventData, EventsOf } from '@quarterdeck/events';
import type { dnsEvents } from '@quarterdeck/events/catalogue';
import { command, type CommandOf, type Decider } from '../platform/decider';

type DnsRecordEvent = EventsOf<typeof dnsEvents>;

/**
 * Recorded before the zone is changed. Repeated requests are recorded again: somebody else removed or changed the
 * record.
 */
export class RequestRecord extends command('RequestRecord', { opens: true })<
  EventData<'DnsRecordRequested'>
>() {}
/** The provider has added the record to the zone. */
export class RecordAddition extends command('RecordAddition')<EventData<'DnsRecordAdded'>>() {}
export class RecordFailure extends command('RecordFailure')<EventData<'DnsRecordFailed'>>() {}
/** The record was found in the zone. */
export class ConfirmRecord extends command('ConfirmRecord', { idempotent: true })<{ address: string }>() {}

const dnsRecordCommands = [RequestRecord, RecordAddition, RecordFailure, ConfirmRecord];
export type DnsRecordCommand = CommandOf<typeof dnsRecordCommands>;

/**
 * The last request, unless its record is known to exist. A failure settles nothing: only the answer may have been lost.
 */
export interface DnsRecordState {
  asked?: EventData<'DnsRecordRequested'>;
}

/**
 * The requesting process died or got no answer, but the record exists. So it was added, in place of the earlier one.
 */
const confirm = (address: string, { asked }: DnsRecordState): DnsRecordEvent[] => {
  if (asked?.address !== address) return [];
  const { replaces, ...record } = asked;
  return [{ type: 'DnsRecordAdded', data: { ...record, ...(replaces && { replaced: replaces }) } }];
};

export const dnsRecordsDecider: Decider<DnsRecordState, DnsRecordCommand, DnsRecordEvent> = {
  category: 'dnsrecord',
  commands: dnsRecordCommands,
  initial: {},
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
