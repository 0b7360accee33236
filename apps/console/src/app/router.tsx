/** Which address shows what. Features are loaded when they are first shown; what they have in common is put together here. */
import type { Role } from '@quarterdeck/events';
import { createBrowserRouter, Navigate, Outlet, type RouteObject } from 'react-router';
import type { ComponentType, ReactNode } from 'react';
import { ToastHost } from '../ui/toast';
import { PageNotFound, RequireRole, RouterError } from './pages/Fallbacks';
import Home from './pages/Home';
import { NotYet } from './pages/NotYet';
import Profile from './pages/Profile';
import { paths } from './paths';
import { RequireSession } from './RequireSession';
import { Shell } from './shell/Shell';

type Feature = () => Promise<{ default: ComponentType }>;

const page = (load: Feature) => async () => ({ Component: (await load()).default });

const guarded = (role: Role, pages: ReactNode): { element: ReactNode } => ({
  element: <RequireRole least={role}>{pages}</RequireRole>,
});

const feature = (path: string, role: Role, load: Feature): RouteObject => ({
  path: `${path}/*`,
  lazy: async () => {
    const { default: Pages } = await load();
    return guarded(role, <Pages />);
  },
});

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
      { path: '/logout', lazy: page(() => import('./pages/Logout')) },
      {
        element: (
          <RequireSession>
            <Shell />
          </RequireSession>
        ),
        children: [
          {
            errorElement: <RouterError framed />,
            children: [
              { path: '/superadmin/*', ...guarded('superadmin', <NotYet section="superadmin" />) },
              {
                path: '/app',
                children: [
                  { index: true, element: <Home /> },
                  { path: 'profile', element: <Profile /> },
                  { path: 'profile/settings', lazy: page(() => import('./pages/Settings')) },
                  { path: 'product/*', element: <NotYet section="product" /> },
                  { path: 'domain/*', ...guarded('admin', <NotYet section="domain" />) },
                  { path: 'do/*', ...guarded('admin', <NotYet section="cloud" />) },
                  feature('server', 'admin', () => import('../features/servers')),
                  feature('script', 'admin', () => import('../features/scripts')),
                  feature('fleet', 'admin', () => import('../features/fleet')),
                  feature('history', 'admin', () => import('../features/history')),
                  feature('run', 'admin', () => import('../features/runs')),
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
