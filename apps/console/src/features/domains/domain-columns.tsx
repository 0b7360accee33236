/** What every list of domains shows of each, in the same words. */
import { certificateOf, type DomainRow } from '@quarterdeck/projections';
import type { Column } from '../../ui/DataTable';
import { DaysBar } from '../../ui/DaysBar';
import { RelativeTime } from '../../ui/RelativeTime';
import { CertificateBadge, ConfigBadge, DnsBadge, NameInUnicode, SslBadge } from './Badges';
import {
  certificateStateOf,
  certificateWords,
  configStateOf,
  configWords,
  daysUntil,
  pointingOf,
  pointingWords,
} from './domain-words';
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

const dnsColumn: Column<DomainRow> = {
  id: 'dns',
  header: 'DNS',
  value: ({ dns }) => pointingWords[pointingOf(dns)].label,
  cell: (domain) => <DnsBadge domain={domain} />,
  filter: 'category',
  priority: 2,
};

const configColumn: Column<DomainRow> = {
  id: 'config',
  header: 'Config',
  value: (domain) => configWords[configStateOf(domain)].label,
  cell: (domain) => (
    <span className={classes.badges}>
      <ConfigBadge domain={domain} />
      {domain.config && <RelativeTime at={domain.config.at} />}
      <SslBadge domain={domain} />
    </span>
  ),
  filter: 'category',
};

const certificateColumn = (now: number, expiringDays: number): Column<DomainRow> => ({
  id: 'certificate',
  header: 'Certificate',
  value: (domain) => certificateWords[certificateStateOf(domain, now, expiringDays)].label,
  cell: (domain) => <CertificateBadge domain={domain} now={now} expiringDays={expiringDays} />,
  filter: 'category',
  priority: 3,
});

/** Where they point, what is applied for them, and how their certificates are. */
export const stateColumns = (now: number, expiringDays: number): Column<DomainRow>[] => [
  dnsColumn,
  configColumn,
  certificateColumn(now, expiringDays),
];

const daysLeft = (domain: DomainRow, now: number): number | undefined => {
  const certificate = certificateOf(domain);
  return certificate && daysUntil(certificate.notAfter, now);
};

export const daysColumn = (now: number, expiringDays: number): Column<DomainRow> => ({
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
