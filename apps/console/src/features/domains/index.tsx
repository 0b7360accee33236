import { lazy, Suspense, type ReactNode } from 'react';
import { Route } from 'react-router';
import { AreaRoutes } from '../../ui/AreaRoutes';
import type { ServerView, WorkspaceView } from '@quarterdeck/projections';
import { Loading } from '../../ui/Loading';
import type { CertificateCard } from './CertificateTab';
import { DomainListPage } from './DomainListPage';

// The list is what is opened first; forms, code and run parts come when they are needed.
const DomainAddPage = lazy(() => import('./DomainAddPage').then((page) => ({ default: page.DomainAddPage })));
const DomainPage = lazy(() => import('./DomainPage').then((page) => ({ default: page.DomainPage })));
const LazyServerDomains = lazy(() =>
  import('./server/ServerDomains').then((tab) => ({ default: tab.ServerDomains })),
);

const LazyDnsSettings = lazy(() =>
  import('./dns/DnsSettings').then((settings) => ({ default: settings.DnsSettings })),
);

interface DomainsProps {
  /** What other features put above the list. */
  panels?: ReactNode;
  /** Further pages of the area, as `<Route>`s. */
  pages?: ReactNode;
  /** What other features have to say of the certificate of a domain. */
  certificateCards?: readonly CertificateCard[];
}

export default function Domains({ panels, pages, certificateCards }: DomainsProps) {
  return (
    <AreaRoutes>
      <Route path="add" element={<DomainAddPage />} />
      <Route path=":id/edit" element={<DomainPage certificateCards={certificateCards} />} />
      {pages}
      <Route index element={<DomainListPage panels={panels} />} />
    </AreaRoutes>
  );
}

/** For the page of a server. */
export const ServerDomains = ({ server }: { server: ServerView }) => (
  <Suspense fallback={<Loading label="Loading domains" />}>
    <LazyServerDomains server={server} />
  </Suspense>
);

/** On the page of the settings. */
export const DnsSettings = ({ workspace }: { workspace: WorkspaceView }) => (
  <Suspense fallback={<Loading label="Loading the DNS settings" />}>
    <LazyDnsSettings workspace={workspace} />
  </Suspense>
);
