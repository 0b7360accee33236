/** Which address shows what. Features are loaded when they are first shown; what they have in common is put together here. */
import type { Role } from '@quarterdeck/events';
import type { DomainView, ServerView, WorkspaceView } from '@quarterdeck/projections';
import { createBrowserRouter, Navigate, Outlet, Route, type RouteObject } from 'react-router';
import type { ComponentType, ReactNode } from 'react';
import { PageNotFound } from '../ui/AreaRoutes';
import { pagePart, quietPart } from '../ui/part';
import { RequireRole } from '../ui/RequireRole';
import { ToastHost } from '../ui/toast';
import { RouterError } from './pages/Fallbacks';
import Home from './pages/Home';
import { NotYet } from './pages/NotYet';
import { isMissingPart } from '../core/parts';
import { PastClock } from '../core/past/clock';
import { paths } from '../core/paths';
import { RequireSession } from './RequireSession';
import { Shell } from './shell/Shell';

type Feature = () => Promise<{ default: ComponentType }>;

/**
 * The page before stays until this one is loaded. The router would keep a failure for ever, so it gets a page that
 * waits for its files instead.
 */
const whenLoaded = (load: () => Promise<ReactNode>) => async () => {
  try {
    return { element: await load() };
  } catch (error) {
    if (!isMissingPart(error)) throw error;
    const Awaited = pagePart(async () => {
      const element = await load();
      return { default: () => element };
    });
    return { element: <Awaited /> };
  }
};

const page = (load: Feature) =>
  whenLoaded(async () => {
    const { default: Page } = await load();
    return <Page />;
  });

const guarded = (role: Role, pages: ReactNode): ReactNode => <RequireRole least={role}>{pages}</RequireRole>;

/** A page alone, or with `/*` an area, which then says itself which addresses it has. */
const feature = (path: string, role: Role, load: Feature): RouteObject => ({
  path,
  lazy: whenLoaded(async () => {
    const { default: Pages } = await load();
    return guarded(role, <Pages />);
  }),
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

const AlertBanner = quietPart(() =>
  import('../features/alerts').then((alerts) => ({ default: alerts.AlertBanner })),
);
const CredentialBanner = quietPart(() =>
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

const settings = async () => {
  const [
    { default: Settings },
    { CredentialsSection },
    { DnsSettings },
    { MonitorSettings },
    { AlertSettings },
  ] = await Promise.all([
    import('../features/settings'),
    import('../features/credentials'),
    import('../features/domains'),
    import('../features/certificates'),
    import('../features/alerts'),
  ]);
  const sections = [
    { label: 'DNS', content: (workspace: WorkspaceView) => <DnsSettings workspace={workspace} /> },
    {
      label: 'SSL monitor',
      content: (workspace: WorkspaceView) => <MonitorSettings workspace={workspace} />,
    },
    { label: 'Alerts', content: (workspace: WorkspaceView) => <AlertSettings workspace={workspace} /> },
  ];
  return <Settings personal={<CredentialsSection />} sections={sections} />;
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
                  { path: 'profile/settings', lazy: whenLoaded(settings) },
                  feature('product/*', 'member', () => import('../features/products')),
                  { path: 'do/*', element: guarded('admin', <NotYet section="cloud" />) },
                  { path: 'domain/*', lazy: whenLoaded(domains) },
                  { path: 'server/*', lazy: whenLoaded(servers) },
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
