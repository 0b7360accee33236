/** Columns for searching, filtering and sorting the domains of an SSL run, and the labels of its results. Pure. */
import { certificateVerdicts, foundStateOf } from './domain-verdict';
import type { ListColumn } from './listing';
import type { SslCheck } from './ssl';
import type { Verdict } from './verdict';

/** Result of a check, in the same words as on the domain's own pages. */
export const foundWords = ({ found }: Pick<SslCheck, 'found'>): Verdict => {
  if (!found) return { label: 'waiting', tone: 'quiet' };
  const state = foundStateOf(found);
  return state ? certificateVerdicts[state] : { label: 'removed', tone: 'quiet' };
};

export const renewalWords = {
  underWay: { label: 'under way', tone: 'busy' },
  renewed: { label: 'renewed', tone: 'good' },
  reloaded: { label: 'nginx reloaded', tone: 'good' },
  failed: { label: 'failed', tone: 'bad' },
  putOff: { label: 'postponed', tone: 'warn' },
  skipped: { label: 'skipped', tone: 'quiet' },
} as const satisfies Record<
  NonNullable<SslCheck['renewal']>['is'],
  { label: string; tone: Verdict['tone'] | 'busy' }
>;

export const sslColumns = [
  { id: 'domain', value: ({ serverName }) => serverName },
  { id: 'days', value: ({ found }) => found?.daysRemaining, filter: 'number' },
  { id: 'state', value: (check) => foundWords(check).label, filter: 'category' },
  { id: 'renewal', value: ({ renewal }) => renewal && renewalWords[renewal.is].label, filter: 'category' },
] as const satisfies ListColumn<SslCheck>[];
