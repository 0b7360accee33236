// covers: OPS-02
import type { AlertView } from '@quarterdeck/projections';
import { given, meta } from '../platform/decisions/decider-testing';
import {
  alertMessagesDecider,
  BeginAttempt,
  EndMessage,
  QueueMessage,
  RecordOutcome,
  type AlertMessageEvent,
  type MessageOutcome,
} from './alert-messages.decider';
import { together } from './grouping';
import { fitted, messageOf } from './message';
import { endOf, outcomeOf } from './message-outcome';
import { gatheredIn } from './message-queue';

const id = '0193f0a0-0000-7000-8000-000000000091';
const workspace = { id: '0193f0a0-0000-7000-8000-0000000000c0', name: 'main' };
const alert = (name: string, more: Partial<AlertView> = {}): AlertView => ({
  id: `alert ${name}`,
  workspace: workspace.id,
  subject: { kind: 'domain', id: name, name },
  subjectId: name,
  about: 'siteDown',
  says: `${name}: refuses the connection.`,
  state: 'open',
  raisedAt: '2026-11-30T10:00:00.000Z',
  raisedPosition: '1',
  eventId: id,
  deliveries: [],
  revision: 0,
  position: '1',
  ...more,
});

describe('the decider', () => {
  const data = { channel: { id, name: 'Operations' }, is: 'raised', alerts: [] } as const;
  const queued: AlertMessageEvent = { type: 'AlertMessageQueued', data: { ...data, alerts: [] } };
  const begun = (attempt: number): AlertMessageEvent => ({
    type: 'AlertMessageAttempted',
    data: { attempt },
  });
  const delivered: MessageOutcome = {
    type: 'AlertMessageDelivered',
    data: { attempt: 1, durationMs: 5, says: 'ok' },
  };
  const failed = (nextAt?: string): MessageOutcome => ({
    type: 'AlertMessageFailed',
    data: { attempt: 1, durationMs: 5, reason: 'no', ...(nextAt !== undefined && { nextAt }) },
  });
  const over = (tells: boolean): AlertMessageEvent => ({
    type: 'AlertMessageEnded',
    data: { tells, reason: 'it answers' },
  });
  const on = (...events: AlertMessageEvent[]) => given(alertMessagesDecider, events);
  const begin = (attempt: number) => new BeginAttempt(id, { attempt }, meta);
  const record = (outcome: MessageOutcome) => new RecordOutcome(id, outcome, meta);
  const end = (tells: boolean) => new EndMessage(id, { tells, reason: 'it answers' }, meta);
  const nextAt = '2026-11-30T10:00:10.000Z';

  test('queues a message once', () => {
    const queue = new QueueMessage(id, { ...data, alerts: [] }, meta);
    on().when(queue).then([queued]);
    on(queued).when(queue).thenNothing();
  });

  test('begins each attempt once, and none after the message has arrived', () => {
    on(queued)
      .when(begin(1))
      .then([begun(1)]);
    on(queued, begun(1)).when(begin(1)).thenNothing();
    on(queued, begun(1))
      .when(begin(2))
      .then([begun(2)]);
    on(queued, begun(1), delivered).when(begin(2)).thenNothing();
    on(queued, begun(1), failed()).when(begin(2)).thenNothing();
    on(queued, begun(1), failed(nextAt))
      .when(begin(2))
      .then([begun(2)]);
  });

  test('records the outcome of the attempt under way, once', () => {
    on(queued).when(record(delivered)).thenNothing();
    on(queued, begun(1)).when(record(delivered)).then([delivered]);
    on(queued, begun(1), delivered).when(record(delivered)).thenNothing();
    on(queued, begun(1), begun(2)).when(record(delivered)).thenNothing();
  });

  test('ends a message once, and counts the attempts to tell the end from 1', () => {
    on(queued, begun(1), delivered)
      .when(end(true))
      .then([over(true)]);
    on(queued, begun(1), delivered, over(true)).when(end(true)).thenNothing();
    on(queued, begun(1), delivered, over(true))
      .when(begin(1))
      .then([begun(1)]);
    on(queued, over(false)).when(begin(1)).thenNothing();
  });
});

describe('what belongs together', () => {
  const names = (groups: AlertView[][]) => groups.map((group) => group.map(({ subject }) => subject.name));

  test('a server and its sites are one message', () => {
    const server = alert('web-1', { about: 'machineGone' });
    const sites = ['a.example.org', 'b.example.org'].map((name) => alert(name));
    const found = together([server, ...sites].map((one) => ({ alert: one, server: 's1' })));
    expect(names(found)).toEqual([['a.example.org', 'b.example.org', 'web-1']]);
  });

  test('alerts of one kind are one message, and what joins two groups joins all of both', () => {
    const backup = alert('backups', { about: 'backupFailed' });
    const found = together([
      { alert: alert('a.example.org'), server: 's1' },
      { alert: alert('shop', { about: 'serviceDown' }), server: 's2' },
      { alert: backup },
      { alert: alert('b.example.org'), server: 's2' },
    ]);
    expect(names(found)).toEqual([['a.example.org', 'b.example.org', 'shop'], ['backups']]);
  });

  test('alerts are gathered until none has come for 3 seconds, and for 20 seconds at most', () => {
    const at = (seconds: number) => new Date(Date.UTC(2026, 10, 30, 10, 0, seconds));
    const raised = (...seconds: number[]) => seconds.map((one) => at(one).toISOString());
    expect(gatheredIn(raised(0), at(1))).toBe(2000);
    expect(gatheredIn(raised(0, 2), at(3))).toBe(2000);
    expect(gatheredIn(raised(0, 2), at(5))).toBe(0);
    expect(gatheredIn(raised(0, 19), at(19))).toBe(1000);
    expect(gatheredIn(raised(0, 19), at(20))).toBe(0);
  });
});

