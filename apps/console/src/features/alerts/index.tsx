import { lazy, Suspense } from 'react';
import type { DomainView, WorkspaceView } from '@quarterdeck/projections';
import { Loading } from '../../ui/Loading';

const LazyPage = lazy(() => import('./AlertsPage').then((page) => ({ default: page.AlertsPage })));
const LazyCalendar = lazy(() => import('./CalendarPage').then((page) => ({ default: page.CalendarPage })));

const LazySettings = lazy(() =>
  import('./AlertSettingsSection').then((settings) => ({ default: settings.AlertSettingsInPlace })),
);

const LazyDomainAlerts = lazy(() =>
  import('./DomainAlerts').then((card) => ({ default: card.DomainAlerts })),
);

/** For the page of a domain. */
export const DomainAlerts = ({ domain }: { domain: DomainView }) => (
  <Suspense fallback={<Loading label="Loading thresholds" />}>
    <LazyDomainAlerts domain={domain} />
  </Suspense>
);

/** Above the list of domains. */
export { AlertPanel } from './AlertPanel';

export const AlertsPage = () => (
  <Suspense fallback={<Loading label="Loading alerts" />}>
    <LazyPage />
  </Suspense>
);

export const CalendarPage = () => (
  <Suspense fallback={<Loading label="Loading calendar" />}>
    <LazyCalendar />
  </Suspense>
);

/** On the page of the settings. */
export const AlertSettings = ({ workspace }: { workspace: WorkspaceView }) => (
  <Suspense fallback={<Loading label="Loading the settings of alerts" />}>
    <LazySettings workspace={workspace} />
  </Suspense>
);

/** In the frame of every page. */
export { default as AlertBanner } from './AlertBanner';
