/** Alert channels against stand-ins of the services that keep to their contracts. covers: OPS-02 */
import type { AlertView } from '@quarterdeck/projections';
import { closeInboxes, inbox } from '../mails/inbox';
import { settled } from '../alerts/alerts-world';
import { fieldsOf } from '../../testing/alert-vendors';
import { openChannelsWorld, type ChannelsWorld } from './channels-world';

let world: ChannelsWorld;

beforeAll(async () => {
  world = await openChannelsWorld();
});
afterAll(async () => {
  await world?.end();
  await closeInboxes();
});
afterEach(async () => {
  const { body } = await world.operator.post<{ id: string }[]>('alert-channel/list', {});
  for (const { id } of body) await world.operator.post('alert-channel/delete', { id });
});

const others = ['Slack', 'Discord', 'Microsoft Teams', 'Telegram', 'ntfy', 'Gotify', 'PagerDuty'] as const;
const shownBy = {
  Slack: 'slack',
  Discord: 'discord',
  'Microsoft Teams': 'teams',
  Telegram: 'telegram',
  ntfy: 'ntfy',
  Gotify: 'gotify',
  PagerDuty: 'pagerDuty',
} as const;

test.each(others)('a test of %s arrives, and a refusal is answered in its words', async (kind) => {
  const fields = fieldsOf(world.vendors.url)[kind];
  const id = await world.added({ name: `Test of ${kind}`, ...fields });
  expect(await world.test(id)).toMatchObject({ delivered: true, says: expect.stringMatching(/^status 20/) });
  expect(world.vendors.shown[shownBy[kind]].at(-1)).toMatch(/\[main\\?\] Test/);
  world.vendors.refuse(shownBy[kind], [403, { message: 'you are not welcome' }]);
  expect(await world.test(id)).toMatchObject({
    delivered: false,
    says: 'status 403: you are not welcome',
  });
  expect((await world.messages(id)).map(({ is, state }) => [is, state])).toEqual([
    ['test', 'failed'],
    ['test', 'delivered'],
  ]);
});

test('a test at PagerDuty leaves no incident open', async () => {
  const before = world.vendors.incidents.size;
  const id = await world.added({ name: 'On call', ...fieldsOf(world.vendors.url).PagerDuty });
  await world.test(id);
  expect([...world.vendors.incidents.values()].slice(before)).toEqual(['resolved']);
});

test('an e-mail goes to all recipients through the mail server of the workspace', async () => {
  const id = await world.added({
    name: 'Mailbox',
    kind: 'e-mail',
    sender: 'alerts@example.org',
    recipients: 'ops@example.org, ada@example.org',
  });
  expect(await world.test(id)).toMatchObject({
    delivered: false,
    says: expect.stringContaining('no mail server is set'),
  });
  const box = await inbox();
  const server = { host: '127.0.0.1', port: box.port, security: 'none', signIn: false };
  expect((await world.operator.post('workspace/mail-server', { server })).status).toBe(200);
  expect(await world.test(id)).toMatchObject({ delivered: true });
  expect(box.got).toMatchObject([{ to: ['ops@example.org', 'ada@example.org'] }]);
  expect(box.got[0]?.raw).toMatch(/^Subject: \[main\] Test/m);
});

test('an e-mail goes to members at the address that they have when it is sent, as long as they are members', async () => {
  const box = await inbox();
  const server = { host: '127.0.0.1', port: box.port, security: 'none', signIn: false };
  expect((await world.operator.post('workspace/mail-server', { server })).status).toBe(200);
  const grace = await world.backend.signIn({ email: 'grace@example.org', role: 'member' });
  const elsewhere = await world.backend.signIn({ email: 'eve@example.org', workspace: 'other' });
  const idOf = async (who: typeof grace) =>
    (await who.get<{ profile: { id: string } }>('session')).body.profile.id;
  const members = [await idOf(grace), await idOf(elsewhere)];
  const mailbox = { name: 'On duty', kind: 'e-mail', sender: 'alerts@example.org', members };
  const id = await world.added(mailbox);
  expect(await world.test(id)).toMatchObject({ delivered: true });
  expect(box.got).toMatchObject([{ to: ['grace@example.org'] }]);
  expect((await world.operator.post('person/remove', { id: members[0] })).status).toBe(200);
  expect(await world.test(id)).toMatchObject({
    delivered: false,
    says: 'none of its members has an e-mail address here',
  });
  expect(box.got).toHaveLength(1);
});

