/** One server: overview, commands, health, runs and history. */
import { servers } from '@quarterdeck/contract';
import {
  IconBrandDocker,
  IconDownload,
  IconKey,
  IconPencil,
  IconServerCog,
  IconTrash,
} from '@tabler/icons-react';
import type { ServerView } from '@quarterdeck/projections';
import { useEffect, useRef, type ReactNode } from 'react';
import { Link, useLocation, useNavigate, useParams } from 'react-router';
import { useAnswer } from '../../core/calls';
import { paths } from '../../core/paths';
import { useShortcut } from '../../core/shortcuts';
import { CopyText } from '../../ui/CopyText';
import { DetailPage } from '../../ui/DetailPage';
import { HistoryOf } from '../../records/history';
import { part } from '../../ui/part';
import { PageView } from '../../records/PageView';
import { RelativeTime } from '../../ui/RelativeTime';
import { RunsOf } from '../../records/runs';
import { useLiveHealth } from '../../records/live-health';
import { ServerVerdictBadge } from '../../records/verdicts';
import { StateBadge } from '../../ui/StateBadge';
import { CommandsTab } from './CommandsTab';
import { Failure } from './Failure';
import { Overview } from './Overview';
import { addressOf } from './server-words';
import { setUpLabel, setUps, type SetUp } from './set-ups';
import { useServerActions } from './use-server-actions';

// The charts are loaded when the tab is first opened.
const HealthTab = part(() => import('./health/HealthTab'), 'Loading health');

export interface ServerTab {
  id: string;
  label: string;
  content: (server: ServerView) => ReactNode;
}

interface ServerPageProps {
  /** Tabs contributed by other features. */
  tabs: readonly ServerTab[];
}

export const ServerPage = ({ tabs }: ServerPageProps) => {
  const { id = '' } = useParams();
  const query = useAnswer(servers.detail, { id });
  useLiveHealth();
  return (
    <PageView query={query} what="Server" subject={{ category: 'server', id }}>
      {(server) => <Server key={server.id} server={server} tabs={tabs} />}
    </PageView>
  );
};

/** Asks about the set-up that the command palette passed in navigation state, not in the URL, so no link starts one. */
const useSetUpOnArrival = (setUp: (what: SetUp) => Promise<unknown>): void => {
  const { pathname, search, state } = useLocation();
  const navigate = useNavigate();
  const wanted = setUps.find((what) => what === (state as { setUp?: unknown } | null)?.setUp);
  const latest = useRef(setUp);
  useEffect(() => {
    latest.current = setUp;
  });
  useEffect(() => {
    if (wanted === undefined) return;
    // Clear the state, so a reload does not ask again.
    void navigate(pathname + search, { replace: true, state: null });
    void latest.current(wanted);
  }, [wanted, navigate, pathname, search]);
};

const Server = ({ server, tabs }: { server: ServerView } & ServerPageProps) => {
  const navigate = useNavigate();
  const actions = useServerActions(server);
  const edit = () => void navigate(paths.serverEdit(server.id));
  useShortcut('e', edit);
  useSetUpOnArrival(actions.setUp);
  const { id, alias, lastRun } = server;
  return (
    <DetailPage
      back={{ to: paths.servers(), label: 'Servers' }}
      name={alias}
      badge={<ServerVerdictBadge server={server} />}
      facts={[
        { label: 'Address', value: <CopyText value={addressOf(server)} /> },
        { label: 'Private key', value: <CopyText value={server.key.fingerprint} /> },
        {
          label: 'Last run',
          value: lastRun ? (
            <>
              <Link to={paths.run(lastRun.id)}>{lastRun.label}</Link> <StateBadge state={lastRun.state} />{' '}
              <RelativeTime at={lastRun.at} />
            </>
          ) : (
            'none yet'
          ),
        },
      ]}
      actions={[
        { label: 'Edit', icon: <IconPencil size={16} />, onClick: edit },
        ...setUps.map((what) => ({
          label: setUpLabel(what),
          icon: what === 'installDocker' ? <IconBrandDocker size={16} /> : <IconServerCog size={16} />,
          onClick: () => void actions.setUp(what),
        })),
        {
          label: 'Replace private key',
          icon: <IconKey size={16} />,
          onClick: () => void navigate(paths.serverKey(id)),
        },
        {
          label: 'Download private key',
          icon: <IconDownload size={16} />,
          onClick: () => void actions.downloadKey(),
        },
        {
          label: 'Delete server',
          icon: <IconTrash size={16} />,
          danger: true,
          onClick: () => void actions.remove(),
        },
      ]}
      tabs={[
        {
          id: 'overview',
          label: 'Overview',
          content: () => <Overview server={server} onSetUp={(what) => void actions.setUp(what)} />,
        },
        { id: 'commands', label: 'Commands', content: () => <CommandsTab server={server} /> },
        ...tabs.map((tab) => ({ ...tab, content: () => tab.content(server) })),
        {
          id: 'health',
          label: 'Health',
          content: () => <HealthTab server={server} />,
        },
        { id: 'runs', label: 'Runs', content: () => <RunsOf kind="server" id={id} name={alias} /> },
        {
          id: 'history',
          label: 'History',
          content: () => <HistoryOf category="server" id={id} name={alias} />,
        },
      ]}
    >
      {actions.failure && (
        <Failure
          what={actions.failure.what}
          error={actions.failure.error}
          server={id}
          seeAlso={actions.failure.seeAlso}
          onClose={actions.dismiss}
        />
      )}
    </DetailPage>
  );
};
