// covers: OPS-01
import type { AlertView } from '@quarterdeck/projections';
import type { EnabledRule, Tellable } from './channels.queries';
import { judge as judgeBy } from './message-queue';

const workspace = 'w1';
const since = '2026-11-30T10:00:00.000Z';
const now = new Date('2026-11-30T10:05:00.000Z');
const wants = {
  certificates: true,
  sites: false,
  services: true,
  servers: true,
  databases: true,
  cloud: true,
  backups: true,
  workflows: true,
  console: true,
};
const tellable = (about: AlertView['about'], more: Partial<Tellable> = {}): Tellable =>
  ({
    channel: { id: 'c1', workspace, leastSeverity: 'notice', wants },
    alert: {
      id: 'a1',
      about,
      subject: { kind: 'server', id: 's1' },
      subjectId: 's1',
      since,
      raisedAt: since,
    },
    server: 's1',
    product: null,
    told: null,
    ...more,
  }) as unknown as Tellable;
const rule = (more: Partial<EnabledRule> = {}): EnabledRule => ({
  id: 'r1',
  workspace,
  name: 'Rule',
  causes: [],
  leastSeverity: 'notice',
  servers: [],
  sites: [],
  products: [],
  holdsMinutes: 10,
  channels: [],
  repeatHours: 0,
  quietHours: null,
  ...more,
});

const judge = (one: Tellable, rules: readonly EnabledRule[], at: Date) =>
  judgeBy(one, { rules, windows: [] }, at);

test('what no rule covers is told at once, once, and only if the channel wants it', () => {
  expect(judge(tellable('diskFull'), [], now).due).toBe(since);
  expect(judge(tellable('diskFull', { told: since }), [], now).due).toBeUndefined();
  expect(judge(tellable('siteDown'), [], now).due).toBeUndefined();
});

test('a rule decides for what it covers, also if the channel does not want it', () => {
  const at = '2026-11-30T10:10:00.000Z';
  expect(judge(tellable('siteDown'), [rule()], now)).toMatchObject({ next: at, by: [{ id: 'r1' }] });
  expect(judge(tellable('siteDown'), [rule()], new Date(at)).due).toBe(at);
});

test.each([
  ['of another workspace', { workspace: 'w2' }],
  ['for another channel', { channels: ['c2'] }],
  ['about another server', { servers: ['s2'] }],
  ['about another cause', { causes: ['backup failed'] }],
] as const)('a rule %s changes nothing', (_, more) => {
  expect(judge(tellable('diskFull'), [rule(more)], now)).toEqual({ due: since, by: [] });
});

test('nothing is told about an alert that somebody has acknowledged, until that is withdrawn', () => {
  const one = tellable('diskFull', { told: since });
  const again = rule({ holdsMinutes: 0, repeatHours: 1 });
  const later = new Date('2026-11-30T11:30:00.000Z');
  expect(judge(one, [again], later).due).toBe('2026-11-30T11:00:00.000Z');
  const acknowledged = { at: since, by: 'ada', note: 'on it' };
  expect(judge({ ...one, alert: { ...one.alert, acknowledged } }, [again], later)).toEqual({ by: [] });
});

test('no rule tells a channel that it failed itself, or of a test', () => {
  const failed = tellable('channelFailed');
  const own = { ...failed, alert: { ...failed.alert, subjectId: 'c1' } };
  expect(judge(own, [rule({ holdsMinutes: 0 })], now)).toEqual({ by: [] });
  expect(judge(tellable('test'), [rule({ holdsMinutes: 0 })], now)).toEqual({ by: [] });
});
