/** Domains in words: where they point, what is applied, how long the certificate still holds. Pure. */
import { certificateOf, type DnsAnswer, type DomainRow, type DomainView } from '@quarterdeck/projections';
import type { Tone } from '../../ui/StateBadge';

interface Words {
  label: string;
  tone: Tone;
}

export type Pointing = 'here' | 'elsewhere' | 'none' | 'failed';

export const pointingOf = ({ outcome, pointsHere }: Pick<DnsAnswer, 'outcome' | 'pointsHere'>): Pointing => {
  if (outcome === 'found') return pointsHere ? 'here' : 'elsewhere';
  return outcome;
};

export const pointingWords: Record<Pointing, Words> = {
  here: { label: 'points here', tone: 'good' },
  elsewhere: { label: 'points elsewhere', tone: 'bad' },
  none: { label: 'no address', tone: 'warn' },
  failed: { label: 'look-up failed', tone: 'warn' },
};

/** The addresses, or why there are none. */
export const answerInWords = ({
  outcome,
  addresses,
  reason,
}: Pick<DnsAnswer, 'outcome' | 'addresses' | 'reason'>): string => {
  if (outcome === 'found') return addresses.map(({ address }) => address).join(', ');
  return reason ?? (outcome === 'none' ? 'DNS knows no address for it' : 'DNS gave no answer');
};

export type ConfigState = 'never' | 'applied' | 'drifted';

export const configStateOf = ({ config, drift }: Pick<DomainRow, 'config' | 'drift'>): ConfigState =>
  drift ? 'drifted' : config ? 'applied' : 'never';

export const configWords: Record<ConfigState, Words> = {
  never: { label: 'never applied', tone: 'quiet' },
  applied: { label: 'applied', tone: 'good' },
  drifted: { label: 'drifted', tone: 'warn' },
};

/** Of the specification: fewer days left than this, and a certificate counts as expiring, unless the workspace chose otherwise. */
export const EXPIRING_DAYS = 30;
const DAY_MS = 86_400_000;

/** Whole days from `now` until then; negative when it is over. */
export const daysUntil = (instant: string, now: number): number =>
  Math.floor((Date.parse(instant) - now) / DAY_MS);

export type Certified = Pick<DomainView, 'serverName' | 'certificate' | 'served'>;

export type CertificateState = 'none' | 'valid' | 'expiring' | 'expired' | 'invalid';

export const certificateStateOf = (
  domain: Certified,
  now: number,
  expiringDays = EXPIRING_DAYS,
): CertificateState => {
  const end = certificateOf(domain)?.notAfter;
  if (end === undefined) return 'none';
  const days = daysUntil(end, now);
  if (days <= 0) return 'expired';
  if (domain.served && !domain.served.valid) return 'invalid';
  return days < expiringDays ? 'expiring' : 'valid';
};

export const certificateWords: Record<CertificateState, Words> = {
  none: { label: 'none', tone: 'quiet' },
  valid: { label: 'valid', tone: 'good' },
  expiring: { label: 'expiring', tone: 'warn' },
  expired: { label: 'expired', tone: 'bad' },
  invalid: { label: 'not valid', tone: 'bad' },
};

/** `in 41 days`, `today`, `3 days ago` */
export const daysInWords = (days: number): string => {
  if (days === 0) return 'within a day';
  const count = `${Math.abs(days)} ${Math.abs(days) === 1 ? 'day' : 'days'}`;
  return days > 0 ? `in ${count}` : `${count} ago`;
};
