/** All servers of the workspace. */
import { Button } from '@mantine/core';
import { servers as serverCalls } from '@quarterdeck/contract';
import { IconPlayerPlay, IconPlus, IconServer } from '@tabler/icons-react';
import {
  serverStateOf,
  serverVerdicts,
  verdictRank,
  type ServerState,
  type ServerView,
} from '@quarterdeck/projections';
import { useMemo, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { useAnswer } from '../../core/calls';
import { toApiError } from '../../core/http';
import { useAllHealth } from '../../records/health';
import { paths } from '../../core/paths';
import { useShortcut } from '../../core/shortcuts';
import { DataTable, type Column } from '../../ui/DataTable';
import { EmptyState } from '../../ui/EmptyState';
import { PageHeader } from '../../ui/PageHeader';
import { RelativeTime } from '../../ui/RelativeTime';
import { StateBadge } from '../../ui/StateBadge';
import { HostKeyBadge, hostKeyWords } from './HostKeyBadge';
import { HealthCell } from './health/Measures';
import { useLiveHealth } from './health/use-live-health';
import { hostKeyState } from './server-words';
import classes from './servers.module.css';

type States = ReadonlyMap<string, ServerState>;

const columnsWith = (states: States): readonly Column<ServerView>[] => [
  { id: 'alias', header: 'Alias', value: (server) => server.alias, priority: 1 },
  {
    id: 'health',
    header: 'Health',
    value: ({ id }) => serverVerdicts[states.get(id) ?? 'notChecked'].label,
    cell: (server) => <HealthCell server={server} />,
    filter: 'category',
    priority: 2,
  },
  { id: 'username', header: 'Username', value: (server) => server.username, filter: 'category', mono: true },
  {
    id: 'host',
    header: 'Host',
    value: (server) => (server.port === 22 ? server.host : `${server.host}:${server.port}`),
    filter: 'text',
    mono: true,
    copy: true,
    priority: 3,
  },
  { id: 'path', header: 'Path', value: (server) => server.path, mono: true },
  { id: 'nginxPath', header: 'NGINX Path', value: (server) => server.nginxPath, mono: true },
  {
    id: 'hostKey',
    header: 'Host key',
    value: (server) => hostKeyWords[hostKeyState(server)],
    cell: (server) => <HostKeyBadge server={server} />,
    filter: 'category',
  },
  {
    id: 'lastRun',
    header: 'Last run',
    value: (server) => server.lastRun?.at,
    cell: ({ lastRun }) =>
      lastRun && (
        <span className={classes.lastRun}>
          <StateBadge state={lastRun.state} /> {lastRun.label} <RelativeTime at={lastRun.at} />
        </span>
      ),
  },
];

/** The worst first, then by alias: the order of a list that nobody has sorted. */
const worstFirst = (servers: readonly ServerView[], states: States): ServerView[] => {
  const rank = ({ id }: ServerView): number => verdictRank(serverVerdicts[states.get(id) ?? 'notChecked']);
  return servers.toSorted((a, b) => rank(a) - rank(b) || a.alias.localeCompare(b.alias));
};

export const ServerListPage = () => {
  const navigate = useNavigate();
  const { data: servers, error, refetch } = useAnswer(serverCalls.list);
  useLiveHealth();
  const newest = useAllHealth();
  const states = useMemo(
    () => new Map(servers?.map((server) => [server.id, serverStateOf(server, newest[server.id])])),
    [servers, newest],
  );
  const columns = useMemo(() => columnsWith(states), [states]);
  const rows = useMemo(() => servers && worstFirst(servers, states), [servers, states]);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  useShortcut('n', () => void navigate(paths.serverAdd()));
  const add = (
    <Button component={Link} to={paths.serverAdd()} leftSection={<IconPlus size={16} aria-hidden />}>
      Add new
    </Button>
  );
  return (
    <>
      <PageHeader
        title="Servers"
        count={servers?.length}
        description={
          <>
            Any unix-like server that can be reached over SSH. Hosted ones are under{' '}
            <Link to={paths.cloud()}>Cloud hosting</Link>.
          </>
        }
        actions={add}
      />
      <DataTable
        label="Servers"
        rows={rows}
        columns={columns}
        rowKey={(server) => server.id}
        href={(server) => paths.server(server.id)}
        onOpen={(server) => void navigate(paths.server(server.id))}
        actions={(server) => (
          <Link to={paths.serverEdit(server.id)} aria-label={`Edit ${server.alias}`}>
            Edit
          </Link>
        )}
        error={error === undefined ? undefined : toApiError(error)}
        onRetry={() => void refetch()}
        selection={{
          chosen,
          onChange: setChosen,
          nameOf: (server) => server.alias,
          actions: (
            <Button
              variant="default"
              size="compact-sm"
              leftSection={<IconPlayerPlay size={14} aria-hidden />}
              onClick={() => void navigate(paths.fleet(), { state: { servers: [...chosen] } })}
            >
              Run on selected…
            </Button>
          ),
        }}
        searchable
        empty={
          <EmptyState title="No servers yet" icon={IconServer} action={add}>
            Add one, and its commands, runs and history will appear here.
          </EmptyState>
        }
      />
    </>
  );
};
