/** Deploys of a service: its versions, and the record of what ran. */
import { Route } from 'react-router';
import { AreaRoutes } from '../../ui/AreaRoutes';
import { DeployList } from './DeployList';
import { DeployPage } from './DeployPage';

interface DeploysProps {
  /** Address of the list. */
  base: string;
  service: { id: string; name: string };
}

export const Deploys = ({ base, service }: DeploysProps) => (
  <AreaRoutes>
    <Route index element={<DeployList service={service} />} />
    <Route path=":id" element={<DeployPage base={base} service={service} />} />
  </AreaRoutes>
);

export { Running } from './Running';
export { ServerDeploys } from './ServerDeploys';
export { VersionList } from './VersionList';
