/** What rules tell to channels, and what the same rules would have told in the past. covers: OPS-01 */
import type { AlertView, TriedRule } from '@quarterdeck/projections';
import { RecordHealth } from '../../apps/backend/src/servers';
import { serversDecider } from '../../apps/backend/src/servers/servers.decider';
import { Decisions } from '../../apps/backend/src/platform/decisions';
import { ownMeta } from '../../apps/backend/src/platform/sessions';
import { fieldsOf } from '../../testing/alert-vendors';
import { openChannelsWorld, type ChannelsWorld } from '../alert-channels/channels-world';
import { settled } from '../alerts/alerts-world';
import { idleKey, nowhere } from '../../testing/idle-server';
import { fieldsOf as serverFields } from '../../testing/server-fields';
import { addSamples } from './samples';

let world: ChannelsWorld;

const addRule = async (data: object): Promise<string> => {
  const { status, body } = await world.operator.post<{ id: string }>('alert-rule/insert', { data });
  expect([status, body]).toEqual([200, expect.objectContaining({ id: expect.any(String) })]);
  return body.id;
};
const switchOn = (id: string) => world.operator.post('alert-rule/switchOn', { id });
const tried = async (id: string): Promise<TriedRule> =>
  (await world.operator.post<TriedRule>('alert-rule/try', { id })).body;
const addServer = async (alias: string): Promise<string> =>
  (
    await world.operator.post<{ id: string }>('server/insert', {
      ...serverFields(alias, nowhere),
      privateKey: idleKey(),
    })
  ).body.id;
const alertAbout = (server: string, is: (alert: AlertView) => boolean) =>
  settled(async () => (await world.list()).find((alert) => alert.subjectId === server && is(alert)));

beforeAll(async () => {
  world = await openChannelsWorld();
});
afterAll(async () => {
  await world?.end();
});
afterEach(async () => {
  for (const path of ['alert-rule', 'alert-channel']) {
    const { body } = await world.operator.post<{ id: string }[]>(`${path}/list`, {});
    for (const { id } of body) await world.operator.post(`${path}/delete`, { id });
  }
});

test('a rule tried on the past gives the moments at which it told', async () => {
  const chat = await world.added({ name: 'Chat', ...fieldsOf(world.vendors.url).Slack });
  const rule = await addRule({
    name: 'Disks',
    causes: ['disk almost full'],
    holdsMinutes: 1,
    channels: [chat],
  });
  expect(await tried(rule)).toMatchObject({ count: 0, crossings: 0 });
  expect((await switchOn(rule)).status).toBe(200);
  const [long, other, short] = [await addServer('long'), await addServer('other'), await addServer('short')];
  const { workspace, backend } = world;
  const add = (server: string, ago: number[], disk?: number) =>
    addSamples(backend.db, { workspace, server }, ago, disk === undefined ? {} : { disk });
  for (const server of [long, other, short]) await add(server, [400, 370]);
  await add(long, [300, 270], 95);
  await add(other, [200, 170, 140], 97);
  await add(short, [30, 20], 99);

  const since = (await alertAbout(long, ({ state }) => state === 'open')).since ?? '';
  await alertAbout(short, ({ state }) => state === 'open');
  await add(short, [2, 1]);
  await alertAbout(short, ({ state }) => state === 'resolved');
  const messages = await settled(async () => {
    const all = (await world.messages(chat)).filter(({ state }) => state === 'delivered');
    return all.flatMap(({ alerts }) => alerts).length === 2 ? all : undefined;
  });
  expect(messages.flatMap(({ rules }) => rules)).toContainEqual({ id: rule, name: 'Disks' });

  const past = await tried(rule);
  const told = messages
    .flatMap(({ alerts }) => alerts.map(({ moment = '' }) => moment))
    .toSorted((a, b) => a.localeCompare(b));
  expect(past.moments.map(({ at }) => at)).toEqual(told);
  expect(past).toMatchObject({ count: 2, crossings: 3 });
  expect(past.moments[0]).toMatchObject({
    about: 'diskFull',
    subject: { kind: 'server', id: long, name: 'long' },
    since,
    says: 'The disk of long is almost full: 95 percent are in use.',
  });
  expect(Date.parse(past.moments[0]?.at ?? '')).toBe(Date.parse(since) + 60_000);

  // The same rule, before it is saved.
  const data = { name: 'New', causes: ['disk almost full'], holdsMinutes: 1 };
  const preview = await world.operator.post<TriedRule>('alert-rule/preview', { data });
  expect(preview.body).toMatchObject({ count: 2, crossings: 3, moments: past.moments });
  const sooner = await world.operator.post<TriedRule>('alert-rule/preview', {
    data: { ...data, holdsMinutes: 0, servers: [other] },
  });
  expect(sooner.body.moments.map(({ subject }) => subject.id)).toEqual([other]);
});

