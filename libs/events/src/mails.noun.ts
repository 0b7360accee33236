import { defineNoun } from './define-noun';
import type { emailEvents, mailTokenEvents } from './mails.events';
import { inDays } from './placement-words';

const sizeOf = (bytes: number): string =>
  bytes < 1024
    ? `${bytes} bytes`
    : bytes < 1024 * 1024
      ? `${Math.round(bytes / 1024)} kB`
      : `${Math.round(bytes / 1024 / 1024)} MB`;

const from = {
  smtp: 'over SMTP',
  webhook: 'by webhook',
  console: 'in the console',
  resend: 'to be sent again',
};
const because = {
  retention: 'removed by the retention',
  forgotten: 'removed with a forgotten person',
};

export const email = defineNoun<typeof emailEvents>()({
  category: 'email',
  words: { many: 'E-mails', one: 'One e-mail' },
  rows: 'emails',
  within: 'product',
  audience: 'admin',
  // Its subject is personal data, so the history calls it by its hash.
  named: { EmailRecorded: (d) => `e-mail ${d.sha256.slice(0, 8)}` },
  events: {
    EmailRecorded: (d) => `recorded ${from[d.source]}, ${sizeOf(d.bytes)}`,
    EmailParsed: (d) =>
      d.problem === undefined
        ? `parsed${d.attachments === 0 ? '' : `: ${d.attachments === 1 ? '1 attachment' : `${d.attachments} attachments`}`}`
        : d.problem === 'malformed'
          ? 'kept as source: it is malformed'
          : 'kept as source: it has too many parts to be parsed',
    EmailRevised: (d) => `changed, ${sizeOf(d.bytes)}`,
    EmailRemoved: (d) =>
      d.because === undefined
        ? 'deleted'
        : `${because[d.because]}${d.days === undefined ? '' : ` after ${inDays(d.days)}`}`,
  },
  removedBy: 'EmailRemoved',
});

export const mailToken = defineNoun<typeof mailTokenEvents>()({
  category: 'mailtoken',
  words: { many: 'Mail tokens', one: 'One mail token' },
  rows: 'mailTokens',
  within: 'product',
  audience: 'admin',
  named: { MailTokenIssued: (d) => `mail token of ${d.product.name}` },
  events: {
    MailTokenIssued: (d) => `issued a token for the e-mails of ${d.product.name}`,
    MailTokenUsed: () => 'sent an e-mail in, for the first time that day',
    MailTokenRevoked: (d) => `revoked the token ${d.fingerprint}`,
  },
  removedBy: 'MailTokenRevoked',
});
