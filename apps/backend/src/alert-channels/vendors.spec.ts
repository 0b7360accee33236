// covers: OPS-02
import { createHmac } from 'node:crypto';
import { channelKinds, type ChannelKind } from '@quarterdeck/events';
import { bytesOf, type Message } from './message';
import { requestsFor, verdictOf, type OpenChannel } from './vendors';

const now = new Date('2026-11-30T10:00:00.000Z');
const channel = (kind: ChannelKind, more: Partial<OpenChannel> = {}): OpenChannel => ({
  name: 'Operations',
  kind,
  address: 'https://hooks.example.org/services/T1/B1/x',
  signingSecret: 'sixteen letters!',
  sender: '',
  members: [],
  recipients: '',
  server: '',
  chat: '-100123',
  topic: 'ops',
  token: '123456:token',
  accessToken: '',
  integrationKey: 'k'.repeat(32),
  ...more,
});
const message: Message = {
  id: '0193f0a0-0000-7000-8000-000000000091',
  is: 'raised',
  at: '2026-11-30T09:59:00.000Z',
  workspace: { id: '0193f0a0-0000-7000-8000-0000000000c0', name: 'main' },
  severity: 'critical',
  title: '[main] Critical: shop.example.org',
  lines: ['shop.example.org: refuses <the> *connection* & @everyone.'],
  link: 'https://console.example.org/app/domain/alerts?alert=a1',
  alerts: [],
};
const sent = (of: OpenChannel, what: Message = message) => {
  const [request] = requestsFor(of, what, now);
  if (!request) throw new Error('no request');
  return { ...request, json: JSON.parse(request.body) as Record<string, unknown> };
};

test('a webhook is signed over its body, and its end has another id', () => {
  const { url, headers, body, json } = sent(channel('webhook'));
  expect(url).toBe('https://hooks.example.org/services/T1/B1/x');
  const [, t, v1] = /^t=(\d+),v1=(\w+)$/.exec(headers['x-quarterdeck-signature'] ?? '') ?? [];
  expect(v1).toBe(createHmac('sha256', 'sixteen letters!').update(`${t}.${body}`).digest('hex'));
  expect(json).toMatchObject({ id: message.id, event: 'alerts.raised', severity: 'critical', alerts: [] });
  const over = sent(channel('webhook'), { ...message, is: 'over' });
  expect([over.headers['x-quarterdeck-id'], over.headers['x-quarterdeck-event']]).toEqual([
    `${message.id}-over`,
    'alerts.over',
  ]);
});

test('Slack gets text in which nothing of an alert is a mention or a link', () => {
  expect(sent(channel('Slack')).json).toEqual({
    text: `*[main] Critical: shop.example.org*\nshop.example.org: refuses &lt;the&gt; *connection* &amp; @everyone.\n<${message.link}|Open in the console>`,
  });
});

test('Discord mentions nobody, and answers once the message is there', () => {
  const { url, json } = sent(channel('Discord'));
  expect(url).toBe('https://hooks.example.org/services/T1/B1/x?wait=true');
  expect(json['allowed_mentions']).toEqual({ parse: [] });
  expect(json['content']).toContain('refuses <the\\> \\*connection\\* & @everyone.');
  const inThread = channel('Discord', { address: 'https://d.example.org/w?thread_id=7' });
  expect(sent(inThread).url).toBe('https://d.example.org/w?thread_id=7&wait=true');
});

test('Teams gets an adaptive card with a button', () => {
  const { json } = sent(channel('Microsoft Teams'));
  expect(json).toMatchObject({
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        content: {
          type: 'AdaptiveCard',
          body: [{ text: message.title, color: 'attention' }, { text: message.lines[0] }],
          actions: [{ type: 'Action.OpenUrl', url: message.link }],
        },
      },
    ],
  });
});

test('Telegram, ntfy and Gotify are asked at their public server, or at the own one', () => {
  const chat = sent(channel('Telegram'));
  expect(chat.url).toBe('https://api.telegram.org/bot123456:token/sendMessage');
  expect(chat.json).toMatchObject({ chat_id: '-100123', link_preview_options: { is_disabled: true } });
  const push = sent(channel('ntfy', { accessToken: 'tk_1' }));
  expect([push.url, push.headers['authorization']]).toEqual(['https://ntfy.sh/', 'Bearer tk_1']);
  expect(push.json).toMatchObject({
    topic: 'ops',
    priority: 5,
    tags: ['rotating_light'],
    click: message.link,
  });
  expect(sent(channel('ntfy')).headers).not.toHaveProperty('authorization');
  const own = sent(channel('Gotify', { server: 'https://push.example.org/gotify/' }));
  expect([own.url, own.headers['x-gotify-key']]).toEqual([
    'https://push.example.org/gotify/message',
    '123456:token',
  ]);
  expect(own.json).toMatchObject({
    priority: 8,
    extras: { 'client::notification': { click: { url: message.link } } },
  });
});