test('a webhook gets the alerts with a signature', async () => {
  const fields = { address: `${world.receiver.url}/alerts`, signingSecret: 'a secret of the receiver' };
  const id = await world.added({ name: 'Hook', kind: 'webhook', ...fields });
  await world.raise('hook.example.org');
  await world.message(id, ({ state }) => state === 'delivered');
  const call = world.receiver.asked.find(({ path }) => path === '/alerts');
  expect(call?.headers).toMatchObject({ 'x-quarterdeck-event': 'alerts.raised' });
  expect(JSON.parse(call?.body ?? '')).toMatchObject({ alerts: [{ subject: { name: 'hook.example.org' } }] });
});

test.each([
  [{ kind: 'Slack' }, 'data.address', 'This field is required'],
  [{ kind: 'Slack', address: 'hooks' }, 'data.address', 'a web address is expected, such as'],
  [
    { kind: 'Slack', address: 'https://discord.com/api/webhooks/1/abc' },
    'data.address',
    'this is an address of Discord: choose Discord as the kind',
  ],
  [{ kind: 'Gotify', token: 'x' }, 'server', 'the address of the Gotify server is expected'],
  [{ kind: 'Gotify', token: 'x', server: 'http://10.0.0.8' }, 'server', 'is private; the administrator'],
  [{ kind: 'ntfy' }, 'data.topic', 'This field is required'],
  [{ kind: 'ntfy', topic: 'a', chat: '-1' }, 'data.chat', 'only accepted when the kind is Telegram'],
  [{ kind: 'Telegram', chat: '-1', token: 'abc' }, 'data.token', 'the token of a bot is expected'],
  [{ kind: 'PagerDuty', integrationKey: 'abc' }, 'data.integrationKey', 'an integration key of 32 letters'],
  [
    { kind: 'e-mail', sender: 'a@example.org', recipients: 'b@example.org, c' },
    'data.recipients',
    'c is no e-mail address',
  ],
  [
    { kind: 'e-mail', sender: 'a@example.org' },
    'data.recipients',
    'a member, or an e-mail address such as ops@example.org, is expected',
  ],
  [
    { kind: 'ntfy', topic: 'a', members: ['6f1c4a52-52f5-4f0c-9b0f-6f1f0f1d8a36'] },
    'data.members',
    'only accepted when the kind is e-mail',
  ],
])('%j is refused at its field', async (fields, field, words) => {
  const { status, body } = await world.add({ name: 'Refused', ...fields });
  expect(status).toBe(400);
  expect((body as unknown as { data: Record<string, string> }).data[field]).toContain(words);
});

test('secrets are never shown again, and leave the vault when another kind needs none', async () => {
  const { url } = world.vendors;
  const kept = async () => {
    const { rows } = await world.backend.db.query<{ count: number }>(
      `select count(*)::int as count from app.vault where kind like 'alertChannel-%'`,
    );
    return rows[0]?.count ?? -1;
  };
  const before = await kept();
  const id = await world.added({ name: 'Secret', ...fieldsOf(url).Slack });
  expect(await kept()).toBe(before + 1);
  const reveal = await world.operator.post('alert-channel/reveal', { id, field: 'address' });
  expect(reveal.status).toBe(404);
  const { body } = await world.operator.post('alert-channel/detail', { id });
  expect(JSON.stringify(body)).not.toContain('XXXX');
  const all = { name: 'Secret', leastSeverity: 'notice' };
  const edit = { id, data: { ...all, kind: 'ntfy', server: url, topic: 'alerts' } };
  expect((await world.operator.post('alert-channel/update', edit)).status).toBe(200);
  expect(await kept()).toBe(before);
  const wrong = { id, data: { ...all, kind: 'Slack', address: 'hooks' } };
  expect((await world.operator.post('alert-channel/update', wrong)).status).toBe(400);
});

test('what a receiver repeats of a secret is masked', async () => {
  const fields = fieldsOf(world.vendors.url).Gotify;
  const id = await world.added({ name: 'Echo', ...fields });
  world.vendors.refuse('gotify', [401, { errorDescription: `the token ${fields.token} is unknown` }]);
  expect((await world.test(id)).says).toBe('status 401: the token ******* is unknown');
});

test('alerts that arise together are one message, and their end is one', async () => {
  const id = await world.added({ name: 'Chat', ...fieldsOf(world.vendors.url).Slack });
  const before = world.vendors.shown.slack.length;
  const alerts = [await world.raise('a.example.org'), await world.raise('b.example.org')];
  await world.message(id, ({ state }) => state === 'delivered');
  const told = world.vendors.shown.slack.slice(before);
  expect(told).toHaveLength(1);
  expect(told[0]).toMatch(/Critical: 2 alerts about a\.example\.org, b\.example\.org/);
  for (const alert of alerts) await world.resolve(alert);
  await world.message(id, ({ is, state }) => is === 'over' && state === 'delivered');
  expect(world.vendors.shown.slack.slice(before + 1)).toEqual([
    expect.stringMatching(/Over: 2 alerts about[^]*Now over: it answers again/),
  ]);
  expect(await world.messages(id)).toHaveLength(1);
});

