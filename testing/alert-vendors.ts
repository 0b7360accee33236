/**
 * Slack, Discord, Teams, Telegram, ntfy, Gotify and PagerDuty on one port, by their published contracts: they refuse what
 * the real ones refuse, keep what they got, and can be told to fail.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

type Body = Record<string, unknown>;
type Refusal = readonly [status: number, body: string | Body, headers?: Record<string, string>];

interface VendorCall {
  path: string;
  query: URLSearchParams;
  headers: IncomingMessage['headers'];
  body: Body;
}

const keys = {
  slack: '/services/T0000/B0000/XXXX',
  discord: `/api/webhooks/1000/${'d'.repeat(20)}`,
  teams: '/workflows/w1/triggers/manual/paths/invoke',
  telegram: `123456789:${'a'.repeat(35)}`,
  ntfy: 'tk_1234567890',
  gotify: 'Agotifytoken',
  pagerDuty: 'p'.repeat(32),
} as const;

type Vendor = keyof typeof keys;

export interface AlertVendors {
  url: string;
  /** What each one shows its readers, oldest first. */
  shown: Record<Vendor, string[]>;
  /** Incidents of PagerDuty by their keys. */
  incidents: Map<string, 'triggered' | 'resolved'>;
  /** The next `times` requests to it are refused, before anything is kept. */
  refuse(vendor: Vendor, refusal: Refusal, times?: number): void;
  /** It keeps what it gets and never answers, until told otherwise. */
  hang(vendor: Vendor, isHanging: boolean): void;
  stop(): Promise<void>;
}

/** Fields of a channel of each kind that its stand-in accepts. */
export const fieldsOf = (url: string) => ({
  Slack: { kind: 'Slack', address: `${url}${keys.slack}` },
  Discord: { kind: 'Discord', address: `${url}${keys.discord}` },
  'Microsoft Teams': { kind: 'Microsoft Teams', address: `${url}${keys.teams}?sig=signature` },
  Telegram: { kind: 'Telegram', server: url, chat: '-1001', token: keys.telegram },
  ntfy: { kind: 'ntfy', server: url, topic: 'alerts', accessToken: keys.ntfy },
  Gotify: { kind: 'Gotify', server: url, token: keys.gotify },
  PagerDuty: { kind: 'PagerDuty', server: url, integrationKey: keys.pagerDuty },
});

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const bytes = (value: string): number => Buffer.byteLength(value);

