/** What every list of domains shows of each, in the same words. */
import {
  certificateEndOf,
  certificateStateOf,
  certificateVerdicts,
  configInWords,
  daysUntil,
  dnsStateOf,
  dnsVerdicts,
  domainVerdict,
  verdictRank,
  type AsOf,
  type DomainRow,
} from '@quarterdeck/projections';
import { DomainVerdictBadge } from '../../records/verdicts';
import type { Column } from '../../ui/DataTable';
import { DaysBar } from '../../ui/DaysBar';
import { CertificateBadge, ConfigBadge, DnsBadge, NameInUnicode, SslBadge } from './Badges';
import classes from './domains.module.css';
import { unicodeName } from './unicode-name';

export const nameColumn: Column<DomainRow> = {
  id: 'domain',
  header: 'Domain',
  // Both forms are searched for.
  value: ({ serverName }) => [...new Set([serverName, unicodeName(serverName)])].join(' '),
  cell: ({ serverName }) => (
    <>
      {serverName} <NameInUnicode serverName={serverName} />
    </>
  ),
  mono: true,
  priority: 1,
};

/** The worst first, then by name: the order of a list that nobody has sorted. */
export const worstFirst = (rows: readonly DomainRow[], asOf: AsOf): DomainRow[] =>
  rows
    .map((row) => ({ row, rank: verdictRank(domainVerdict(row, asOf)) }))
    .sort((a, b) => a.rank - b.rank || a.row.serverName.localeCompare(b.row.serverName))
    .map(({ row }) => row);

const verdictColumn = (asOf: AsOf): Column<DomainRow> => ({
  id: 'state',
  header: 'State',
  value: (domain) => domainVerdict(domain, asOf).label,
  cell: (domain) => <DomainVerdictBadge domain={domain} asOf={asOf} />,
  filter: 'category',
  priority: 2,
});

const dnsColumn: Column<DomainRow> = {
  id: 'dns',
  header: 'DNS',
  value: ({ dns }) => dnsVerdicts[dnsStateOf(dns)].label,
  cell: (domain) => <DnsBadge domain={domain} />,
  filter: 'category',
};

const configColumn: Column<DomainRow> = {
  id: 'config',
  header: 'Config',
  value: configInWords,
  cell: (domain) => (
    <span className={classes.badges}>
      <ConfigBadge domain={domain} />
      <SslBadge domain={domain} />
    </span>
  ),
  filter: 'category',
};

const certificateColumn = (asOf: AsOf): Column<DomainRow> => ({
  id: 'certificate',
  header: 'Certificate',
  value: (domain) => certificateVerdicts[certificateStateOf(domain, asOf)].label,
  cell: (domain) => <CertificateBadge domain={domain} asOf={asOf} />,
  filter: 'category',
  priority: 3,
});

/** The verdict, and the parts that it is made of. */
export const stateColumns = (asOf: AsOf): Column<DomainRow>[] => [
  verdictColumn(asOf),
  dnsColumn,
  configColumn,
  certificateColumn(asOf),
];

const daysLeft = (domain: DomainRow, now: number): number | undefined => {
  const end = certificateEndOf(domain);
  return end === undefined ? undefined : daysUntil(end, now);
};

export const daysColumn = ({ now, expiringDays = 0 }: AsOf): Column<DomainRow> => ({
  id: 'days',
  header: 'Days left',
  value: (domain) => daysLeft(domain, now),
  cell: (domain) => {
    const days = daysLeft(domain, now);
    return days === undefined ? null : <DaysBar days={days} expiring={days < expiringDays} />;
  },
  filter: 'number',
  align: 'right',
  width: '1%',
});
