/** What can happen to an alert and to its deliveries. */
import type { EventData, EventsOf } from '@quarterdeck/events';
import type { alertEvents } from '@quarterdeck/events/catalogue';
import { tellsEnd } from '@quarterdeck/projections';
import { command, type CommandOf, type Decider } from '../platform/decider';
import { notFound } from '../platform/errors';

export type AlertEvent = EventsOf<typeof alertEvents>;
export type DeliveryOutcome = Extract<AlertEvent, { type: 'AlertDelivered' | 'AlertDeliveryFailed' }>;

export interface KnownAlertState {
  is: 'open' | 'resolved' | 'dismissed';
  about: EventData<'AlertRaised'>['about'];
  /** Number of attempts since the alert was raised. */
  attempts: number;
  delivered: boolean;
}

export type AlertState = { is: 'unknown' } | KnownAlertState;

/** Also after the alert was resolved, if the same certificate returns. A dismissed alert stays dismissed. */
export class RaiseAlert extends command('RaiseAlert', { opens: true, idempotent: true })<
  EventData<'AlertRaised'>
>() {}
export class ResolveAlert extends command('ResolveAlert', { idempotent: true })<
  EventData<'AlertResolved'>
>() {}
export class DismissAlert extends command('DismissAlert', { idempotent: true })<object>() {}
/** One attempt to call the webhook, with its outcome. */
export class RecordDelivery extends command('RecordDelivery', { idempotent: true })<DeliveryOutcome>() {}

const alertCommands = [RaiseAlert, ResolveAlert, DismissAlert, RecordDelivery];
export type AlertCommand = CommandOf<typeof alertCommands>;

const raise = ({ data }: RaiseAlert, { is }: AlertState): AlertEvent[] =>
  is === 'unknown' || is === 'resolved' ? [{ type: 'AlertRaised', data }] : [];

/** A test ends with its only attempt: its sender sees the outcome. */
const endOfTest = (outcome: DeliveryOutcome, alert: KnownAlertState): AlertEvent[] => {
  if (alert.about !== 'test' || alert.is !== 'open') return [];
  const reason = outcome.type === 'AlertDelivered' ? 'the test arrived' : 'the test did not arrive';
  return [{ type: 'AlertResolved', data: { reason } }];
};

const record = ({ data: outcome }: RecordDelivery, alert: KnownAlertState): AlertEvent[] => {
  // Two processes made the attempt, or it is recorded a second time.
  if (alert.delivered || outcome.data.attempt !== alert.attempts + 1) return [];
  return [outcome, ...endOfTest(outcome, alert)];
};

const decide = (given: AlertCommand, state: AlertState): readonly AlertEvent[] => {
  if (given.type === 'RaiseAlert') return raise(given, state);
  if (state.is === 'unknown') throw notFound('alert');
  switch (given.type) {
    case 'ResolveAlert':
      return state.is === 'open' ? [{ type: 'AlertResolved', data: given.data }] : [];
    case 'DismissAlert':
      return state.is === 'open' ? [{ type: 'AlertDismissed', data: {} }] : [];
    case 'RecordDelivery':
      return record(given, state);
  }
};

const evolve = (state: AlertState, event: AlertEvent): AlertState => {
  if (event.type === 'AlertRaised')
    return { is: 'open', about: event.data.about, attempts: 0, delivered: false };
  if (state.is === 'unknown') return state;
  switch (event.type) {
    case 'AlertResolved':
      // If the alert was delivered, its end is delivered too.
      return { ...state, is: 'resolved', delivered: state.delivered && !tellsEnd(state) };
    case 'AlertDismissed':
      return { ...state, is: 'dismissed' };
    case 'AlertDelivered':
      return { ...state, attempts: event.data.attempt, delivered: true };
    case 'AlertDeliveryFailed':
      return { ...state, attempts: event.data.attempt };
  }
};

export const alertsDecider: Decider<AlertState, AlertCommand, AlertEvent> = {
  category: 'alert',
  commands: alertCommands,
  initial: { is: 'unknown' },
  decide,
  evolve,
};
