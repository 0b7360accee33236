/** What can happen to a message to an alert channel. */
import type { EventData, EventsOf } from '@quarterdeck/events';
import type { alertMessageEvents } from '@quarterdeck/events/catalogue';
import { command, deciderOf } from '../platform/decider';
import { notFound } from '../platform/errors';

export type AlertMessageEvent = EventsOf<typeof alertMessageEvents>;
export type MessageOutcome = Extract<
  AlertMessageEvent,
  { type: 'AlertMessageDelivered' | 'AlertMessageFailed' }
>;

interface KnownMessage {
  is: 'waiting' | 'settled';
  /** Number of the newest attempt. */
  attempt: number;
  /** An attempt has begun, and its outcome is not recorded. */
  isUnderWay: boolean;
  isOver: boolean;
}
type MessageState = { is: 'unknown' } | KnownMessage;

const ofKnown =
  <D>(rule: (data: D, message: KnownMessage) => readonly AlertMessageEvent[]) =>
  (data: D, state: MessageState): readonly AlertMessageEvent[] => {
    if (state.is === 'unknown') throw notFound('message');
    return rule(data, state);
  };

export class QueueMessage extends command('QueueMessage', { opens: true, idempotent: true })(
  (data: EventData<'AlertMessageQueued'>, { is }: MessageState) =>
    is === 'unknown' ? [{ type: 'AlertMessageQueued', data }] : [],
) {}

/** Each attempt is begun once: of two processes, only one calls the receiver. */
export class BeginAttempt extends command('BeginAttempt', { idempotent: true })(
  ofKnown((data: EventData<'AlertMessageAttempted'>, { is, attempt }) =>
    is === 'waiting' && data.attempt === attempt + 1 ? [{ type: 'AlertMessageAttempted', data }] : [],
  ),
) {}

export class RecordOutcome extends command('RecordOutcome', { idempotent: true })(
  ofKnown((outcome: MessageOutcome, { attempt, isUnderWay }) =>
    isUnderWay && outcome.data.attempt === attempt ? [outcome] : [],
  ),
) {}

export class EndMessage extends command('EndMessage', { idempotent: true })(
  ofKnown((data: EventData<'AlertMessageEnded'>, { isOver }) =>
    isOver ? [] : [{ type: 'AlertMessageEnded', data }],
  ),
) {}

const ifKnown = (state: MessageState, change: Partial<KnownMessage>): MessageState =>
  state.is === 'unknown' ? state : { ...state, ...change };

export const alertMessagesDecider = deciderOf<MessageState, AlertMessageEvent>()({
  category: 'alertMessage',
  commands: [QueueMessage, BeginAttempt, RecordOutcome, EndMessage],
  initial: { is: 'unknown' },
  evolve: {
    AlertMessageQueued: () => ({ is: 'waiting', attempt: 0, isUnderWay: false, isOver: false }),
    AlertMessageAttempted: (state, { attempt }) => ifKnown(state, { attempt, isUnderWay: true }),
    AlertMessageDelivered: (state) => ifKnown(state, { is: 'settled', isUnderWay: false }),
    AlertMessageFailed: (state, { nextAt }) =>
      ifKnown(state, { is: nextAt === undefined ? 'settled' : 'waiting', isUnderWay: false }),
    AlertMessageEnded: (state, { tells }) =>
      ifKnown(state, {
        isOver: true,
        isUnderWay: false,
        ...(tells ? { is: 'waiting', attempt: 0 } : { is: 'settled' }),
      }),
  },
});
