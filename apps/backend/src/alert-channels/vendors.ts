/**
 * How each kind of channel is spoken to: the request for a message, and what its answer means. By the published contracts
 * of the services, with their limits. Pure.
 */
import type { ChannelKind } from '@quarterdeck/events';
import type { ChannelFields, Severity } from '@quarterdeck/projections';
import type { OutboundAnswer } from '../platform/outbound';
import { signatureOf } from '../platform/webhook-signature';
import { bytesOf, cut, fitted, type Message } from './message';

/** The fields of a channel with its secrets as text. */
export type OpenChannel = Omit<
  Record<keyof ChannelFields, string>,
  'kind' | 'members' | 'leastSeverity' | 'wants'
> &
  Pick<ChannelFields, 'kind' | 'members'>;

export interface VendorRequest {
  url: string;
  headers: Record<string, string>;
  body: string;
}

export interface Verdict {
  delivered: boolean;
  says: string;
  /** How long the receiver wants to be left alone. */
  waitMs?: number;
}

type Http = Exclude<ChannelKind, 'e-mail'>;
type Speak = (channel: OpenChannel, message: Message, at: Date) => VendorRequest;

const json = (url: string, body: object, headers: Record<string, string> = {}): VendorRequest => ({
  url,
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
});

/** Below the server's address, which may have a path of its own. */
const below = (server: string, path: string): string => `${server.replace(/\/+$/, '')}/${path}`;

const withLink = ({ lines, link }: Message): string[] => [...lines, ...(link === undefined ? [] : [link])];

const webhook: Speak = ({ address, signingSecret }, message, at) => {
  const { id, is, workspace, severity, title, lines, link, alerts } = message;
  const event = { raised: 'alerts.raised', over: 'alerts.over', test: 'alerts.test' }[is];
  const told = alerts.map((alert) => ({
    id: alert.id,
    about: alert.about,
    says: alert.says,
    state: alert.state,
    subject: alert.subject,
    raisedAt: alert.raisedAt,
    reason: alert.reason,
  }));
  const body = { id, event, at: message.at, workspace, severity, title, lines, link, alerts: told };
  const request = json(address, body);
  return {
    ...request,
    headers: {
      ...request.headers,
      'x-quarterdeck-event': event,
      // The end has an id of its own: it is no repetition.
      'x-quarterdeck-id': is === 'over' ? `${id}-over` : id,
      'x-quarterdeck-signature': signatureOf(request.body, signingSecret, at),
    },
  };
};

const MAX_SLACK = 4000;
const forSlack = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
const slack: Speak = ({ address }, { title, lines, link }) => {
  const rest = link === undefined ? '' : `\n<${link}|Open in the console>`;
  const head = `*${forSlack(cut(title, 300)).replaceAll('*', '')}*\n`;
  return json(address, {
    text: head + fitted(lines.map(forSlack), MAX_SLACK - head.length - rest.length) + rest,
  });
};