test('a cleared alert resolves its incident at PagerDuty', async () => {
  const id = await world.added({ name: 'On call', ...fieldsOf(world.vendors.url).PagerDuty });
  const alert = await world.raise('c.example.org');
  const { id: message } = await world.message(id, ({ state }) => state === 'delivered');
  expect(world.vendors.incidents.get(`quarterdeck-${message}`)).toBe('triggered');
  await world.operator.post('alert/dismiss', { id: alert });
  await world.message(id, ({ is, state }) => is === 'over' && state === 'delivered');
  expect(world.vendors.incidents.get(`quarterdeck-${message}`)).toBe('resolved');
});

test('a channel gets only what it wants, and nothing from before it was added', async () => {
  await world.raise('old.example.org');
  const { url } = world.vendors;
  const wants = { sites: false };
  const picky = await world.added({
    name: 'Picky',
    ...fieldsOf(url).Telegram,
    leastSeverity: 'warning',
    wants,
  });
  const all = await world.added({ name: 'All', ...fieldsOf(url).ntfy });
  const before = [world.vendors.shown.telegram.length, world.vendors.shown.ntfy.length];
  await world.raise('site.example.org');
  await world.raise('tells', 'workflowTells', 'workflowInstance');
  await world.raise('account', 'cloudRefused', 'cloudaccount');
  await world.message(all, ({ state }) => state === 'delivered');
  await world.message(picky, ({ state }) => state === 'delivered');
  await settled(async () => ((await world.messages(all)).length === 3 ? true : undefined));
  await settled(async () => (world.vendors.shown.ntfy.length === (before[1] ?? 0) + 3 ? true : undefined));
  expect(world.vendors.shown.telegram.slice(before[0])).toEqual([
    expect.stringContaining('Warning: account'),
  ]);
  expect(world.vendors.shown.ntfy.join()).not.toContain('old.example.org');
});

test('a receiver that asks to be left alone is asked again after that, and not before', async () => {
  const id = await world.added({ name: 'Busy', ...fieldsOf(world.vendors.url).Discord });
  world.vendors.refuse('discord', [429, { message: 'You are being rate limited.' }, { 'retry-after': '12' }]);
  await world.raise('busy.example.org');
  const refused = await world.message(id, ({ attempts }) => attempts.at(-1)?.delivered === false);
  expect(refused.attempts.at(-1)?.says).toBe('status 429: You are being rate limited.');
  // Nor for another message.
  await world.raise('other.example.org');
  const both = await settled(async () => {
    const all = await world.messages(id);
    return all.length === 2 && all.every(({ state }) => state === 'delivered') ? all : undefined;
  });
  const begun = both
    .flatMap(({ attempts }) => attempts.map(({ at }) => Date.parse(at)))
    .toSorted((a, b) => a - b);
  const [first = 0, second = 0] = begun;
  expect(begun).toHaveLength(3);
  expect(second - first).toBeGreaterThanOrEqual(12_000);
});

test('a message whose alerts end before it arrives is dropped', async () => {
  const id = await world.added({ name: 'Away', ...fieldsOf(world.vendors.url).Slack });
  world.vendors.refuse('slack', [500, 'server_error']);
  const alert = await world.raise('short.example.org');
  await world.message(id, ({ attempts }) => attempts.at(-1)?.delivered === false);
  await world.resolve(alert);
  const dropped = await world.message(id, ({ state }) => state === 'dropped');
  expect(dropped).toMatchObject({ reason: 'it answers again' });
  expect(dropped.nextAttemptAt).toBeUndefined();
});

test('a message that fails for good is an alert of its own, until one arrives', async () => {
  const { url } = world.vendors;
  const id = await world.added({ name: 'Broken', ...fieldsOf(url).Slack });
  world.vendors.refuse('slack', [404, 'no_service'], 100);
  await world.raise('lost.example.org');
  const tried = await world.message(id, ({ attempts }) => attempts.at(-1)?.delivered === false);
  await world.giveUp(tried);
  const failed = (alert: AlertView): boolean => alert.subjectId === id && alert.about === 'channelFailed';
  const told = await settled(async () => (await world.list({ open: true })).find(failed));
  expect(told.says).toBe('Alerts do not reach the channel Broken: status 404: no_service.');
  world.vendors.refuse('slack', [200, 'ok'], 0);
  expect(await world.test(id)).toMatchObject({ delivered: true });
  await settled(async () => ((await world.list({ open: true })).some(failed) ? undefined : true));
});
