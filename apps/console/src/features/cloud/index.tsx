/** Machines, databases and domains at a cloud provider. */
import { Route } from 'react-router';
import { AreaRoutes } from '../../ui/AreaRoutes';
import { CloudPage } from './CloudPage';

export default function Cloud() {
  return (
    <AreaRoutes>
      <Route index element={<CloudPage />} />
    </AreaRoutes>
  );
}
