/** The domains of one server, a check of their certificates, and the server's generated configuration. */
import { Button, Group } from '@mantine/core';
import { domains as domainCalls } from '@quarterdeck/contract';
import { IconCalendarDue, IconPlus, IconWorld } from '@tabler/icons-react';
import { type AsOf, type DomainRow, type ServerView } from '@quarterdeck/projections';
import { useMemo } from 'react';
import { Link, useNavigate } from 'react-router';
import { DisabledInPast } from '../../../core/as-of/in-past';
import { useNow } from '../../../core/as-of/clock';
import { paths } from '../../../core/paths';
import { Action } from '../../../ui/Action';
import { DataTable, type Column } from '../../../ui/DataTable';
import { EmptyState } from '../../../ui/EmptyState';
import { ErrorState } from '../../../ui/ErrorState';
import { PAGE_SIZE } from '../../../ui/page-size';
import { StateBadge } from '../../../ui/StateBadge';
import { useListPage } from '../../../ui/table/use-list-page';
import { columnsOf } from '../domain-columns';
import { daysLeftInWords } from '../domain-words';
import { ServerConfig } from './ServerConfig';
import { isUrgent, URGENT_DAYS, useExpiryCheck, type Checked } from './use-expiry-check';
import { useExpiringDays } from '../../../records/verdicts';
import { Dim, Note } from '../../../ui/Note';
import { Stacked } from '../../../ui/Columns';
import look from '../../../ui/look.module.css';
import { Bullets } from '../../../ui/List';

const MAX_NAMED = 20;

/** A short label for the result, and further details. */
const inWords = (found: Checked): { label: string; besides?: string | undefined } => {
  if ('failed' in found) return { label: 'could not be checked', besides: found.failed };
  const { valid, daysRemaining, reason } = found.expiry;
  const days = daysRemaining === undefined ? undefined : daysLeftInWords(daysRemaining);
  if (valid) return { label: days ?? 'valid' };
  return { label: 'not valid', besides: [reason, days].filter(Boolean).join(' ') };
};

const CheckedCell = ({ found }: { found: Checked }) => {
  const { label, besides } = inWords(found);
  const tone = 'failed' in found ? 'warn' : isUrgent(found) ? 'bad' : 'good';
  return (
    <Group component="span" className={look.wrap} display="inline-flex" gap="0 8px">
      <StateBadge state="checked" tone={tone} icon={IconCalendarDue} label={label} />
      {besides && <Dim>{besides}</Dim>}
    </Group>
  );
};

const columnsWith = (asOf: AsOf, checked: readonly Checked[]): Column<DomainRow>[] => {
  const found = new Map(checked.map((one) => [one.id, one]));
  const looked = (domain: DomainRow) => found.get(domain.id);
  const columns = columnsOf(asOf).filter(({ id }) => id !== 'days');
  if (checked.length === 0) return columns;
  return [
    ...columns,
    {
      id: 'checked',
      header: 'Checked now',
      // The back end does not know these results.
      sortable: false,
      value: (domain) => {
        const one = looked(domain);
        if (!one) return undefined;
        const { label, besides } = inWords(one);
        return [label, besides].filter(Boolean).join(': ');
      },
      cell: (domain) => {
        const one = looked(domain);
        return one && <CheckedCell found={one} />;
      },
      priority: 3,
    },
  ];
};

/** Lists the worst results, because the domains may be on other pages of the table. */
const Worst = ({ checked }: { checked: readonly Checked[] }) => {
  const worst = checked.filter((found) => 'failed' in found || isUrgent(found));
  if (worst.length === 0) return null;
  return (
    <Bullets mb={16} aria-label="Found by the check">
      {worst.slice(0, MAX_NAMED).map((found) => {
        const { label, besides } = inWords(found);
        return (
          <li key={found.id}>
            <Link to={paths.domain(found.id, 'certificate')}>{found.serverName}</Link>
            {`: ${[label, besides].filter(Boolean).join(', ')}`}
          </li>
        );
      })}
      {worst.length > MAX_NAMED && <li>{`and ${worst.length - MAX_NAMED} more`}</li>}
    </Bullets>
  );
};

export const ServerDomains = ({ server }: { server: Pick<ServerView, 'id' | 'alias'> }) => {
  const navigate = useNavigate();
  const within = useMemo(() => ({ server: { id: server.id } }), [server.id]);
  const { table, allFound, fulfilledTimeStamp } = useListPage(domainCalls.pageByServer, {
    within,
    urlKey: 'domains',
  });
  const { state, asked, checked, failure, run } = useExpiryCheck();
  const now = useNow(fulfilledTimeStamp);
  const expiringDays = useExpiringDays();
  const asOf = useMemo(() => ({ now, expiringDays }), [now, expiringDays]);
  const columns = useMemo(() => columnsWith(asOf, checked), [asOf, checked]);
  const urgent = checked.filter(isUrgent).length;
  const failed = checked.filter((found) => 'failed' in found).length;
  const add = (
    <Button
      component={Link}
      to={paths.domainAdd()}
      state={{ server: server.id }}
      variant="default"
      leftSection={<IconPlus size={14} aria-hidden />}
    >
      Add domain
    </Button>
  );
  return (
    <Stacked>
      <section aria-label="Domains">
        <DataTable
          label={`Domains of ${server.alias}`}
          {...table}
          columns={columns}
          rowKey={(domain) => domain.id}
          href={(domain) => paths.domain(domain.id)}
          onOpen={(domain) => void navigate(paths.domain(domain.id))}
          searchable
          tools={
            <Group gap="xs">
              <DisabledInPast>
                <Action
                  icon={IconCalendarDue}
                  variant="default"
                  loading={state === 'running'}
                  does={() => run(allFound)}
                >
                  Check expiry
                </Action>
              </DisabledInPast>
              {add}
            </Group>
          }
          empty={
            <EmptyState title="No domains on this server yet" icon={IconWorld} action={add}>
              Those that point to {server.alias} will appear here.
            </EmptyState>
          }
        />
        <Note below role="status">
          {state === 'running' && `Checked ${checked.length} of ${asked} …`}
          {state === 'result' &&
            `Checked ${checked.length}: ${urgent === 0 ? 'none' : urgent} with fewer than ${URGENT_DAYS} days left or not valid${failed > 0 ? `, ${failed} could not be checked` : ''}.`}
        </Note>
        {failure && <ErrorState error={failure} what="The domains to check" inline />}
        {state === 'result' && asked > PAGE_SIZE && <Worst checked={checked} />}
      </section>
      <ServerConfig server={server} />
    </Stacked>
  );
};
