/** Logs of what runs: tabs of servers, services and domains. */
import { PresentOnly } from '../../core/as-of/in-past';
import { EmptyState } from '../../ui/EmptyState';
import { LogViewer } from './LogViewer';
import { ServerLogs as Chosen } from './ServerLogs';

const WHAT = 'Logs';

export const ServerLogs = (props: { server: { id: string; alias: string } }) => (
  <PresentOnly what={WHAT}>
    <Chosen {...props} />
  </PresentOnly>
);

interface ServiceLogsProps {
  service: { id: string; name: string };
  server: { id: string } | undefined;
}

export const ServiceLogs = ({ service: { id, name }, server }: ServiceLogsProps) => (
  <PresentOnly what={WHAT}>
    {server ? (
      <LogViewer
        server={server.id}
        filename={`${name}.log`}
        chosen={[{ source: { kind: 'service', id }, name }]}
      />
    ) : (
      <EmptyState title="No server">This service names no server that it is deployed to.</EmptyState>
    )}
  </PresentOnly>
);

interface SiteLogsProps {
  domain: { id: string; serverName: string; server?: { id: string } | undefined };
}

export const SiteLogs = ({ domain: { id, serverName, server } }: SiteLogsProps) => (
  <PresentOnly what={WHAT}>
    {server ? (
      <LogViewer
        server={server.id}
        filename={`${serverName}.log`}
        chosen={[
          { source: { kind: 'site', id, log: 'access' }, name: 'access' },
          { source: { kind: 'site', id, log: 'error' }, name: 'error' },
        ]}
      />
    ) : (
      <EmptyState title="No server">This domain has no server that could log its requests.</EmptyState>
    )}
  </PresentOnly>
);
