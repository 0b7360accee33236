// covers: DOM-13 OPS-01
import { given, meta } from '../platform/decisions/decider-testing';
import {
  AcknowledgeAlert,
  alertsDecider,
  DismissAlert,
  RaiseAlert,
  RecordDelivery,
  ResolveAlert,
  WithdrawAcknowledgement,
  type AlertEvent,
  type DeliveryOutcome,
} from './alerts.decider';

const id = '0193f0a0-0000-7000-8000-000000000071';
const subject = { kind: 'domain', id: '0193f0a0-0000-7000-8000-0000000000d1', name: 'shop.example.org' };
const about = { subject, about: 'certificateExpiry' as const, threshold: 7, says: 'It ends in 6 days.' };
const raised: AlertEvent = { type: 'AlertRaised', data: about };
const tested: AlertEvent = { type: 'AlertRaised', data: { subject, about: 'test', says: 'A test.' } };
const resolved: AlertEvent = { type: 'AlertResolved', data: { reason: 'the certificate was renewed' } };
const acknowledged: AlertEvent = { type: 'AlertAcknowledged', data: { note: 'on it' } };
const withdrawn: AlertEvent = { type: 'AlertAcknowledgementWithdrawn', data: {} };
const dismissed: AlertEvent = { type: 'AlertDismissed', data: {} };
const delivered = (attempt: number): DeliveryOutcome => ({
  type: 'AlertDelivered',
  data: { attempt, status: 200, durationMs: 12 },
});
const failed = (attempt: number): DeliveryOutcome => ({
  type: 'AlertDeliveryFailed',
  data: { attempt, reason: 'status 500', durationMs: 12 },
});
const on = (...events: AlertEvent[]) => given(alertsDecider, events);
const raise = new RaiseAlert(id, about, meta);
const resolve = new ResolveAlert(id, { reason: 'the certificate was renewed' }, meta);
const dismiss = new DismissAlert(id, {}, meta);
const record = (outcome: DeliveryOutcome) => new RecordDelivery(id, outcome, meta);

describe('raising an alert', () => {
  test('opens an alert once', () => on().when(raise).then([raised]));
  test('does nothing if the alert is open', () => on(raised).when(raise).thenNothing());
  test('leaves a dismissed alert dismissed', () => on(raised, dismissed).when(raise).thenNothing());
  test('opens a resolved alert again', () => on(raised, resolved).when(raise).then([raised]));
});

describe('ending an alert', () => {
  test('resolves an open alert with the reason', () => on(raised).when(resolve).then([resolved]));
  test('dismisses an open alert', () => on(raised).when(dismiss).then([dismissed]));
  test('leaves an ended alert as it ended', () => {
    on(raised, dismissed).when(resolve).thenNothing();
    on(raised, resolved).when(dismiss).thenNothing();
  });
  test('cannot find an unknown alert', () => {
    on().when(resolve).thenRejected('notFound', 'alert could not be found');
    on().when(dismiss).thenRejected('notFound', 'alert could not be found');
    on()
      .when(record(failed(1)))
      .thenRejected('notFound', 'alert could not be found');
  });
});

describe('acknowledging an alert', () => {
  const acknowledge = new AcknowledgeAlert(id, { note: 'on it' }, meta);
  const withdraw = new WithdrawAcknowledgement(id, {}, meta);
  test('records it once while the alert is open', () => {
    on(raised).when(acknowledge).then([acknowledged]);
    on(raised, acknowledged).when(acknowledge).thenNothing();
    on(raised, resolved).when(acknowledge).thenNothing();
  });
  test('is withdrawn once, and can then be given again', () => {
    on(raised, acknowledged).when(withdraw).then([withdrawn]);
    on(raised).when(withdraw).thenNothing();
    on(raised, acknowledged, withdrawn).when(acknowledge).then([acknowledged]);
  });
  test('leaves the alert open, so it ends by itself, and a new crossing is not acknowledged', () => {
    on(raised, acknowledged).when(resolve).then([resolved]);
    on(raised, acknowledged, resolved, raised).when(acknowledge).then([acknowledged]);
  });
});

describe('deliveries of an alert', () => {
  test('records every attempt once', () => {
    on(raised)
      .when(record(failed(1)))
      .then([failed(1)]);
    on(raised, failed(1))
      .when(record(delivered(2)))
      .then([delivered(2)]);
  });
  test('counts an attempt once that two processes made, and records none after a success', () => {
    on(raised, failed(1))
      .when(record(failed(1)))
      .thenNothing();
    on(raised, failed(1))
      .when(record(delivered(3)))
      .thenNothing();
    on(raised, delivered(1))
      .when(record(failed(2)))
      .thenNothing();
  });
  test('records an attempt that was running when the alert ended', () =>
    on(raised, dismissed)
      .when(record(delivered(1)))
      .then([delivered(1)]));
  test('starts again from the first attempt when the alert is raised again', () =>
    on(raised, delivered(1), resolved, raised)
      .when(record(delivered(1)))
      .then([delivered(1)]));
  test('ends a test with its only attempt, and records the outcome', () => {
    const end = (reason: string): AlertEvent => ({ type: 'AlertResolved', data: { reason } });
    on(tested)
      .when(record(delivered(1)))
      .then([delivered(1), end('the test arrived')]);
    on(tested)
      .when(record(failed(1)))
      .then([failed(1), end('the test did not arrive')]);
    on(tested, dismissed)
      .when(record(failed(1)))
      .then([failed(1)]);
  });
});
