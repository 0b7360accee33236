/** Records that the console wrote into a zone: one stream per name of a workspace. */
import type { EventData, EventsOf } from '@quarterdeck/events';
import type { dnsEvents } from '@quarterdeck/events/catalogue';
import { command, deciderOf } from '../platform/decider';

type DnsRecordEvent = EventsOf<typeof dnsEvents>;

/**
 * The last request, unless its record is known to exist. A failure settles nothing: only the answer may have been lost.
 */
export interface DnsRecordState {
  asked?: EventData<'DnsRecordRequested'>;
}

/**
 * Recorded before the zone is changed. Repeated requests are recorded again: somebody else removed or changed the
 * record.
 */
export class RequestRecord extends command('RequestRecord', { opens: true })(
  (data: EventData<'DnsRecordRequested'>) => [{ type: 'DnsRecordRequested', data }],
) {}

/** The provider has added the record to the zone. */
export class RecordAddition extends command('RecordAddition')((data: EventData<'DnsRecordAdded'>) => [
  { type: 'DnsRecordAdded', data },
]) {}

export class RecordFailure extends command('RecordFailure')((data: EventData<'DnsRecordFailed'>) => [
  { type: 'DnsRecordFailed', data },
]) {}

/**
 * The record was found in the zone. If the process that requested it died or got no answer, it was added all the same, in
 * place of the earlier one.
 */
export class ConfirmRecord extends command('ConfirmRecord', { idempotent: true })(
  ({ address }: { address: string }, { asked }: DnsRecordState) => {
    if (asked?.address !== address) return [];
    const { replaces, ...record } = asked;
    return [{ type: 'DnsRecordAdded', data: { ...record, ...(replaces && { replaced: replaces }) } }];
  },
) {}

export const dnsRecordsDecider = deciderOf<DnsRecordState, DnsRecordEvent>()({
  category: 'dnsrecord',
  commands: [RequestRecord, RecordAddition, RecordFailure, ConfirmRecord],
  initial: {},
  evolve: {
    DnsRecordRequested: (_, asked) => ({ asked }),
    DnsRecordAdded: () => ({}),
  },
});
