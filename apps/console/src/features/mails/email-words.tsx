/** What the pages of e-mails say. */
import type { EmailRow } from '@quarterdeck/projections';
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
