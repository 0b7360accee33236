import { lazy } from 'react';
import { Route } from 'react-router';
import { AreaRoutes } from '../../ui/AreaRoutes';
import { FleetPage } from './FleetPage';

const FleetRunPage = lazy(() => import('./FleetRunPage').then((page) => ({ default: page.FleetRunPage })));

export default function Fleet() {
  return (
    <AreaRoutes>
      <Route index element={<FleetPage />} />
      <Route path=":id" element={<FleetRunPage />} />
    </AreaRoutes>
  );
}
