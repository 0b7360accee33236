/** The domains of one server, whether their certificates end soon, and what its web server is made of. */
import { Button, Group } from '@mantine/core';
import { domains as domainCalls } from '@quarterdeck/contract';
import { IconCalendarDue, IconPlus, IconWorld } from '@tabler/icons-react';
import { worstDomainsFirst, type AsOf, type DomainRow, type ServerView } from '@quarterdeck/projections';
import { useMemo } from 'react';
import { Link, useNavigate } from 'react-router';
import { useAnswer } from '../../../core/calls';
import { DisabledInPast } from '../../../core/past/in-past';
import { useNow } from '../../../core/past/clock';
import { toApiError } from '../../../core/http';
import { paths } from '../../../core/paths';
import { DataTable, type Column } from '../../../ui/DataTable';
import { EmptyState } from '../../../ui/EmptyState';
import { StateBadge } from '../../../ui/StateBadge';
import { columnsOf } from '../domain-columns';
import classes from '../domains.module.css';
import { ServerConfig } from './ServerConfig';
import { isUrgent, URGENT_DAYS, useExpiryCheck, type Checked } from './use-expiry-check';
import { useExpiringDays } from '../../../records/verdicts';

/** What was found in a word or two, and what is to be said besides. */
const inWords = (found: Checked): { label: string; besides?: string | undefined } => {
  if ('failed' in found) return { label: 'could not be checked', besides: found.failed };
  const { valid, daysRemaining, reason } = found.expiry;
  const days = daysRemaining === undefined ? undefined : `${daysRemaining} days left`;
  if (valid) return { label: days ?? 'valid' };
  return { label: 'not valid', besides: [reason, days].filter(Boolean).join(' ') };
};

const CheckedCell = ({ found }: { found: Checked }) => {
  const { label, besides } = inWords(found);
  const tone = 'failed' in found ? 'warn' : isUrgent(found) ? 'bad' : 'good';
  return (
    <span className={classes.checked}>
      <StateBadge state="checked" tone={tone} icon={IconCalendarDue} label={label} />
      {besides && <span className={classes.dimmed}>{besides}</span>}
    </span>
  );
};

const columnsWith = (asOf: AsOf, checked: readonly Checked[]): Column<DomainRow>[] => {
  const found = new Map(checked.map((one) => [one.serverName, one]));
  const looked = (domain: DomainRow) => found.get(domain.serverName);
  const columns = columnsOf(asOf).filter(({ id }) => id !== 'days');
  if (checked.length === 0) return columns;
  return [
    ...columns,
    {
      id: 'checked',
      header: 'Checked now',
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

export const ServerDomains = ({ server }: { server: Pick<ServerView, 'id' | 'alias'> }) => {
  const navigate = useNavigate();
  const {
    data: domains,
    error,
    refetch,
  } = useAnswer(domainCalls.listByServer, { server: { id: server.id } });
  const { state, checked, run } = useExpiryCheck();
  const now = useNow();
  const expiringDays = useExpiringDays();
  const asOf = useMemo(() => ({ now, expiringDays }), [now, expiringDays]);
  const columns = useMemo(() => columnsWith(asOf, checked), [asOf, checked]);
  const rows = useMemo(() => domains && worstDomainsFirst(domains, asOf), [domains, asOf]);
  const urgent = checked.filter(isUrgent).length;
  const failed = checked.filter((found) => 'failed' in found).length;
  const names = domains?.map(({ serverName }) => serverName) ?? [];
  const add = (
    <Button
      component={Link}
      to={paths.domainAdd()}
      state={{ server: server.id }}
      variant="default"
      size="compact-sm"
      leftSection={<IconPlus size={14} aria-hidden />}
    >
      Add domain
    </Button>
  );
  return (
    <div className={classes.column}>
      <section aria-label="Domains">
        <DataTable
          label={`Domains of ${server.alias}`}
          rows={rows}
          columns={columns}
          rowKey={(domain) => domain.id}
          href={(domain) => paths.domain(domain.id)}
          onOpen={(domain) => void navigate(paths.domain(domain.id))}
          error={error === undefined ? undefined : toApiError(error)}
          onRetry={() => void refetch()}
          urlKey="domains"
          searchable
          tools={
            <Group gap="xs">
              <DisabledInPast>
                <Button
                  variant="default"
                  size="compact-sm"
                  loading={state === 'running'}
                  leftSection={<IconCalendarDue size={14} aria-hidden />}
                  onClick={() => void run(names)}
                >
                  Check expiry
                </Button>
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
        <p role="status" className={classes.hint}>
          {state === 'running' && `Checked ${checked.length} of ${names.length} …`}
          {state === 'result' &&
            `Checked ${checked.length}: ${urgent === 0 ? 'none' : urgent} with fewer than ${URGENT_DAYS} days left or not valid${failed > 0 ? `, ${failed} could not be checked` : ''}.`}
        </p>
      </section>
      <ServerConfig server={server} />
    </div>
  );
};
