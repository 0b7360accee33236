/** Pages as the browser shows them: real store, real router, real theme; only animations are off. */
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

// On a busy machine a moment is long; a failure then takes long too, but means something.
configure(({ getElementError }) => ({
  asyncUtilTimeout: 120_000,
  // While a query is repeated, nobody reads the print of the whole page. The last failure prints it.
  getElementError: (message, container) => {
    const { _disableExpensiveErrorDiagnostics: repeats } = getConfig() as {
      _disableExpensiveErrorDiagnostics?: boolean;
    };
    if (!repeats) return getElementError(message, container);
    return Object.assign(new Error(message ?? ''), { name: 'TestingLibraryElementError' });
  },
}));

// jsdom has no layout, and so nowhere to scroll to.
window.scrollTo = () => undefined;
Element.prototype.scrollIntoView = () => undefined;

interface Options {
  at?: string;
  session?: SessionValue;
  /** Other pages than the one under test. */
  others?: RouteObject[];
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
  /** As a link does: without waiting for a question that may stand in the way. */
  const go = (to: string): Promise<void> => act(async () => void router.navigate(to));
  return { ...view, store, router, go };
};

/** One page at every address, with what it is a part of. */
export const renderPage = (page: ReactNode, options: Options = {}) =>
  renderRoutes(
    [
      ...(options.others ?? []),
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