test('a server that cannot be reached is told, and tried, with the time of its event', async () => {
  const chat = await world.added({ name: 'Chat', ...fieldsOf(world.vendors.url).ntfy });
  const server = await addServer('away');
  const rule = await addRule({ name: 'Away', causes: ['server unreachable'], servers: [server] });
  await switchOn(rule);
  const decisions = world.backend.app.get(Decisions, { strict: false });
  const record = (to: 'reachable' | 'unreachable') =>
    decisions.execute(
      serversDecider,
      new RecordHealth(
        server,
        { to, ...(to === 'unreachable' && { reason: 'no route' }) },
        ownMeta('system', world.workspace),
      ),
    );
  await record('unreachable');
  const alert = await alertAbout(server, ({ state }) => state === 'open');
  expect(alert.says).toBe('away is unreachable: no route.');
  const message = await world.message(chat, ({ state }) => state === 'delivered');
  await record('reachable');
  await alertAbout(server, ({ state }) => state === 'resolved');
  const { moments } = await tried(rule);
  expect(moments.map(({ at }) => at)).toEqual([message.alerts[0]?.moment]);
  expect(moments[0]).toMatchObject({ at: alert.since, until: expect.any(String) });
});

test('a rule delays what it covers for its channels, and other channels are told at once', async () => {
  const { url } = world.vendors;
  const later = await world.added({ name: 'Later', ...fieldsOf(url).Slack, wants: { workflows: false } });
  const now = await world.added({ name: 'Now', ...fieldsOf(url).ntfy });
  const rule = await addRule({
    name: 'Sites',
    causes: ['site not answering', 'workflow tells'],
    holdsMinutes: 60,
    channels: [later],
  });
  await switchOn(rule);
  await world.raise('held.example.org');
  await world.message(now, ({ state }) => state === 'delivered');
  expect(await world.messages(later)).toEqual([]);
  await world.operator.post('alert-rule/switchOff', { id: rule });
  await world.message(later, ({ state }) => state === 'delivered');
});

test('an acknowledged alert is not told to a channel, until the acknowledgement is undone', async () => {
  const chat = await world.added({ name: 'Chat', ...fieldsOf(world.vendors.url).Slack });
  const alert = await world.raise('noted.example.org');
  const note = 'The provider is at it.';
  const { status } = await world.operator.post('alert/acknowledge', { id: alert, note });
  expect(status).toBe(200);
  const noted = async () => (await world.list()).find(({ id }) => id === alert);
  expect(await noted()).toMatchObject({ state: 'open', acknowledged: { note } });
  // Messages leave in order: once a later alert was told, this one would have been.
  await world.raise('other.example.org');
  const first = await world.message(chat, ({ state }) => state === 'delivered');
  expect(first.alertIds).not.toContain(alert);
  const position = (await noted())?.position;
  const preview = await world.operator.post<{ seen: string }>('history/undo/preview', { position });
  const undone = await world.operator.post('history/undo', { position, seen: preview.body.seen });
  expect([undone.status, (await noted())?.acknowledged]).toEqual([200, undefined]);
  await world.message(chat, ({ alertIds, state }) => state === 'delivered' && alertIds.includes(alert));
});

test('what no longer exists is refused where it is chosen', async () => {
  const data = { name: 'Gone', servers: ['0193f0a0-0000-7000-8000-00000000dead'] };
  const { status, body } = await world.operator.post('alert-rule/insert', { data });
  expect([status, body]).toEqual([
    400,
    expect.objectContaining({ data: { servers: 'one of these servers could not be found' } }),
  ]);
  const previewed = await world.operator.post('alert-rule/preview', { data });
  expect([previewed.status, previewed.body]).toEqual([
    400,
    expect.objectContaining({ data: { servers: 'one of these servers could not be found' } }),
  ]);
  const unknown = await world.operator.post('alert-rule/insert', { data: { name: 'Odd', causes: ['rain'] } });
  expect(unknown.status).toBe(400);
});