const MAX_DISCORD = 2000;
const forDiscord = (text: string): string => text.replaceAll(/[\\*_~`|>#[\]]/g, '\\$&');
const discord: Speak = ({ address }, { title, lines, link }) => {
  const rest = link === undefined ? '' : `\n<${link}>`;
  const head = `**${forDiscord(cut(title, 300))}**\n`;
  const content = head + fitted(lines.map(forDiscord), MAX_DISCORD - head.length - rest.length) + rest;
  // With `wait`, Discord answers once the message is there. Nobody is mentioned, whatever an alert says.
  const [place = '', query] = address.split('?');
  const asked = query === undefined ? 'wait=true' : `${query}&wait=true`;
  return json(`${place}?${asked}`, { content, allowed_mentions: { parse: [] } });
};

const MAX_TEAMS_BYTES = 20_000;
const teamsColours: Record<Severity, string> = {
  critical: 'attention',
  warning: 'warning',
  notice: 'default',
};
const teams: Speak = ({ address }, { is, title, lines, link, severity }) => {
  const color = is === 'over' ? 'good' : teamsColours[severity];
  const text = fitted(lines, MAX_TEAMS_BYTES, bytesOf);
  const content = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    body: [
      { type: 'TextBlock', text: cut(title, 300), weight: 'bolder', size: 'medium', wrap: true, color },
      // Cards know Markdown: a single line end would be a space.
      { type: 'TextBlock', text: text.replaceAll('\n', '\n\n'), wrap: true },
    ],
    ...(link !== undefined && {
      actions: [{ type: 'Action.OpenUrl', title: 'Open in the console', url: link }],
    }),
  };
  const contentType = 'application/vnd.microsoft.card.adaptive';
  return json(address, { type: 'message', attachments: [{ contentType, contentUrl: null, content }] });
};

const MAX_TELEGRAM = 4096;
const telegram: Speak = ({ server, token, chat }, message) =>
  json(below(server || 'https://api.telegram.org', `bot${token}/sendMessage`), {
    chat_id: chat,
    text: fitted([cut(message.title, 300), ...withLink(message)], MAX_TELEGRAM),
    link_preview_options: { is_disabled: true },
  });

const MAX_NTFY_BYTES = 4096;
const MAX_NTFY_TITLE = 250;
const ntfyPriorities: Record<Severity, number> = { critical: 5, warning: 4, notice: 3 };
const ntfyTags: Record<Severity, string> = {
  critical: 'rotating_light',
  warning: 'warning',
  notice: 'information_source',
};
const ntfy: Speak = ({ server, topic, accessToken }, { is, title, lines, link, severity }) => {
  const isNews = is === 'raised';
  return json(
    below(server || 'https://ntfy.sh', ''),
    {
      topic,
      title: cut(title, MAX_NTFY_TITLE),
      message: fitted(lines, MAX_NTFY_BYTES, bytesOf),
      priority: isNews ? ntfyPriorities[severity] : 3,
      tags: [isNews ? ntfyTags[severity] : 'white_check_mark'],
      ...(link !== undefined && { click: link }),
    },
    accessToken === '' ? {} : { authorization: `Bearer ${accessToken}` },
  );
};

const MAX_GOTIFY = 20_000;
const gotifyPriorities: Record<Severity, number> = { critical: 8, warning: 5, notice: 3 };
const gotify: Speak = ({ server, token }, { is, title, lines, link, severity }) =>
  json(
    below(server, 'message'),
    {
      title: cut(title, 300),
      message: fitted(lines, MAX_GOTIFY),
      priority: is === 'raised' ? gotifyPriorities[severity] : 3,
      ...(link !== undefined && { extras: { 'client::notification': { click: { url: link } } } }),
    },
    { 'x-gotify-key': token },
  );

const MAX_SUMMARY = 1024;
const pagerSeverities: Record<Severity, string> = {
  critical: 'critical',
  warning: 'warning',
  notice: 'info',
};
/** The end of the alerts resolves the incident, which PagerDuty knows by the key. */
const pagerDuty: Speak = ({ server, integrationKey }, message) => {
  const { id, is, at, workspace, severity, title, lines, link } = message;
  const known = { routing_key: integrationKey, dedup_key: `quarterdeck-${id}` };
  const url = below(server || 'https://events.pagerduty.com', 'v2/enqueue');
  if (is === 'over') return json(url, { ...known, event_action: 'resolve' });
  return json(url, {
    ...known,
    event_action: 'trigger',
    payload: {
      summary: cut(lines.length === 1 ? `${title}. ${lines[0]}` : title, MAX_SUMMARY),
      source: workspace.name,
      severity: pagerSeverities[severity],
      timestamp: at,
      custom_details: { alerts: fitted(lines, 20_000) },
    },
    ...(link !== undefined && { links: [{ href: link, text: 'Open in the console' }] }),
  });
};

const speakers: Record<Http, Speak> = {
  webhook,
  Slack: slack,
  Discord: discord,
  'Microsoft Teams': teams,
  Telegram: telegram,
  ntfy,
  Gotify: gotify,
  PagerDuty: pagerDuty,
};

/** In order. A test at PagerDuty also resolves the incident that it opens. */
export const requestsFor = (channel: OpenChannel, message: Message, at: Date): VendorRequest[] => {
  if (channel.kind === 'e-mail') throw new Error('an e-mail is no request');
  const speak = speakers[channel.kind];
  const ends = channel.kind === 'PagerDuty' && message.is === 'test';
  return [speak(channel, message, at), ...(ends ? [speak(channel, { ...message, is: 'over' }, at)] : [])];
};

const MAX_WORDS = 300;
/** A receiver that wants to be left alone for longer is asked once a day. */
const MAX_WAIT_MS = 24 * 60 * 60_000;

const parsed = (text: string): Record<string, unknown> => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
};

/** The words of the receiver: those of the services, or the beginning of its text. */
const wordsIn = (text: string, answer: Record<string, unknown>): string => {
  const { errors, description, errorDescription, message, error } = answer;
  const listed = Array.isArray(errors) ? errors.map(String).join(', ') : undefined;
  const said = [description, errorDescription, message, error].find((one) => typeof one === 'string');
  const words = [said, listed].filter((one) => one !== undefined).join(': ');
  return cut(
    (words === '' && !/^\s*[{<]/.test(text) ? text : words).replaceAll(/\s+/g, ' ').trim(),
    MAX_WORDS,
  );
};

const waitIn = (
  headers: OutboundAnswer['headers'],
  { retry_after: own, parameters }: Record<string, unknown>,
  now: Date,
): number | undefined => {
  const header = headers['retry-after'];
  const inside = (parameters as { retry_after?: unknown } | undefined)?.retry_after;
  const seconds = [header, own, inside].map(Number).find((one) => Number.isFinite(one) && one > 0);
  const until = header === undefined ? Number.NaN : Date.parse(header);
  const ms = seconds === undefined ? until - now.getTime() : seconds * 1000;
  return ms > 0 ? Math.min(ms, MAX_WAIT_MS) : undefined;
};

/** Teams answers some failures with 200. */
const TEAMS_FAILED = /^Webhook message delivery failed/i;

export const verdictOf = ({ status, headers, text }: OutboundAnswer, now: Date): Verdict => {
  const answer = parsed(text);
  const words = wordsIn(text, answer);
  const said = `status ${status}${words === '' ? '' : `: ${words}`}`;
  const isGood = status >= 200 && status < 300 && answer['ok'] !== false && !TEAMS_FAILED.test(text);
  if (isGood) return { delivered: true, says: said };
  if (status >= 300 && status < 400)
    return { delivered: false, says: `${said}: redirects are not followed; enter the final address` };
  const waitMs = status === 429 || status === 503 ? waitIn(headers, answer, now) : undefined;
  return { delivered: false, says: said, ...(waitMs !== undefined && { waitMs }) };
};
