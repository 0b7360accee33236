/** Superadmins' acknowledgements of events that this console did not write. */
import { comparePositions, START, type EventData, type EventsOf, type Position } from '@quarterdeck/events';
import type { logEvents } from '@quarterdeck/events/catalogue';
import { command, type Decider } from '../platform/decider';

type LogEvent = EventsOf<typeof logEvents>;

export class AcknowledgeForeign extends command('AcknowledgeForeign', { idempotent: true })<
  EventData<'ForeignEventsAcknowledged'>
>() {}

interface ForeignState {
  /** Reviewed up to this position. */
  upTo: Position;
}

export const foreignDecider: Decider<ForeignState, AcknowledgeForeign, LogEvent> = {
  category: 'log',
  initial: { upTo: START },
  commands: [AcknowledgeForeign],
  decide: ({ data }, { upTo }) =>
    comparePositions(data.upTo, upTo) > 0 ? [{ type: 'ForeignEventsAcknowledged', data }] : [],
  evolve: (state, event) => (event.type === 'ForeignEventsAcknowledged' ? { upTo: event.data.upTo } : state),
};
