/** Domains in words, beside their verdicts: what DNS answered, and days. Pure. */
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

/** `in 41 days`, `today`, `3 days ago` */
export const daysInWords = (days: number): string => {
  if (days === 0) return 'within a day';
  const count = `${Math.abs(days)} ${Math.abs(days) === 1 ? 'day' : 'days'}`;
  return days > 0 ? `in ${count}` : `${count} ago`;
};