export const startAlertVendors = async (): Promise<AlertVendors> => {
  const shown: AlertVendors['shown'] = {
    slack: [],
    discord: [],
    teams: [],
    telegram: [],
    ntfy: [],
    gotify: [],
    pagerDuty: [],
  };
  const incidents: AlertVendors['incidents'] = new Map();
  const refusals = new Map<Vendor, { refusal: Refusal; left: number }>();
  const hanging = new Set<Vendor>();

  const vendors: Record<Vendor, { is(asked: VendorCall): boolean; take(asked: VendorCall): Refusal }> = {
    slack: {
      is: ({ path }) => path.startsWith('/services/'),
      take: ({ path, body }) => {
        if (path !== keys.slack) return [404, 'no_service'];
        const said = text(body['text']);
        if (said === '') return [400, 'no_text'];
        if (said.length > 40_000) return [400, 'msg_too_long'];
        shown.slack.push(said);
        return [200, 'ok'];
      },
    },
    discord: {
      is: ({ path }) => path.startsWith('/api/webhooks/'),
      take: ({ path, query, body }) => {
        if (path !== keys.discord) return [404, { message: 'Unknown Webhook', code: 10_015 }];
        const content = text(body['content']);
        if (content === '') return [400, { message: 'Cannot send an empty message', code: 50_006 }];
        if (content.length > 2000) return [400, { message: 'Invalid Form Body', code: 50_035 }];
        shown.discord.push(content);
        return query.get('wait') === 'true'
          ? [200, { id: String(shown.discord.length), content }]
          : [204, ''];
      },
    },
    teams: {
      is: ({ path }) => path.startsWith('/workflows/'),
      take: ({ path, query, body }) => {
        const isSigned = path === keys.teams && query.get('sig') === 'signature';
        if (!isSigned) return [401, { error: { code: 'DirectApiAuthorizationRequired' } }];
        const [attachment] = body['attachments'] as { contentType: string; content: Body }[];
        if (attachment?.contentType !== 'application/vnd.microsoft.card.adaptive')
          return [400, 'Bad payload'];
        if (bytes(JSON.stringify(body)) > 28 * 1024) return [413, 'RequestEntityTooLarge'];
        const blocks = attachment.content['body'] as { text: string }[];
        shown.teams.push(blocks.map((block) => block.text).join('\n'));
        return [202, ''];
      },
    },
    telegram: {
      is: ({ path }) => path.startsWith('/bot'),
      take: ({ path, body }) => {
        if (path !== `/bot${keys.telegram}/sendMessage`)
          return [401, { ok: false, error_code: 401, description: 'Unauthorized' }];
        const bad = (description: string): Refusal => [400, { ok: false, error_code: 400, description }];
        if (body['chat_id'] !== '-1001') return bad('Bad Request: chat not found');
        const said = text(body['text']);
        if (said.length > 4096) return bad('Bad Request: message is too long');
        shown.telegram.push(said);
        return [200, { ok: true, result: { message_id: shown.telegram.length, text: said } }];
      },
    },
    ntfy: {
      is: ({ path }) => path === '/',
      take: ({ headers, body }) => {
        if (headers.authorization !== `Bearer ${keys.ntfy}`)
          return [403, { code: 40_301, http: 403, error: 'forbidden' }];
        const said = text(body['message']);
        if (bytes(said) > 4096) return [413, { code: 41_301, http: 413, error: 'message too large' }];
        if (!/^[-_A-Za-z0-9]{1,64}$/.test(text(body['topic'])))
          return [400, { code: 40_009, http: 400, error: 'invalid topic' }];
        shown.ntfy.push(`${text(body['title'])}\n${said}`);
        return [200, { id: 'm1', event: 'message', topic: body['topic'], message: said }];
      },
    },
    gotify: {
      is: ({ path }) => path === '/message',
      take: ({ headers, body }) => {
        if (headers['x-gotify-key'] !== keys.gotify)
          return [
            401,
            { error: 'Unauthorized', errorCode: 401, errorDescription: 'you need to provide a valid token' },
          ];
        shown.gotify.push(`${text(body['title'])}\n${text(body['message'])}`);
        return [200, { id: shown.gotify.length, appid: 1, message: body['message'] }];
      },
    },
    pagerDuty: {
      is: ({ path }) => path === '/v2/enqueue',
      take: ({ body }) => {
        const bad = (error: string): Refusal => [
          400,
          { status: 'invalid event', message: 'Event object is invalid', errors: [error] },
        ];
        if (body['routing_key'] !== keys.pagerDuty) return bad('Invalid routing key');
        const key = text(body['dedup_key']);
        const accepted: Refusal = [202, { status: 'success', message: 'Event processed', dedup_key: key }];
        if (body['event_action'] === 'resolve') {
          if (incidents.has(key)) incidents.set(key, 'resolved');
          return accepted;
        }
        const { summary, source, severity } = (body['payload'] ?? {}) as Body;
        if (text(summary) === '' || text(summary).length > 1024) return bad("'payload.summary' is invalid");
        if (text(source) === '' || !['critical', 'error', 'warning', 'info'].includes(text(severity)))
          return bad("'payload.source' or 'payload.severity' is invalid");
        // One incident, however often it is triggered.
        if (!incidents.has(key)) shown.pagerDuty.push(text(summary));
        incidents.set(key, 'triggered');
        return accepted;
      },
    },
  };

  const answerTo = (asked: VendorCall): Refusal | undefined => {
    const found = (Object.keys(vendors) as Vendor[]).find((one) => vendors[one].is(asked));
    if (!found) return [404, 'not found'];
    const told = refusals.get(found);
    if (told && told.left > 0) {
      told.left -= 1;
      return told.refusal;
    }
    const answer = vendors[found].take(asked);
    return hanging.has(found) ? undefined : answer;
  };

  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('error', () => undefined);
    request.on('end', () => {
      const { pathname, searchParams } = new URL(request.url ?? '/', 'http://vendor');
      const body = JSON.parse(Buffer.concat(parts).toString()) as Body;
      const answer = answerTo({ path: pathname, query: searchParams, headers: request.headers, body });
      if (!answer) return;
      const [status, said, headers = {}] = answer;
      const isText = typeof said === 'string';
      response.writeHead(status, { 'content-type': isText ? 'text/plain' : 'application/json', ...headers });
      response.end(isText ? said : JSON.stringify(said));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    shown,
    incidents,
    refuse: (vendor, refusal, times = 1) => void refusals.set(vendor, { refusal, left: times }),
    hang: (vendor, isHanging) => void (isHanging ? hanging.add(vendor) : hanging.delete(vendor)),
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};
