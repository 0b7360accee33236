/**
 * Maps addresses to pages. Features are loaded when they are first shown, except for Home, where most people start.
 * Pages that combine several features are composed here.
 */
import type { Role } from '@quarterdeck/events';
import type { DomainView } from '@quarterdeck/projections';
import { createBrowserRouter, Navigate, Outlet, Route, type RouteObject } from 'react-router';
import type { ComponentType, ReactNode } from 'react';
import Home from '../features/home';
import { PageNotFound } from '../ui/AreaRoutes';
import { pagePart, part, quietPart } from '../ui/part';
import { RequireRole } from '../ui/RequireRole';
import { ToastHost } from '../ui/toast';
import { RouterError } from './pages/Fallbacks';
import { isMissingPart } from '../core/parts';
import { AsOfClock } from '../core/as-of/clock';
import { paths } from '../core/paths';
import { RequireSession } from './RequireSession';
import { settingsSections } from './settings-sections';
import { Shell } from './shell/Shell';

type Feature = () => Promise<{ default: ComponentType }>;

/**
 * Loads a page while the previous one stays. The router would keep a failure forever, so on a failure it gets a page
 * that waits for its files instead.
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

/** Route of a single page, or with `/*` of an area that defines its own sub-routes. */
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
    import('../features/ssl-monitor'),
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
  return guarded(
    'admin',
    <Domains
      panels={panels}
      pages={pages}
      certificateCards={certificateCards}
      tabsOf={(domain) => [
        { id: 'traffic', label: 'Traffic', content: () => <SiteTraffic domain={domain} /> },
        { id: 'logs', label: 'Logs', content: () => <SiteLogs domain={domain} /> },
      ]}
    />,
  );
};

const Unfinished = quietPart(() =>
  import('../features/creations').then((all) => ({ default: all.Unfinished })),
);
const create = () => import('../features/creations').then(({ Create }) => ({ default: Create }));
const createDocker = () =>
  import('../features/creations').then(({ CreateDocker }) => ({ default: CreateDocker }));

const invitation = () =>
  import('../features/people').then(({ InvitationPage }) => ({ default: InvitationPage }));

const AlertBanner = quietPart(() =>
  import('../features/alerts').then((alerts) => ({ default: alerts.AlertBanner })),
);
const CredentialBanner = quietPart(() =>
  import('../features/credentials').then((credentials) => ({ default: credentials.CredentialBanner })),
);
const ResetNotice = quietPart(() =>
  import('../features/profile').then(({ ResetNotice: Notice }) => ({ default: Notice })),
);
const WaitingOnHome = quietPart(() =>
  import('../features/workflows').then((all) => ({ default: all.WaitingOnHome })),
);
const news = (
  <>
    <AlertBanner />
    <CredentialBanner />
  </>
);

const servers = async () => {
  const [{ default: Servers }, { serverTabs }] = await Promise.all([
    import('../features/servers'),
    import('./pages/server-tabs'),
  ]);
  return guarded('admin', <Servers tabs={serverTabs} />);
};

const Running = part(
  () => import('../features/deploys').then((all) => ({ default: all.Running })),
  'Loading what runs',
);

const products = async () => {
  const [{ default: Products }, { productTabs }] = await Promise.all([
    import('../features/products'),
    import('./pages/product-tabs'),
  ]);
  const pages = <Route path="running" element={guarded('admin', <Running />)} />;
  return guarded('member', <Products tabs={productTabs} pages={pages} />);
};

