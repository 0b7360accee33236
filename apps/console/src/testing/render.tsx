/** Renders pages with the real store, router and theme; only animations are off. */
import { MantineProvider } from '@mantine/core';
import { configure, getConfig, render } from '@testing-library/react';
import { act, type ReactNode } from 'react';
import { Provider } from 'react-redux';
import { createMemoryRouter, RouterProvider, type RouteObject } from 'react-router';
import { sessionStarted, type SessionValue } from '../core/session-state';
import { createStore } from '../app/store';
import { theme } from '../app/theme';
import { ConfirmHost } from '../ui/confirm';
import { UndoHost } from '../records/history/UndoHost';
import { ToastHost } from '../ui/toast';

export const sessionOf = (...permissions: string[]): SessionValue => ({
  profile: {
    id: '01930000-0000-7000-8000-000000000500',
    firstName: 'Ada',
    lastName: 'Marsh',
    email: 'ada@example.org',
    instance: { uuid: '01930000-0000-7000-8000-000000000999', name: 'harbour' },
    permissions,
    locale: 'en',
  },
  permissions,
  locale: 'en',
  instance: { uuid: '01930000-0000-7000-8000-000000000999', name: 'harbour' },
  version: '0.5.14',
});

configure(({ getElementError }) => ({
  // Printing the whole page is slow, so it is skipped while a query is retried; only the last failure prints it.
  getElementError: (message, container) => {
    const { _disableExpensiveErrorDiagnostics: repeats } = getConfig() as {
      _disableExpensiveErrorDiagnostics?: boolean;
    };
    if (!repeats) return getElementError(message, container);
    return Object.assign(new Error(message ?? ''), { name: 'TestingLibraryElementError' });
  },
}));

// jsdom has no layout and does not implement scrolling.
window.scrollTo = () => undefined;
Element.prototype.scrollIntoView = () => undefined;

interface Options {
  at?: string;
  session?: SessionValue;
}

export const renderRoutes = (routes: RouteObject[], { at = '/', session }: Options = {}) => {
  const store = createStore();
  if (session) store.dispatch(sessionStarted(session));
  const router = createMemoryRouter(routes, { initialEntries: [at] });
  const view = render(
    <Provider store={store}>
      <MantineProvider theme={theme} env="test" withCssVariables={false} withGlobalClasses={false}>
        <RouterProvider router={router} />
      </MantineProvider>
    </Provider>,
  );
  /** Like a link: does not wait for a confirmation that may block the navigation. */
  const go = (to: string): Promise<void> => act(async () => void router.navigate(to));
  return { ...view, store, router, go };
};

interface PageOptions extends Options {
  /** Routes besides the page under test. */
  others?: RouteObject[];
}

/** Renders one page at every address, with the hosts of dialogs, undo and toasts. */
export const renderPage = (page: ReactNode, { others = [], ...options }: PageOptions = {}) =>
  renderRoutes(
    [
      ...others,
      {
        path: '*',
        element: (
          <>
            {page}
            <ConfirmHost />
            <UndoHost />
            <ToastHost />
          </>
        ),
      },
    ],
    options,
  );
