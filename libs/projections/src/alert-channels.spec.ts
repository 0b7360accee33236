// covers: OPS-02
import type { AppEvent } from '@quarterdeck/events';
import { alertMessages, isUncertain, isWantedBy, type ChannelFields } from './alert-channels';
import { logOf, viewOf } from './testing/log';

const ID = '0193f0a0-0000-7000-8000-000000000081';
const CHANNEL = '0193f0a0-0000-7000-8000-000000000082';
const STREAM = `alertMessage-${ID}`;
const raisedAt = '2026-11-20T11:59:00.000Z';
const queued = (is: 'raised' | 'test' = 'raised'): AppEvent => ({
  type: 'AlertMessageQueued',
  data: {
    channel: { id: CHANNEL, name: 'Operations' },
    is,
    alerts: is === 'test' ? [] : [{ id: 'a1', raisedAt }],
  },
});
const begun = (attempt: number): AppEvent => ({ type: 'AlertMessageAttempted', data: { attempt } });
const delivered: AppEvent = {
  type: 'AlertMessageDelivered',
  data: { attempt: 1, durationMs: 9, says: 'status 200: ok' },
};
const nextAt = '2026-11-20T12:00:11.000Z';
const failed = (next?: string): AppEvent => ({
  type: 'AlertMessageFailed',
  data: { attempt: 1, durationMs: 9, reason: 'status 500', ...(next !== undefined && { nextAt: next }) },
});
const over = (tells: boolean): AppEvent => ({
  type: 'AlertMessageEnded',
  data: { tells, reason: 'it answers' },
});
const view = (...events: AppEvent[]) => {
  const found = viewOf(alertMessages, STREAM, logOf(...events.map((e) => [STREAM, e] as [string, AppEvent])));
  if (!found) throw new Error('no message');
  return found;
};

describe('the messages to alert channels', () => {
  test('a message about alerts is due at once, and a test is not: its call sends it', () => {
    expect(view(queued())).toMatchObject({
      state: 'waiting',
      isFollowed: true,
      alertKeys: [`a1 ${raisedAt}`],
      nextAttemptAt: '2026-11-20T12:00:00.000Z',
    });
    expect(view(queued('test'))).toMatchObject({ state: 'waiting', isFollowed: false });
    expect(view(queued('test')).nextAttemptAt).toBeUndefined();
  });

  test('an attempt without an outcome is uncertain, and the message stays due', () => {
    const during = view(queued(), begun(1));
    expect([isUncertain(during), during.nextAttemptAt]).toEqual([true, '2026-11-20T12:00:00.000Z']);
    expect(isUncertain(view(queued(), begun(1), failed(nextAt)))).toBe(false);
  });

  test('a failed attempt says when the next is due, and the last one ends the message', () => {
    expect(view(queued(), begun(1), failed(nextAt))).toMatchObject({
      state: 'waiting',
      nextAttemptAt: nextAt,
    });
    const last = view(queued(), begun(1), failed());
    expect(last).toMatchObject({ state: 'failed', isFollowed: false, settledAt: '2026-11-20T12:00:02.000Z' });
    expect(last.attempts).toEqual([
      { at: '2026-11-20T12:00:01.000Z', attempt: 1, durationMs: 9, says: 'status 500', delivered: false },
    ]);
  });

  test('the end of the alerts is sent after what was delivered, and drops what was not', () => {
    const told = view(queued(), begun(1), delivered, over(true));
    expect(told).toMatchObject({ is: 'over', state: 'waiting', nextAttemptAt: '2026-11-20T12:00:03.000Z' });
    expect(view(queued(), begun(1), delivered, over(false))).toMatchObject({
      is: 'raised',
      state: 'delivered',
    });
    const dropped = view(queued(), over(false));
    expect([dropped.state, dropped.nextAttemptAt]).toEqual(['dropped', undefined]);
    expect(isUncertain(view(queued(), begun(1), over(true)))).toBe(false);
  });
});

describe('what a channel wants', () => {
  const all = [
    'certificates',
    'sites',
    'services',
    'servers',
    'databases',
    'cloud',
    'backups',
    'workflows',
    'console',
  ];
  const wants = Object.fromEntries(all.map((one) => [one, true])) as unknown as ChannelFields['wants'];
  const channel = { id: CHANNEL, leastSeverity: 'warning', wants } as const;

  test('alerts of its severity or graver ones', () => {
    const about = (what: 'siteDown' | 'cloudRefused' | 'workflowAsks') =>
      isWantedBy(channel, { about: what, subjectId: 's' });
    expect([about('siteDown'), about('cloudRefused'), about('workflowAsks')]).toEqual([true, true, false]);
  });

  test('only the kinds that it has chosen, and never a test of the webhook', () => {
    const without = { ...channel, wants: { ...wants, sites: false } };
    expect(isWantedBy(without, { about: 'siteDown', subjectId: 's' })).toBe(false);
    expect(isWantedBy({ ...channel, leastSeverity: 'notice' }, { about: 'test', subjectId: 's' })).toBe(
      false,
    );
  });

  test('not that it failed itself, which it could not deliver', () => {
    expect(isWantedBy(channel, { about: 'channelFailed', subjectId: CHANNEL })).toBe(false);
    expect(isWantedBy(channel, { about: 'channelFailed', subjectId: 'another' })).toBe(true);
  });
});
