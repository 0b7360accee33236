import type { ReactNode } from 'react';
import { Route } from 'react-router';
import { AreaRoutes } from '../../ui/AreaRoutes';
import { pagePart, part } from '../../ui/part';
import type { CertificateCard } from './CertificateTab';
import type { TabsOfDomain } from './DomainPage';
import { DomainListPage } from './DomainListPage';

// The list opens first; forms, code views and run parts are loaded when needed.
const DomainAddPage = pagePart(() =>
  import('./DomainAddPage').then((page) => ({ default: page.DomainAddPage })),
);
const DomainPage = pagePart(() => import('./DomainPage').then((page) => ({ default: page.DomainPage })));

interface DomainsProps {
  /** Panels of other features, below the list. */
  panels?: ReactNode;
  /** Additional pages of the area, as `<Route>`s. */
  pages?: ReactNode;
  /** Cards of other features on the certificate tab. */
  certificateCards?: readonly CertificateCard[];
  /** Tabs of other features. */
  tabsOf?: TabsOfDomain;
}

export default function Domains({ panels, pages, certificateCards, tabsOf }: DomainsProps) {
  return (
    <AreaRoutes>
      <Route path="add" element={<DomainAddPage />} />
      <Route path=":id/edit" element={<DomainPage certificateCards={certificateCards} tabsOf={tabsOf} />} />
      {pages}
      <Route index element={<DomainListPage panels={panels} />} />
    </AreaRoutes>
  );
}

/** For the page of a server. */
export const ServerDomains = part(
  () => import('./server/ServerDomains').then((tab) => ({ default: tab.ServerDomains })),
  'Loading domains',
);

/** For the page of a service. */
export const ServiceLocations = part(
  () => import('./ServiceLocations').then((tab) => ({ default: tab.ServiceLocations })),
  'Loading domain locations',
);

/** For the settings page. */
export const DnsSettings = part(
  () => import('./dns/DnsSettings').then((settings) => ({ default: settings.DnsSettings })),
  'Loading the DNS settings',
);
