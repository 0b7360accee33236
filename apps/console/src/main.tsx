import './app/styles';
import { MantineProvider } from '@mantine/core';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Provider } from 'react-redux';
import { RouterProvider } from 'react-router/dom';
import { keepInstant } from './core/as-of/keep-instant';
import { createRouter } from './app/router';
import { createStore } from './app/store';
import { adoptTheme, theme } from './app/theme';

adoptTheme();

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');

const store = createStore();
const router = createRouter();
keepInstant(router, store);

createRoot(root).render(
  <StrictMode>
    <Provider store={store}>
      <MantineProvider
        theme={theme}
        defaultColorScheme="auto"
        withCssVariables={false}
        withGlobalClasses={false}
      >
        <RouterProvider router={router} />
      </MantineProvider>
    </Provider>
  </StrictMode>,
);
