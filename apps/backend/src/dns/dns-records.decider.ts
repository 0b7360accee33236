/** Records that the console wrote into a zone: one stream for each name of a workspace. */
import type { EventData, EventsOf } from '@quarterdeck/events';
import type { dnsEvents } from '@quarterdeck/events/catalogue';
import { command, type CommandOf, type Decider } from '../platform/decider';

type DnsRecordEvent = EventsOf<typeof dnsEvents>;

/** Before the zone is changed. Repeated, it is recorded again: somebody else removed or changed the record. */
export class RequestRecord extends command('RequestRecord', { opens: true })<
  EventData<'DnsRecordRequested'>
>() {}
/** What the provider has done: it stands in the zone already. */
export class RecordAddition extends command('RecordAddition')<EventData<'DnsRecordAdded'>>() {}
export class RecordFailure extends command('RecordFailure')<EventData<'DnsRecordFailed'>>() {}
/** It was found to stand there. */
export class ConfirmRecord extends command('ConfirmRecord', { idempotent: true })<{ address: string }>() {}

const dnsRecordCommands = [RequestRecord, RecordAddition, RecordFailure, ConfirmRecord];
export type DnsRecordCommand = CommandOf<typeof dnsRecordCommands>;

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
