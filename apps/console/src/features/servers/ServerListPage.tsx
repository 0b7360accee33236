/** All servers of the workspace. */
import { servers as serverCalls } from '@quarterdeck/contract';
import {
  IconPlayerPlay,
  IconPlus,
  IconQuestionMark,
  IconServer,
  IconShieldCheck,
  IconShieldX,
} from '@tabler/icons-react';
import {
  columnsById,
  hostKeyState,
  hostKeyWords,
  serverColumns,
  type ServerRow,
  type ServerView,
} from '@quarterdeck/projections';
import { useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { paths } from '../../core/paths';
import { useShortcut } from '../../core/shortcuts';
import { useProbesOf } from '../../records/health';
import { Action } from '../../ui/Action';
import { DataTable, type Column } from '../../ui/DataTable';
import { EmptyState } from '../../ui/EmptyState';
import { PageHeader } from '../../ui/PageHeader';
import { RelativeTime } from '../../ui/RelativeTime';
import { StateBadge } from '../../ui/StateBadge';
import { useListPage } from '../../ui/table/use-list-page';
import { HealthCell } from './health/Measures';
import { Group } from '@mantine/core';
import { Dim } from '../../ui/Note';

const { alias, health, username, host, path, nginxPath, hostKey, lastRun } = columnsById(serverColumns);

const columns: readonly Column<ServerRow>[] = [
  { ...alias, header: 'Alias', maxWidth: '200px', priority: 1 },
  { ...health, header: 'Health', cell: (server) => <HealthCell server={server} />, priority: 2 },
  { ...username, header: 'Username', mono: true, maxWidth: '110px' },
  { ...host, header: 'Host', mono: true, copy: true, maxWidth: '180px', priority: 3 },
  { ...path, header: 'Path', mono: true, maxWidth: '150px' },
  { ...nginxPath, header: 'NGINX Path', mono: true, maxWidth: '150px' },
  {
    ...hostKey,
    header: 'Host key',
    cell: (server) => <HostKeyBadge server={server} />,
    // Hidden by default: the Health column already shows a changed host key as the worst verdict.
    onDemand: true,
  },
  {
    ...lastRun,
    header: 'Last run',
    cell: ({ lastRun: run }) =>
      run && (
        <Group component="span" display="inline-flex" gap="0 8px" maw={220} py={4}>
          <StateBadge state={run.state} /> <RelativeTime at={run.at} />
          <Dim fz={12} style={{ flexBasis: '100%', overflow: 'hidden', textOverflow: 'ellipsis' }}>
            {run.label}
          </Dim>
        </Group>
      ),
  },
];

export const ServerListPage = () => {
  const navigate = useNavigate();
  const { total, table, allFound } = useListPage(serverCalls.page);
  useProbesOf(table.query.data);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  useShortcut('n', () => void navigate(paths.serverAdd()));
  const add = (
    <Action icon={IconPlus} does={paths.serverAdd()}>
      Add new
    </Action>
  );
  return (
    <>
      <PageHeader
        title="Servers"
        count={total}
        description={
          <>
            Any Unix-like server that can be reached over SSH. Hosted servers are under{' '}
            <Link to={paths.cloud()}>Cloud hosting</Link>.
          </>
        }
        actions={add}
      />
      <DataTable
        label="Servers"
        chooser="servers"
        {...table}
        columns={columns}
        rowKey={(server) => server.id}
        href={(server) => paths.server(server.id)}
        onOpen={(server) => void navigate(paths.server(server.id))}
        actions={(server) => (
          <Link to={paths.serverEdit(server.id)} aria-label={`Edit ${server.alias}`}>
            Edit
          </Link>
        )}
        selection={{
          chosen,
          onChange: setChosen,
          nameOf: (server) => server.alias,
          allFound: async () => (await allFound()).map(({ id }) => id),
          actions: (
            <Action
              icon={IconPlayerPlay}
              variant="default"
              does={() => navigate(paths.fleet(), { state: { servers: [...chosen] } })}
            >
              Run on selected…
            </Action>
          ),
        }}
        searchable
        empty={
          <EmptyState title="No servers yet" icon={IconServer} action={add}>
            Servers with their commands, runs and history will appear here.
          </EmptyState>
        }
      />
    </>
  );
};

const HostKeyBadge = ({ server }: { server: ServerView }) => {
  const state = hostKeyState(server);
  const look = {
    changed: { tone: 'bad', icon: IconShieldX },
    pinned: { tone: 'good', icon: IconShieldCheck },
    unknown: { tone: 'quiet', icon: IconQuestionMark },
  } as const;
  return <StateBadge state={state} label={hostKeyWords[state]} {...look[state]} />;
};
