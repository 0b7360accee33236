/** What the domains of an SSL run are searched, filtered and sorted by, and the words for what it found. Pure. */
import { certificateVerdicts, foundStateOf } from './domain-verdict';
import type { ListColumn } from './listing';
import type { SslCheck } from './ssl';
import type { Verdict } from './verdict';

/** What a check found of a domain, in the words that its own pages have for it. */
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