describe('what a message says', () => {
  const sender = { workspace, publicUrl: 'https://console.example.org' };
  const queuedAt = '2026-11-30T10:00:03.000Z';
  const view = { id, is: 'raised' as const, attempts: [], queuedAt };

  test('one alert is named and linked', () => {
    expect(messageOf(view, [alert('shop.example.org')], sender)).toMatchObject({
      title: '[main] Critical: shop.example.org',
      severity: 'critical',
      lines: ['shop.example.org: refuses the connection.'],
      link: 'https://console.example.org/app/domain/alerts?alert=alert shop.example.org',
    });
  });

  test('several are counted, with the gravest severity, and without what is over by now', () => {
    const cloud = alert('account', { about: 'cloudRefused' });
    const over = alert('old.example.org', { state: 'resolved' });
    const said = messageOf(view, [cloud, over, alert('a'), alert('b'), alert('c')], sender);
    expect(said).toMatchObject({
      title: '[main] Critical: 4 alerts about account, a, b and 1 more',
      severity: 'critical',
      link: 'https://console.example.org/app/domain/alerts',
    });
    expect(said.lines).toHaveLength(4);
  });

  test('the end says why, and a repetition that may be one says so', () => {
    const over = alert('a', { state: 'resolved', reason: 'it answers again' });
    const uncertain = { ...view, is: 'over' as const, attempts: [{ at: queuedAt, attempt: 1 }] };
    expect(messageOf(uncertain, [over], sender).lines).toEqual([
      'a: refuses the connection. Now over: it answers again.',
      expect.stringMatching(/may come twice/),
    ]);
  });

  test('lines that do not fit are counted', () => {
    expect(fitted(['one', 'two', 'three'], 100)).toBe('one\ntwo\nthree');
    expect(fitted(['first line', 'second line', 'third line'], 25)).toBe('first line\n… and 2 more');
    expect(fitted(['x'.repeat(50)], 10)).toBe(`${'x'.repeat(9)}…`);
  });
});

describe('what is recorded', () => {
  const at = new Date('2026-11-30T10:00:00.000Z');
  const attempt = { attempt: 1, beganAt: at, endedAt: at };

  test('a receiver that wants to be left alone for longer is not asked earlier', () => {
    const next = (waitMs?: number) => {
      const { data } = outcomeOf(attempt, {
        delivered: false,
        says: 'status 429',
        ...(waitMs !== undefined && { waitMs }),
      });
      return 'nextAt' in data ? data.nextAt : undefined;
    };
    expect(next()).toBe('2026-11-30T10:00:10.000Z');
    expect(next(5000)).toBe('2026-11-30T10:00:10.000Z');
    expect(next(90_000)).toBe('2026-11-30T10:01:30.000Z');
    const busy = outcomeOf(attempt, { delivered: false, says: 'status 429', waitMs: 5000 });
    expect(busy.data).toMatchObject({ restsUntil: '2026-11-30T10:00:05.000Z' });
  });

  test('the last attempt and a test have no next one', () => {
    const refused = { delivered: false, says: 'no', waitMs: 90_000 };
    expect(outcomeOf({ ...attempt, attempt: 8 }, refused).data).not.toHaveProperty('nextAt');
    expect(outcomeOf({ ...attempt, once: true }, refused).data).not.toHaveProperty('nextAt');
  });

  const resolved = alert('a', { state: 'resolved', reason: 'it answers again' });
  const dismissed = alert('a', { state: 'dismissed' });
  const renewed = alert('a', { state: 'resolved', about: 'certificateExpiry', reason: 'it was renewed' });
  const tried = [{ at: at.toISOString(), attempt: 1, delivered: false }];
  test.each([
    ['a site that answers again is told', 'Slack', 'delivered', resolved, true],
    ['a renewed certificate is no news', 'Slack', 'delivered', renewed, false],
    ['a dismissed alert is no news', 'Slack', 'delivered', dismissed, false],
    ['what never arrived has no end', 'Slack', 'waiting', resolved, false],
    ['an incident at PagerDuty is resolved', 'PagerDuty', 'delivered', renewed, true],
    ['one that PagerDuty may have got is resolved', 'PagerDuty', 'waiting', dismissed, true],
  ] as const)('%s', (_, kind, state, over, tells) => {
    expect(endOf({ state, attempts: tried }, kind, [over]).tells).toBe(tells);
  });

  test('nothing is told to a channel that was removed', () => {
    expect(endOf({ state: 'delivered', attempts: [] }, null, [resolved])).toEqual({
      tells: false,
      reason: 'the channel was removed',
    });
  });
});
