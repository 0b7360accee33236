/** What the pages of e-mails say. */
import type { EmailRow, EmailView } from '@quarterdeck/projections';
import { StateBadge } from '../../ui/StateBadge';

export const sources: Record<EmailRow['source'], string> = {
  smtp: 'SMTP',
  webhook: 'Webhook',
  console: 'Console',
  resend: 'Resent',
};

export const NO_SUBJECT = '(no subject)';

export const subjectOf = ({ subject }: Pick<EmailRow, 'subject'>): string =>
  subject.trim() === '' ? NO_SUBJECT : subject;

/** Nothing while the e-mail is being read: it may say it. */
export const notSaid = ({ state }: Pick<EmailRow, 'state'>): string =>
  state === 'received' ? '' : 'not said';

/** Who got it. An e-mail that came without an envelope was sent to those whom it names. */
export const recipientsOf = ({ envelope, recipients }: Pick<EmailView, 'envelope' | 'recipients'>): string =>
  (envelope.recipients.length > 0
    ? envelope.recipients
    : recipients.map((one) => /<([^<>]+)>$/.exec(one)?.[1] ?? one)
  ).join(', ');

const troubles: Partial<Record<EmailRow['state'], string>> = {
  malformed: 'malformed: source only',
  tooMuch: 'too large to parse: source only',
};

/** Nothing for an e-mail that was read without trouble. */
export const EmailState = ({ state }: Pick<EmailRow, 'state'>) => {
  const trouble = troubles[state];
  if (state === 'received') return <StateBadge state="running" label="being read" />;
  return trouble === undefined ? null : <StateBadge state="lost" label={trouble} />;
};
