/** What can happen to an alert and to its deliveries. */
import type { EventData, EventsOf } from '@quarterdeck/events';
import type { alertEvents } from '@quarterdeck/events/catalogue';
import { tellsEnd } from '@quarterdeck/projections';
import { command, deciderOf } from '../platform/decider';
import { notFound } from '../platform/errors';

export type AlertEvent = EventsOf<typeof alertEvents>;
export type DeliveryOutcome = Extract<AlertEvent, { type: 'AlertDelivered' | 'AlertDeliveryFailed' }>;

export interface KnownAlertState {
  is: 'open' | 'resolved' | 'dismissed';
  about: EventData<'AlertRaised'>['about'];
  /** Of what it is about. */
  name: string;
  /** Number of attempts since the alert was raised. */
  attempts: number;
  delivered: boolean;
  acknowledged: boolean;
}

export type AlertState = { is: 'unknown' } | KnownAlertState;

/** A rule about alerts that are known. No other one is found. */
const ofKnown =
  <D>(rule: (data: D, alert: KnownAlertState) => readonly AlertEvent[]) =>
  (data: D, state: AlertState): readonly AlertEvent[] => {
    if (state.is === 'unknown') throw notFound('alert');
    return rule(data, state);
  };

/** Also after the alert was resolved, if the same certificate returns. A dismissed alert stays dismissed. */
export class RaiseAlert extends command('RaiseAlert', { opens: true, idempotent: true })(
  (data: EventData<'AlertRaised'>, { is }: AlertState) =>
    is === 'unknown' || is === 'resolved' ? [{ type: 'AlertRaised', data }] : [],
) {}

export class ResolveAlert extends command('ResolveAlert', { idempotent: true })(
  ofKnown((data: EventData<'AlertResolved'>, { is }) =>
    is === 'open' ? [{ type: 'AlertResolved', data }] : [],
  ),
) {}

export class DismissAlert extends command('DismissAlert', { idempotent: true })(
  ofKnown((_: object, { is }) => (is === 'open' ? [{ type: 'AlertDismissed', data: {} }] : [])),
) {}

export class AcknowledgeAlert extends command('AcknowledgeAlert', { idempotent: true })(
  ofKnown((data: EventData<'AlertAcknowledged'>, { is, acknowledged }) =>
    is === 'open' && !acknowledged ? [{ type: 'AlertAcknowledged', data }] : [],
  ),
) {}

export class WithdrawAcknowledgement extends command('WithdrawAcknowledgement', { idempotent: true })(
  ofKnown((_: object, { is, acknowledged }) =>
    is === 'open' && acknowledged ? [{ type: 'AlertAcknowledgementWithdrawn', data: {} }] : [],
  ),
) {}

/** A test ends with its only attempt: its sender sees the outcome. */
const endOfTest = (outcome: DeliveryOutcome, alert: KnownAlertState): AlertEvent[] => {
  if (alert.about !== 'test' || alert.is !== 'open') return [];
  const reason = outcome.type === 'AlertDelivered' ? 'the test arrived' : 'the test did not arrive';
  return [{ type: 'AlertResolved', data: { reason } }];
};

/** One attempt to call the webhook, with its outcome. */
export class RecordDelivery extends command('RecordDelivery', { idempotent: true })(
  ofKnown((outcome: DeliveryOutcome, alert) =>
    // Two processes made the attempt, or it is recorded a second time.
    alert.delivered || outcome.data.attempt !== alert.attempts + 1
      ? []
      : [outcome, ...endOfTest(outcome, alert)],
  ),
) {}

const ifKnown = (state: AlertState, change: Partial<KnownAlertState>): AlertState =>
  state.is === 'unknown' ? state : { ...state, ...change };

export const alertsDecider = deciderOf<AlertState, AlertEvent>()({
  category: 'alert',
  commands: [
    RaiseAlert,
    ResolveAlert,
    DismissAlert,
    AcknowledgeAlert,
    WithdrawAcknowledgement,
    RecordDelivery,
  ],
  initial: { is: 'unknown' },
  evolve: {
    AlertRaised: (_, { about, subject: { name } }) => ({
      is: 'open',
      about,
      name,
      attempts: 0,
      delivered: false,
      acknowledged: false,
    }),
    // If the alert was delivered, its end is delivered too.
    AlertResolved: (state) =>
      state.is === 'unknown'
        ? state
        : { ...state, is: 'resolved', delivered: state.delivered && !tellsEnd(state) },
    AlertDismissed: (state) => ifKnown(state, { is: 'dismissed' }),
    AlertAcknowledged: (state) => ifKnown(state, { acknowledged: true }),
    AlertAcknowledgementWithdrawn: (state) => ifKnown(state, { acknowledged: false }),
    AlertDelivered: (state, { attempt }) => ifKnown(state, { attempts: attempt, delivered: true }),
    AlertDeliveryFailed: (state, { attempt }) => ifKnown(state, { attempts: attempt }),
  },
});
