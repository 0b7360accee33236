/** Windows of maintenance and quiet hours: what waits is told at their end, once, if it is still open. covers: OPS-01 */
import type { AlertView, TriedRule } from '@quarterdeck/projections';
import { fieldsOf } from '../../testing/alert-vendors';
import { idleKey, nowhere } from '../../testing/idle-server';
import { fieldsOf as serverFields } from '../../testing/server-fields';
import { openChannelsWorld, type ChannelsWorld } from '../alert-channels/channels-world';
import { settled } from '../alerts/alerts-world';
import { addSamples } from './samples';

let world: ChannelsWorld;
let server: string;

const HOUR_MS = 3_600_000;
const after = (hours: number): string => new Date(Date.now() + hours * HOUR_MS).toISOString();
const insert = async (path: string, data: object): Promise<string> => {
  const { status, body } = await world.operator.post<{ id: string }>(`${path}/insert`, { data });
  expect([status, body]).toEqual([200, expect.objectContaining({ id: expect.any(String) })]);
  return body.id;
};
const edit = async (path: string, id: string, data: object): Promise<void> => {
  const { body } = await world.operator.post<object>(`${path}/detail`, { id });
  const before = Object.fromEntries(Object.entries(body).filter(([key]) => FIELDS.has(key)));
  const { status } = await world.operator.post(`${path}/update`, { id, data: { ...before, ...data } });
  expect(status).toBe(200);
};
const FIELDS = new Set([
  'name',
  'happens',
  'once',
  'weekly',
  'servers',
  'sites',
  'products',
  'causes',
  'leastSeverity',
  'holdsMinutes',
  'repeatHours',
  'channels',
  'quietHours',
]);
const tried = async (id: string): Promise<TriedRule> =>
  (await world.operator.post<TriedRule>('alert-rule/try', { id })).body;
const alertAbout = (about: string, is: (alert: AlertView) => boolean) =>
  settled(async () =>
    (await world.list()).find((alert) => alert.subjectId === server && alert.about === about && is(alert)),
  );
const fill = (ago: number[], disk: number) =>
  addSamples(world.backend.db, { workspace: world.workspace, server }, ago, { disk });

beforeAll(async () => {
  world = await openChannelsWorld();
});
beforeEach(async () => {
  const fields = { ...serverFields('web-1', nowhere), privateKey: idleKey() };
  server = (await world.operator.post<{ id: string }>('server/insert', fields)).body.id;
});
afterEach(async () => {
  for (const path of ['maintenance-window', 'alert-rule', 'alert-channel']) {
    const { body } = await world.operator.post<{ id: string }[]>(`${path}/list`, {});
    for (const { id } of body) await world.operator.post(`${path}/delete`, { id });
  }
  await world.operator.post('server/delete', { id: server });
  await world.configure({ thresholds: [21, 7], webhook: null });
});
afterAll(async () => {
  await world?.end();
});

test('what begins in maintenance is recorded, and told to channels and webhook at its end, as in a trial', async () => {
  expect((await world.configure(world.withWebhook())).status).toBe(200);
  const chat = await world.added({ name: 'Chat', ...fieldsOf(world.vendors.url).Slack });
  const rule = await insert('alert-rule', { name: 'Disks', causes: ['disk almost full'] });
  await world.operator.post('alert-rule/switchOn', { id: rule });
  const once = { starts: after(-1), ends: after(1) };
  const window = await insert('maintenance-window', { name: 'Updates', once, servers: [server] });
  await fill([60, 50], 40);
  await fill([40, 30], 95);
  const alert = await alertAbout('diskFull', ({ state }) => state === 'open');
  expect(alert.maintenance).toEqual({ id: window, name: 'Updates' });
  // Messages leave in order: once a later alert was told, this one would have been.
  const other = await world.raise('other.example.org');
  const first = await world.message(chat, ({ state }) => state === 'delivered');
  expect(first.alertIds).toEqual([other]);
  await settled(async () => world.receiver.asked.find(({ body }) => body.includes(other)));
  expect(world.receiver.asked.filter(({ body }) => body.includes(alert.id))).toEqual([]);
  expect(await tried(rule)).toMatchObject({ count: 0, crossings: 1 });

  const ends = new Date().toISOString();
  await edit('maintenance-window', window, { once: { ...once, ends } });
  const told = await world.message(
    chat,
    ({ state, alertIds }) => state === 'delivered' && alertIds.includes(alert.id),
  );
  expect(told.alerts).toEqual([{ id: alert.id, raisedAt: alert.raisedAt, moment: ends }]);
  expect((await tried(rule)).moments.map(({ at }) => at)).toEqual([ends]);
  const calls = () => world.receiver.asked.filter(({ body }) => body.includes(alert.id));
  await settled(() => Promise.resolve(calls()[0]));
  await fill([2, 1], 40);
  await alertAbout('diskFull', ({ state }) => state === 'resolved');
  expect((await world.messages(chat)).filter(({ alertIds }) => alertIds.includes(alert.id))).toHaveLength(1);
});