const CredentialsSection = part(
  () => import('../features/credentials').then((all) => ({ default: all.CredentialsSection })),
  'Loading the credentials',
);
const DnsSettings = part(
  () => import('../features/domains').then((all) => ({ default: all.DnsSettings })),
  'Loading the DNS settings',
);
const MonitorSettings = part(
  () => import('../features/ssl-monitor').then((all) => ({ default: all.MonitorSettings })),
  'Loading the settings of the SSL monitor',
);
const SiteTraffic = part(
  () => import('../features/metrics').then((all) => ({ default: all.SiteTraffic })),
  'Loading the traffic',
);
const SiteLogs = part(
  () => import('../features/logs').then((all) => ({ default: all.SiteLogs })),
  'Loading the logs',
);
const AlertSettings = part(
  () => import('../features/alerts').then((all) => ({ default: all.AlertSettings })),
  'Loading the settings of alerts',
);

const MailServerSettings = part(
  () => import('../features/mails').then((all) => ({ default: all.MailServerSettings })),
  'Loading the settings of the mail server',
);

const RegistriesSection = part(
  () => import('../features/registries').then((all) => ({ default: all.RegistriesSection })),
  'Loading the container registries',
);

const settings = async () => {
  const { default: Settings } = await import('../features/settings');
  return (
    <Settings
      listed={settingsSections}
      personal={{ 'source-host': <CredentialsSection /> }}
      workspace={{
        dns: (workspace) => <DnsSettings workspace={workspace} />,
        'ssl-monitor': (workspace) => <MonitorSettings workspace={workspace} />,
        alerts: (workspace) => <AlertSettings workspace={workspace} />,
        'mail-server': (workspace) => <MailServerSettings workspace={workspace} />,
        registries: () => <RegistriesSection />,
      }}
    />
  );
};

export const routes: RouteObject[] = [
  {
    // The notices contain links, so they must be inside the router.
    element: (
      <>
        <Outlet />
        <ToastHost />
      </>
    ),
    errorElement: <RouterError />,
    // Empty until the first page has loaded, which is too quick for a spinner.
    hydrateFallbackElement: <></>,
    children: [
      { path: '/', lazy: page(() => import('./pages/Landing')) },
      { path: '/login', lazy: page(() => import('./pages/Login')) },
      { path: '/invite', lazy: page(invitation) },
      { path: '/second-factor', lazy: page(() => import('./pages/SecondFactor')) },
      { path: '/logout', lazy: page(() => import('./pages/Logout')) },
      { path: '/sso/:ssoProvider/redirect', lazy: page(() => import('./pages/SsoRedirect')) },
      {
        element: (
          <RequireSession>
            <AsOfClock>
              <Shell news={news} ownNews={<ResetNotice />} />
            </AsOfClock>
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
                  { index: true, element: <Home waiting={<WaitingOnHome />} unfinished={<Unfinished />} /> },
                  { path: 'profile', lazy: page(() => import('../features/profile')) },
                  { path: 'profile/settings', lazy: whenLoaded(settings) },
                  { path: 'product/*', lazy: whenLoaded(products) },
                  feature('create/*', 'admin', create),
                  feature('create-docker/*', 'admin', createDocker),
                  { path: 'createDocker', element: <Navigate to={paths.createDocker()} replace /> },
                  feature('do/*', 'admin', () => import('../features/cloud')),
                  { path: 'domain/*', lazy: whenLoaded(domains) },
                  { path: 'server/*', lazy: whenLoaded(servers) },
                  feature('script/*', 'admin', () => import('../features/scripts')),
                  feature('schedule/*', 'admin', () => import('../features/schedules')),
                  feature('alert-channel/*', 'admin', () => import('../features/alert-channels')),
                  feature('alert-rule/*', 'admin', () => import('../features/alert-rules')),
                  feature('maintenance-window/*', 'admin', () => import('../features/maintenance-windows')),
                  feature('registry/*', 'admin', () => import('../features/registries')),
                  feature('request/*', 'admin', () => import('../features/requests')),
                  feature('fleet/*', 'admin', () => import('../features/fleet')),
                  feature('members/*', 'admin', () => import('../features/people')),
                  feature('history', 'admin', () => import('../features/history')),
                  feature('run/*', 'admin', () => import('../features/runs')),
                  feature('workflow/*', 'member', () => import('../features/workflows')),
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
