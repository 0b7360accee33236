/** Columns for searching, filtering and sorting lists of domains. Pure. */
import {
  certificateEndOf,
  certificateStateOf,
  certificateVerdicts,
  configStateOf,
  configVerdicts,
  daysUntil,
  dnsStateOf,
  dnsVerdicts,
  domainVerdict,
  siteStateOf,
  siteVerdicts,
  verdictRank,
  type AsOf,
} from './domain-verdict';
import { certificateOf, namesOfSite, type DomainRow } from './domain-view';
import type { ListColumn } from './listing';
import { unicodeName } from './unicode-name';

/** Days until the certificate expires. */
export const daysLeft = (domain: DomainRow, now: number): number | undefined => {
  const end = certificateEndOf(domain);
  return end === undefined ? undefined : daysUntil(end, now);
};

export const domainColumns = (asOf: AsOf) =>
  [
    {
      id: 'domain',
      // The search finds both the ASCII and the Unicode form.
      value: (domain) =>
        [...new Set(namesOfSite(domain).flatMap((name) => [name, unicodeName(name)]))].join(' '),
    },
    { id: 'state', value: (domain) => domainVerdict(domain, asOf).category, filter: 'category' },
    { id: 'dns', value: ({ dns }) => dnsVerdicts[dnsStateOf(dns)].label, filter: 'category' },
    { id: 'config', value: (domain) => configVerdicts[configStateOf(domain)].label, filter: 'category' },
    {
      id: 'certificate',
      value: (domain) => certificateVerdicts[certificateStateOf(domain, asOf)].label,
      filter: 'category',
    },
    { id: 'days', value: (domain) => daysLeft(domain, asOf.now), filter: 'number' },
    { id: 'server', value: ({ server }) => server.alias, filter: 'category' },
    {
      id: 'expires',
      // The same day as in the expiry calendar, which links here.
      value: (domain) => certificateOf(domain)?.notAfter.slice(0, 10),
      filter: 'text',
      unsearched: true,
    },
    { id: 'site', value: (domain) => siteVerdicts[siteStateOf(domain)].label, filter: 'category' },
  ] as const satisfies ListColumn<DomainRow>[];

/**
 * Default order of the list: the worst first, then by name.
 *
 * @param rows by name, as the back end lists them
 */
export const worstDomainsFirst = (rows: readonly DomainRow[], asOf: AsOf): DomainRow[] =>
  rows
    .map((row) => ({ row, rank: verdictRank(domainVerdict(row, asOf)) }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ row }) => row);
