/** Where alerts are sent: one channel for each mailbox, chat or service. And what was sent there. */
import type { alertMessageEvents } from './alert-channels.events';
import {
  refusedAddress,
  refusedChat,
  refusedKey,
  refusedRecipients,
  refusedSender,
  refusedServer,
  refusedSigningSecret,
  refusedToken,
  refusedTopic,
} from './alert-channel-rules';
import { defineNoun } from './define-noun';
import { choice, flag, group, optionalText, secret, several, text } from './kit/field';
import { noun } from './kit/noun';

export const channelKinds = [
  'webhook',
  'e-mail',
  'Slack',
  'Discord',
  'Microsoft Teams',
  'Telegram',
  'ntfy',
  'Gotify',
  'PagerDuty',
] as const;
export type ChannelKind = (typeof channelKinds)[number];

/** The severities of alerts, least first. */
export const leastSeverities = ['notice', 'warning', 'critical'] as const;

const wanted = (label: string) => flag({ label, omitted: true, half: true });

export const alertChannel = noun('alertChannel', {
  path: 'alert-channel',
  named: 'name',
  unique: ['name'],
  fields: {
    name: text(100),
    kind: choice(channelKinds, { example: 'ntfy' }),
    address: secret(2000, {
      when: ['kind', 'webhook', 'Slack', 'Discord', 'Microsoft Teams'],
      label: 'Webhook address',
      help: 'As the service shows it: Slack under Incoming Webhooks, Discord under Integrations of the channel, Teams in the workflow that posts webhook requests. Never shown again.',
      sealed: true,
      refuses: refusedAddress,
    }),
    signingSecret: secret(200, {
      when: ['kind', 'webhook'],
      help: 'At least 16 characters. Each delivery is signed with it. Never shown again.',
      sealed: true,
      refuses: refusedSigningSecret,
    }),
    sender: text(254, {
      when: ['kind', 'e-mail'],
      help: 'The address that e-mails come from. The mail server of the workspace sends them; it is set in Settings.',
      placeholder: 'alerts@example.org',
      refuses: refusedSender,
    }),
    members: several(
      { to: 'person' },
      {
        when: ['kind', 'e-mail'],
        optional: true,
        help: 'Each gets the e-mails at their own address, as long as they are a member.',
        since: { version: 2, value: [] },
      },
    ),
    recipients: optionalText(2000, {
      when: ['kind', 'e-mail'],
      label: 'Other recipients',
      help: 'Up to 20 addresses, separated by commas.',
      placeholder: 'ops@example.org, ada@example.org',
      refuses: refusedRecipients,
      judgesEmpty: true,
    }),
    server: optionalText(500, {
      when: ['kind', 'Telegram', 'ntfy', 'Gotify', 'PagerDuty'],
      label: 'Server address',
      help: 'Required for Gotify. If empty, the public one of Telegram, ntfy or PagerDuty; PagerDuty in Europe is https://events.eu.pagerduty.com.',
      placeholder: 'https://gotify.example.org',
      example: 'https://ntfy.example.org',
      refuses: refusedServer,
    }),
    chat: text(100, {
      when: ['kind', 'Telegram'],
      help: 'The id of the chat, or the name of a public channel.',
      placeholder: '-1001234567890 or @channel',
      refuses: refusedChat,
    }),
    topic: text(64, {
      when: ['kind', 'ntfy'],
      example: 'alerts-of-the-shop',
      help: 'Whoever knows the topic of a public server can read it: choose one that nobody guesses.',
      refuses: refusedTopic,
    }),
    token: secret(500, {
      when: ['kind', 'Telegram', 'Gotify'],
      help: 'Of the bot, as BotFather shows it, or of the application in Gotify. Never shown again.',
      sealed: true,
      refuses: refusedToken,
    }),
    accessToken: secret(500, {
      when: ['kind', 'ntfy'],
      optional: true,
      help: 'Only for a protected topic. Never shown again.',
      sealed: true,
    }),
    integrationKey: secret(100, {
      when: ['kind', 'PagerDuty'],
      help: 'Of the integration “Events API V2” of a service. Never shown again.',
      sealed: true,
      refuses: refusedKey,
    }),
    leastSeverity: choice(leastSeverities, {
      omitted: 'notice',
      help: 'Alerts below it are not sent here.',
    }),
    wants: group(
      {
        certificates: wanted('Certificates'),
        sites: wanted('Sites'),
        services: wanted('Services'),
        servers: wanted('Servers'),
        databases: wanted('Databases'),
        cloud: wanted('Cloud accounts'),
        backups: wanted('Backups'),
        workflows: wanted('Runs and workflows'),
        console: wanted('The console itself'),
      },
      {
        label: 'Alerts about',
        omitted: {
          certificates: true,
          sites: true,
          services: true,
          servers: true,
          databases: true,
          cloud: true,
          backups: true,
          workflows: true,
          console: true,
        },
      },
    ),
  },
});

const inWords = (count: number): string => (count === 1 ? 'an alert' : `${count} alerts`);

export const alertMessage = defineNoun<typeof alertMessageEvents>()({
  category: 'alertMessage',
  words: { many: 'Alert messages', one: 'One alert message' },
  rows: 'alertMessages',
  audience: 'admin',
  named: { AlertMessageQueued: (d) => `message to ${d.channel.name}` },
  events: {
    AlertMessageQueued: (d) =>
      d.is === 'test' ? `to be sent as a test` : `to be sent about ${inWords(d.alerts.length)}`,
    AlertMessageAttempted: (d) => `began attempt ${d.attempt}`,
    AlertMessageDelivered: (d) => `delivered on attempt ${d.attempt}: ${d.says}`,
    AlertMessageFailed: (d) => `could not be delivered on attempt ${d.attempt}: ${d.reason}`,
    AlertMessageEnded: (d) => (d.tells ? `to report the end: ${d.reason}` : `needs no more: ${d.reason}`),
  },
});
