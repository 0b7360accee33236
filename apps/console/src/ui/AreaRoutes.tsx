import { Button } from '@mantine/core';
import { IconMapOff } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link, Route, Routes } from 'react-router';
import { paths } from '../core/paths';
import { EmptyState } from './EmptyState';
import { usePageTitle } from './page-title';

export const ToHome = () => (
  <Button component={Link} to={paths.home()} variant="default">
    Back to home
  </Button>
);

export function PageNotFound() {
  usePageTitle('Page Not Found');
  return (
    <EmptyState page icon={IconMapOff} title="Page Not Found" action={<ToHome />}>
      No page has this address.
    </EmptyState>
  );
}

/** The pages of an area, given as `<Route>`s. Any other address below it is not found. */
export const AreaRoutes = ({ children }: { children: ReactNode }) => (
  <Routes>
    {children}
    <Route path="*" element={<PageNotFound />} />
  </Routes>
);
