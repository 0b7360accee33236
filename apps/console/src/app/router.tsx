/** Which address shows what. Features are loaded when they are first shown; what they have in common is put together here. */
import type { Role } from '@quarterdeck/events';
import type { DomainView, ServerView, WorkspaceView } from '@quarterdeck/projections';
import { createBrowserRouter, Navigate, Outlet, Route, type RouteObject } from 'react-router';
import { lazy, type ComponentType, type ReactNode } from 'react';
import { PageNotFound } from '../ui/AreaRoutes';
import { ToastHost } from '../ui/toast';
import { RequireRole, RouterError } from './pages/Fallbacks';
import Home from './pages/Home';
import { NotYet } from './pages/NotYet';
import { PastClock } from '../core/past/clock';
import { paths } from '../core/paths';
import { RequireSession } from './RequireSession';
import { Shell } from './shell/Shell';

type Feature = () => Promise<{ default: ComponentType }>;

const page = (load: Feature) => async () => ({ Component: (await load()).default });

const guarded = (role: Role, pages: ReactNode): { element: ReactNode } => ({
  element: <RequireRole least={role}>{pages}</RequireRole>,
});

/** A page alone, or with `/*` an area, which then says itself which addresses it has. */
const feature = (path: string, role: Role, load: Feature): RouteObject => ({
  path,
  lazy: async () => {
    const { default: Pages } = await load();
    return guarded(role, <Pages />);
  },
});

const domains = async () => {
  const [{ default: Domains }, alerts, { NextRenewal, SslMonitorPanel }] = await Promise.all([
    import('../features/domains'),
    import('../features/alerts'),
    import('../features/certificates'),
  ]);
  const { AlertPanel, AlertsPage, CalendarPage, DomainAlerts } = alerts;
  const pages = (
    <>
      <Route path="alerts" element={<AlertsPage />} />
      <Route path="calendar" element={<CalendarPage />} />
    </>
  );
  const panels = (
    <>
      <AlertPanel />
      <SslMonitorPanel />
    </>
  );
  const certificateCards = [
    { title: 'Next renewal', content: (domain: DomainView) => <NextRenewal domain={domain} /> },
    { title: 'Alerts', content: (domain: DomainView) => <DomainAlerts domain={domain} /> },
  ];
  return guarded('admin', <Domains panels={panels} pages={pages} certificateCards={certificateCards} />);
};

const invitation = () =>
  import('../features/people').then(({ InvitationPage }) => ({ default: InvitationPage }));

const AlertBanner = lazy(() =>
  import('../features/alerts').then((alerts) => ({ default: alerts.AlertBanner })),
);
const CredentialBanner = lazy(() =>
  import('../features/credentials').then((credentials) => ({ default: credentials.CredentialBanner })),
);
const news = (
  <>
    <AlertBanner />
    <CredentialBanner />
  </>
);

const servers = async () => {
  const [{ default: Servers }, { ServerDomains }, { ServerDeploys }] = await Promise.all([
    import('../features/servers'),
    import('../features/domains'),
    import('../features/deploys'),
  ]);
  const tabs = [
    { id: 'domains', label: 'Domains', content: (server: ServerView) => <ServerDomains server={server} /> },
    { id: 'deploys', label: 'Deploys', content: (server: ServerView) => <ServerDeploys server={server} /> },
  ];
  return guarded('admin', <Servers tabs={tabs} />);
};

const AlertSettings = lazy(() =>
  import('../features/alerts').then((alerts) => ({ default: alerts.AlertSettings })),
);
const DnsSettings = lazy(() =>
  import('../features/domains').then(({ DnsSettings: settings }) => ({ default: settings })),
);
const MonitorSettings = lazy(() =>
  import('../features/certificates').then((certificates) => ({ default: certificates.MonitorSettings })),
);

const settings = async () => {
  const [{ default: Settings }, { CredentialsSection }] = await Promise.all([
    import('../features/settings'),
    import('../features/credentials'),
  ]);
  const sections = [
    { label: 'DNS', content: (workspace: WorkspaceView) => <DnsSettings workspace={workspace} /> },
    {
      label: 'SSL monitor',
      content: (workspace: WorkspaceView) => <MonitorSettings workspace={workspace} />,
    },
    { label: 'Alerts', content: (workspace: WorkspaceView) => <AlertSettings workspace={workspace} /> },
  ];
  return { element: <Settings personal={<CredentialsSection />} sections={sections} /> };
};

export const routes: RouteObject[] = [
  {
    // The notices hold links, so they stand inside the router.
    element: (
      <>
        <Outlet />
        <ToastHost />
      </>
    ),
    errorElement: <RouterError />,
    // Nothing is drawn before the first page is there; it takes too short a time for a spinner.
    hydrateFallbackElement: <></>,
    children: [
      { path: '/', lazy: page(() => import('./pages/Landing')) },
      { path: '/login', lazy: page(() => import('./pages/Login')) },
      { path: '/invite', lazy: page(invitation) },
      { path: '/logout', lazy: page(() => import('./pages/Logout')) },
      { path: '/sso/:ssoProvider/redirect', lazy: page(() => import('./pages/SsoRedirect')) },
      {
        element: (
          <RequireSession>
            <PastClock>
              <Shell news={news} />
            </PastClock>
          </RequireSession>
        ),
        children: [
          {
            errorElement: <RouterError framed />,
            children: [
              feature('/superadmin', 'superadmin', () => import('../features/superadmin')),
              { path: '/superadmin/*', element: <PageNotFound /> },
              {
                path: '/app',
                children: [
                  { index: true, element: <Home /> },
                  { path: 'profile', lazy: page(() => import('../features/profile')) },
                  { path: 'profile/settings', lazy: settings },
                  { path: 'product/*', element: <NotYet section="product" /> },
                  { path: 'do/*', ...guarded('admin', <NotYet section="cloud" />) },
                  { path: 'domain/*', lazy: domains },
                  { path: 'server/*', lazy: servers },
                  feature('script/*', 'admin', () => import('../features/scripts')),
                  feature('fleet/*', 'admin', () => import('../features/fleet')),
                  feature('members/*', 'admin', () => import('../features/people')),
                  feature('history', 'admin', () => import('../features/history')),
                  feature('run/*', 'admin', () => import('../features/runs')),
                  { path: '*', element: <PageNotFound /> },
                ],
              },
            ],
          },
        ],
      },
      { path: '*', element: <Navigate to={paths.login()} replace /> },
    ],
  },
];

export const createRouter = () => createBrowserRouter(routes);