test('what is over when the maintenance ends was told to nobody', async () => {
  const chat = await world.added({ name: 'Chat', ...fieldsOf(world.vendors.url).ntfy });
  const once = { starts: after(-1), ends: after(1) };
  const window = await insert('maintenance-window', { name: 'Everything', once });
  await fill([60, 50], 40);
  await fill([40, 30], 95);
  await alertAbout('diskFull', ({ state }) => state === 'open');
  await fill([2, 1], 40);
  await alertAbout('diskFull', ({ state }) => state === 'resolved');
  await edit('maintenance-window', window, { once: { ...once, ends: new Date().toISOString() } });
  const other = await world.raise('other.example.org');
  await world.message(chat, ({ state }) => state === 'delivered');
  expect((await world.messages(chat)).flatMap(({ alertIds }) => alertIds)).toEqual([other]);
});

test('in quiet hours only what is most severe is told', async () => {
  const chat = await world.added({ name: 'Chat', ...fieldsOf(world.vendors.url).Slack });
  const clock = (hours: number) => after(hours).slice(11, 16);
  const quietHours = { days: [], from: clock(-2), until: clock(2), zone: '' };
  const rule = await insert('alert-rule', { name: 'Nights', quietHours });
  await world.operator.post('alert-rule/switchOn', { id: rule });
  await fill([60, 50], 40);
  await fill([40, 30], 95);
  const disk = await alertAbout('diskFull', ({ state }) => state === 'open');
  const site = await world.raise('site.example.org', 'siteDown');
  const first = await world.message(chat, ({ state }) => state === 'delivered');
  expect(first.alertIds).toEqual([site]);
  const inTrial = async () =>
    (await tried(rule)).moments.filter(({ subject }) => subject.id === server).map(({ at }) => at);
  expect(await inTrial()).toEqual([]);
  await edit('alert-rule', rule, { quietHours: null });
  const told = await world.message(
    chat,
    ({ state, alertIds }) => state === 'delivered' && !alertIds.includes(site),
  );
  expect(told.alerts.map(({ id, moment }) => [id, moment])).toEqual([[disk.id, disk.since]]);
  expect(await inTrial()).toEqual([disk.since]);
});

test.each([
  [
    'an end before the start',
    { once: { starts: '2026-12-24T18:00Z', ends: '2026-12-24T17:00Z' } },
    'once.ends',
  ],
  ['more than a month', { once: { starts: '2026-12-24T18:00Z', ends: '2027-02-24T17:00Z' } }, 'once.ends'],
  [
    'a time without a zone',
    { once: { starts: '2026-12-24T18:00', ends: '2026-12-24T19:00Z' } },
    'once.starts',
  ],
  ['no times', {}, 'once'],
  [
    'an unknown zone',
    { happens: 'weekly', weekly: { from: '22:00', until: '07:00', zone: 'Mars/Base' } },
    'weekly.zone',
  ],
  ['what never ends', { happens: 'weekly', weekly: { from: '00:00', until: '24:00' } }, 'weekly.until'],
  ['no time of a day', { happens: 'weekly', weekly: { from: '25:00', until: '07:00' } }, 'weekly.from'],
])('%s is refused, and the field is named', async (_, data, field) => {
  const { status, body } = await world.operator.post<{ data: object }>('maintenance-window/insert', {
    data: { name: 'Odd', ...data },
  });
  expect([status, Object.keys(body.data)]).toEqual([400, [`data.${field}`]]);
});
