import { Route } from 'react-router';
import { AreaRoutes } from '../../ui/AreaRoutes';
import { RunListPage } from './RunListPage';
import { RunPage } from './RunPage';

export default function Runs() {
  return (
    <AreaRoutes>
      <Route index element={<RunListPage />} />
      <Route path=":id" element={<RunPage />} />
    </AreaRoutes>
  );
}
