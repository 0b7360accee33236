// covers: DOM-13
import type { AppEvent } from '@quarterdeck/events';
import { alerts } from './alerts';
import { ALICE, logOf, viewOf, WORKSPACE } from './testing/log';

const ID = '0193f0a0-0000-7000-8000-000000000071';
const STREAM = `alert-${ID}`;
const subject = { kind: 'domain', id: '0193f0a0-0000-7000-8000-0000000000d1', name: 'shop.example.org' };
const data = { subject, about: 'certificateExpiry' as const, threshold: 7, says: 'It ends in 6 days.' };
const raised: AppEvent = { type: 'AlertRaised', data };
const resolved: AppEvent = { type: 'AlertResolved', data: { reason: 'the domain was removed' } };
const dismissed: AppEvent = { type: 'AlertDismissed', data: {} };
const nextAt = '2026-11-20T12:00:11.000Z';
const failed: AppEvent = {
  type: 'AlertDeliveryFailed',
  data: { attempt: 1, status: 500, reason: 'status 500', durationMs: 9, nextAt },
};
const delivered: AppEvent = { type: 'AlertDelivered', data: { attempt: 2, status: 200, durationMs: 9 } };
const view = (...events: AppEvent[]) =>
  viewOf(alerts, STREAM, logOf(...events.map((e) => [STREAM, e] as [string, AppEvent])));

describe('the alerts read model', () => {
  test('a raised alert is open, and its delivery is due at once', () => {
    expect(view(raised)).toEqual({
      ...data,
      id: ID,
      workspace: WORKSPACE,
      subjectId: subject.id,
      state: 'open',
      raisedAt: '2026-11-20T12:00:00.000Z',
      raisedPosition: '1',
      eventId: '0193f0a0-0000-7000-8000-000000000001',
      deliveries: [],
      nextAttemptAt: '2026-11-20T12:00:00.000Z',
      revision: 0,
      position: '1',
    });
  });

  test('every attempt is kept, and says when the next is due', () => {
    expect(view(raised, failed)).toMatchObject({
      nextAttemptAt: nextAt,
      deliveries: [{ attempt: 1, status: 500, reason: 'status 500', at: '2026-11-20T12:00:01.000Z' }],
    });
    const told = view(raised, failed, delivered);
    expect(told?.deliveries.map(({ attempt }) => attempt)).toEqual([1, 2]);
    expect(told?.nextAttemptAt).toBeUndefined();
  });

  test('an acknowledged alert stays open, says by whom, and is not delivered any more', () => {
    const acknowledged: AppEvent = { type: 'AlertAcknowledged', data: { note: 'on it' } };
    const found = view(raised, failed, acknowledged, failed);
    expect(found).toMatchObject({
      state: 'open',
      acknowledged: { at: '2026-11-20T12:00:02.000Z', by: ALICE, note: 'on it' },
    });
    expect(found?.nextAttemptAt).toBeUndefined();
    const withdrawn = view(raised, acknowledged, { type: 'AlertAcknowledgementWithdrawn', data: {} });
    expect(withdrawn).not.toHaveProperty('acknowledged');
  });

  test('an alert that has ended is not delivered any more, even if an attempt was running', () => {
    expect(view(raised, resolved)).toMatchObject({
      state: 'resolved',
      reason: 'the domain was removed',
      endedAt: '2026-11-20T12:00:01.000Z',
    });
    expect(view(raised, resolved)?.nextAttemptAt).toBeUndefined();
    const after = view(raised, dismissed, failed);
    expect(after).toMatchObject({ state: 'dismissed', endedBy: ALICE, deliveries: [{ attempt: 1 }] });
    expect(after?.nextAttemptAt).toBeUndefined();
  });

  test('an alert that is raised again is delivered again, as another event', () => {
    const again = view(raised, failed, delivered, resolved, raised);
    expect(again).toMatchObject({
      state: 'open',
      deliveries: [],
      eventId: '0193f0a0-0000-7000-8000-000000000005',
      raisedPosition: '5',
    });
    expect(again).not.toHaveProperty('reason');
  });

  test('an alert that was never raised is not shown', () => expect(view(failed)).toBeUndefined());
});
