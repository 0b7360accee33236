/** Describes DNS answers and days in words. Pure. */
import type { DnsAnswer } from '@quarterdeck/projections';
import { count } from '../../ui/count';

/** The addresses, or why there are none. */
export const answerInWords = ({
  outcome,
  addresses,
  reason,
}: Pick<DnsAnswer, 'outcome' | 'addresses' | 'reason'>): string => {
  if (outcome === 'found') return addresses.map(({ address }) => address).join(', ');
  return reason ?? (outcome === 'none' ? 'no DNS address' : 'the DNS lookup failed');
};

/** `in 41 days`, `within a day`, `3 days ago` */
export const daysInWords = (days: number): string => {
  if (days === 0) return 'within a day';
  return days > 0 ? `in ${count(days, 'day')}` : `${count(-days, 'day')} ago`;
};

/** `41 days left`, `expires within a day`, `expired 3 days ago` */
export const daysLeftInWords = (days: number): string => {
  if (days > 0) return `${count(days, 'day')} left`;
  return `${days === 0 ? 'expires' : 'expired'} ${daysInWords(days)}`;
};
