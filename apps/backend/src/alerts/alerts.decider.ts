/** What may happen to an alert, and to its deliveries. */
import type { EventData, EventsOf } from '@quarterdeck/events';
import type { alertEvents } from '@quarterdeck/events/catalogue';
import { command, type CommandOf, type Decider } from '../platform/decider';
import { notFound } from '../platform/errors';

export type AlertEvent = EventsOf<typeof alertEvents>;
export type DeliveryOutcome = Extract<AlertEvent, { type: 'AlertDelivered' | 'AlertDeliveryFailed' }>;

export interface KnownAlertState {
  is: 'open' | 'resolved' | 'dismissed';
  about: EventData<'AlertRaised'>['about'];
  /** Since it was raised. */
  attempts: number;
  delivered: boolean;
}

export type AlertState = { is: 'unknown' } | KnownAlertState;

/** Again after it was resolved: the same certificate came back. Once dismissed it stays so. */
export class RaiseAlert extends command('RaiseAlert', { opens: true, idempotent: true })<
  EventData<'AlertRaised'>
>() {}
export class ResolveAlert extends command('ResolveAlert', { idempotent: true })<
  EventData<'AlertResolved'>
>() {}
export class DismissAlert extends command('DismissAlert', { idempotent: true })<object>() {}
/** One attempt to tell the webhook, whatever came of it. */
export class RecordDelivery extends command('RecordDelivery', { idempotent: true })<DeliveryOutcome>() {}

const alertCommands = [RaiseAlert, ResolveAlert, DismissAlert, RecordDelivery];
export type AlertCommand = CommandOf<typeof alertCommands>;

const raise = ({ data }: RaiseAlert, { is }: AlertState): AlertEvent[] =>
  is === 'unknown' || is === 'resolved' ? [{ type: 'AlertRaised', data }] : [];

/** A test is over with its only attempt: whoever sent it looks at the outcome. */
const endOfTest = (outcome: DeliveryOutcome, alert: KnownAlertState): AlertEvent[] => {
  if (alert.about !== 'test' || alert.is !== 'open') return [];
  const reason = outcome.type === 'AlertDelivered' ? 'the test arrived' : 'the test did not arrive';
  return [{ type: 'AlertResolved', data: { reason } }];
};

const record = ({ data: outcome }: RecordDelivery, alert: KnownAlertState): AlertEvent[] => {
  // Made by two at once, or recorded a second time.
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
      return { ...state, is: 'resolved' };
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
