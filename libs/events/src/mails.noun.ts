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
  smtp: 'received an e-mail over SMTP',
  webhook: 'received an e-mail by webhook',
  console: 'wrote an e-mail in the console',
  resend: 'recorded a copy of an e-mail, to send it again',
};
const attached = (count: number): string =>
  count === 0 ? 'no attachment' : count === 1 ? '1 attachment' : `${count} attachments`;

const because = {
  retention: 'as its retention says',
  forgotten: 'with a forgotten person',
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
    EmailRecorded: (d) => `${from[d.source]}, ${sizeOf(d.bytes)}`,
    EmailParsed: (d) =>
      d.problem === undefined
        ? `read sender, recipients, subject and text of the e-mail, and ${attached(d.attachments)}`
        : d.problem === 'malformed'
          ? 'kept only the source of the e-mail: it is malformed'
          : 'kept only the source of the e-mail: it has too many parts to be read',
    EmailRevised: (d) => `changed the e-mail, ${sizeOf(d.bytes)} now`,
    EmailRemoved: (d) =>
      [
        'deleted the e-mail',
        ...(d.days === undefined ? [] : [`after ${inDays(d.days)}`]),
        ...(d.because === undefined ? [] : [because[d.because]]),
      ].join(' '),
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
