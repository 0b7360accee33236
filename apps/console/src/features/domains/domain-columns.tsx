/** The columns that all lists of domains share. */
import {
  type AsOf,
  certificateStateOf,
  certificateVerdicts,
  columnsById,
  daysLeft,
  domainColumns,
  namesInWords,
  type DomainRow,
} from '@quarterdeck/projections';
import { DomainVerdictBadge } from '../../records/verdicts';
import type { Column } from '../../ui/DataTable';
import { DaysBar } from '../../ui/DaysBar';
import { CertificateBadge, ConfigBadge, DnsBadge, NameInUnicode, SiteAnswerBadge, SslBadge } from './Badges';
import { Dim } from '../../ui/Note';
import { Group } from '@mantine/core';

type Columns = Column<DomainRow>[];

/** All columns except the server's. The back end uses the same rules to search, filter and sort. */
export const columnsOf = (asOf: AsOf): Columns => {
  const { domain: name, state, dns, config, certificate, days, site } = columnsById(domainColumns(asOf));
  const { now } = asOf;
  return [
    {
      ...name,
      header: 'Domain',
      cell: ({ serverName, names = [] }) => (
        <>
          {serverName} <NameInUnicode serverName={serverName} />
          {names.length > 0 && <Dim> and {namesInWords(names.map(({ name }) => name))}</Dim>}
        </>
      ),
      mono: true,
      maxWidth: '260px',
      priority: 1,
    },
    {
      ...state,
      header: 'State',
      cell: (domain) => <DomainVerdictBadge domain={domain} asOf={asOf} />,
      maxWidth: '300px',
      priority: 2,
    },
    { ...dns, header: 'DNS', cell: (domain) => <DnsBadge domain={domain} /> },
    { ...site, header: 'Site', cell: (domain) => <SiteAnswerBadge domain={domain} />, maxWidth: '200px' },
    {
      ...config,
      header: 'Config',
      cell: (domain) => (
        <Group component="span" display="inline-flex" gap="2px 8px">
          <ConfigBadge domain={domain} />
          <SslBadge domain={domain} />
        </Group>
      ),
      maxWidth: '240px',
    },
    {
      ...certificate,
      header: 'Certificate',
      cell: (domain) => <CertificateBadge domain={domain} asOf={asOf} />,
      priority: 3,
    },
    {
      ...days,
      header: 'Days left',
      cell: (domain) => {
        const left = daysLeft(domain, now);
        const { tone } = certificateVerdicts[certificateStateOf(domain, asOf)];
        return left === undefined ? null : <DaysBar days={left} tone={tone} />;
      },
      align: 'right',
      width: '1%',
    },
  ];
};
