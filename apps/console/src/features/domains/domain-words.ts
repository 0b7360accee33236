/** Describes DNS answers and days in words. Pure. */
import type { DnsAnswer } from '@quarterdeck/projections';

/** The addresses, or why there are none. */
export const answerInWords = ({
  outcome,
  addresses,
  reason,
}: Pick<DnsAnswer, 'outcome' | 'addresses' | 'reason'>): string => {
  if (outcome === 'found') return addresses.map(({ address }) => address).join(', ');
  return reason ?? (outcome === 'none' ? 'no DNS address' : 'the DNS lookup failed');
};

const counted = (days: number): string => `${days} ${days === 1 ? 'day' : 'days'}`;

/** `in 41 days`, `within a day`, `3 days ago` */
export const daysInWords = (days: number): string => {
  if (days === 0) return 'within a day';
  return days > 0 ? `in ${counted(days)}` : `${counted(-days)} ago`;
};

/** `41 days left`, `expires within a day`, `expired 3 days ago` */
export const daysLeftInWords = (days: number): string => {
  if (days > 0) return `${counted(days)} left`;
  return `${days === 0 ? 'expires' : 'expired'} ${daysInWords(days)}`;
};
