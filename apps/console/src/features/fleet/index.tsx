import { Route } from 'react-router';
import { AreaRoutes } from '../../ui/AreaRoutes';
import { pagePart } from '../../ui/part';
import { FleetPage } from './FleetPage';

const FleetRunPage = pagePart(() =>
  import('./FleetRunPage').then((page) => ({ default: page.FleetRunPage })),
);

export default function Fleet() {
  return (
    <AreaRoutes>
      <Route index element={<FleetPage />} />
      <Route path=":id" element={<FleetRunPage />} />
    </AreaRoutes>
  );
}
