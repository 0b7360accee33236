/** Tabs of servers that come from other features, each loaded when it is first shown. */
import type { ServerView } from '@quarterdeck/projections';
import { part } from '../../ui/part';

const ServerDomains = part(
  () => import('../../features/domains').then((all) => ({ default: all.ServerDomains })),
  'Loading domains',
);
const ServerPackagePulls = part(
  () => import('../../features/package-pulls').then((all) => ({ default: all.ServerPackagePulls })),
  'Loading deploys',
);
const ServerDeploys = part(
  () => import('../../features/deploys').then((all) => ({ default: all.ServerDeploys })),
  'Loading deploys',
);

const ServerLogs = part(
  () => import('../../features/logs').then((all) => ({ default: all.ServerLogs })),
  'Loading the logs',
);

export const serverTabs = [
  { id: 'domains', label: 'Domains', content: (server: ServerView) => <ServerDomains server={server} /> },
  {
    id: 'deploys',
    label: 'Deploys',
    content: (server: ServerView) => (
      <>
        <ServerPackagePulls server={server} />
        <ServerDeploys server={server.id} />
      </>
    ),
  },
  { id: 'logs', label: 'Logs', content: (server: ServerView) => <ServerLogs server={server} /> },
];