test('PagerDuty opens an incident, and the end resolves the same one', () => {
  const opened = sent(channel('PagerDuty')).json;
  expect(opened).toMatchObject({
    routing_key: 'k'.repeat(32),
    event_action: 'trigger',
    payload: { severity: 'critical', source: 'main', timestamp: message.at },
  });
  const resolved = sent(channel('PagerDuty'), { ...message, is: 'over' }).json;
  expect(resolved).toEqual({
    routing_key: 'k'.repeat(32),
    event_action: 'resolve',
    dedup_key: opened['dedup_key'],
  });
  const test = requestsFor(channel('PagerDuty'), { ...message, is: 'test' }, now);
  expect(test.map(({ body }) => (JSON.parse(body) as { event_action: string }).event_action)).toEqual([
    'trigger',
    'resolve',
  ]);
});

const huge: Message = {
  ...message,
  title: 'ü'.repeat(5000),
  lines: Array.from(
    { length: 500 },
    (_, at) => `site-${at}.example.org: *no* answer & <more> für ${'ö'.repeat(80)}.`,
  ),
};
const limits: [ChannelKind, (json: Record<string, unknown>, body: string) => number, number][] = [
  ['Slack', ({ text }) => String(text).length, 4000],
  ['Discord', ({ content }) => String(content).length, 2000],
  ['Microsoft Teams', (_, body) => bytesOf(body), 28 * 1024],
  ['Telegram', ({ text }) => String(text).length, 4096],
  ['ntfy', ({ message: text }) => bytesOf(String(text)), 4096],
  ['Gotify', ({ message: text }) => String(text).length, 20_000],
  ['PagerDuty', ({ payload }) => (payload as { summary: string }).summary.length, 1024],
  ['PagerDuty', (_, body) => bytesOf(body), 512 * 1024],
];

test.each(limits)('a huge message to %s stays within its limit', (kind, sizeOf, max) => {
  const { json, body } = sent(channel(kind), huge);
  expect(sizeOf(json, body)).toBeLessThanOrEqual(max);
  if (kind !== 'PagerDuty') expect(body).toMatch(/… and \d+ more/);
});

test('every kind but e-mail is spoken to by HTTP', () => {
  const spoken = channelKinds.filter((kind) => kind !== 'e-mail');
  expect(spoken.map((kind) => sent(channel(kind)).headers['content-type'])).toEqual(
    spoken.map(() => 'application/json'),
  );
});

const answer = (status: number, text: string, headers = {}) => verdictOf({ status, text, headers }, now);

test.each([
  ['Slack', answer(404, 'no_service'), 'status 404: no_service'],
  ['Discord', answer(400, '{"message":"Invalid Form Body","code":50035}'), 'status 400: Invalid Form Body'],
  ['Telegram', answer(401, '{"ok":false,"description":"Unauthorized"}'), 'status 401: Unauthorized'],
  ['Telegram', answer(200, '{"ok":false,"description":"chat not found"}'), 'status 200: chat not found'],
  ['ntfy', answer(403, '{"code":40301,"error":"forbidden"}'), 'status 403: forbidden'],
  [
    'Gotify',
    answer(401, '{"error":"Unauthorized","errorDescription":"a token is needed"}'),
    'status 401: a token is needed',
  ],
  [
    'PagerDuty',
    answer(
      400,
      '{"status":"invalid event","message":"Event object is invalid","errors":["Invalid routing key"]}',
    ),
    'status 400: Event object is invalid: Invalid routing key',
  ],
  [
    'Teams',
    answer(200, 'Webhook message delivery failed with error: status 429'),
    'status 200: Webhook message delivery failed with error: status 429',
  ],
  ['a web page', answer(502, '<html><body>Bad gateway</body></html>'), 'status 502'],
])('the words of %s are kept when it refuses', (_, verdict, says) => {
  expect(verdict).toEqual({ delivered: false, says });
});

test.each([
  [answer(200, 'ok'), 'status 200: ok'],
  [answer(202, '{"status":"success","message":"Event processed"}'), 'status 202: Event processed'],
  [answer(204, ''), 'status 204'],
])('an answer of success is delivered: %j', (verdict, says) => {
  expect(verdict).toEqual({ delivered: true, says });
});

test.each([
  [answer(429, '', { 'retry-after': '30' }), 30_000],
  [answer(429, '{"retry_after":1.5}'), 1500],
  [answer(429, '{"ok":false,"parameters":{"retry_after":7}}'), 7000],
  [answer(503, '', { 'retry-after': 'Mon, 30 Nov 2026 10:01:00 GMT' }), 60_000],
  [answer(429, '', { 'retry-after': '99999999' }), 86_400_000],
  [answer(429, ''), undefined],
  [answer(500, '', { 'retry-after': '30' }), undefined],
])('how long a receiver wants to be left alone: %j', (verdict, waitMs) => {
  expect(verdict.waitMs).toBe(waitMs);
});
