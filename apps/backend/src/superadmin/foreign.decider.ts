/** Superadmins' acknowledgements of events that this console did not write. */
import { comparePositions, START, type EventData, type EventsOf, type Position } from '@quarterdeck/events';
import type { logEvents } from '@quarterdeck/events/catalogue';
import { command, deciderOf } from '../platform/decider';

type LogEvent = EventsOf<typeof logEvents>;

interface ForeignState {
  /** Reviewed up to this position. */
  upTo: Position;
}

export class AcknowledgeForeign extends command('AcknowledgeForeign', { idempotent: true })(
  (data: EventData<'ForeignEventsAcknowledged'>, { upTo }: ForeignState) =>
    comparePositions(data.upTo, upTo) > 0 ? [{ type: 'ForeignEventsAcknowledged', data }] : [],
) {}

export const foreignDecider = deciderOf<ForeignState, LogEvent>()({
  category: 'log',
  commands: [AcknowledgeForeign],
  initial: { upTo: START },
  evolve: { ForeignEventsAcknowledged: (_, { upTo }) => ({ upTo }) },
});
