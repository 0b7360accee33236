/** Deploys of a service: its versions, and the record of what ran. */
import type { ReactNode } from 'react';
import { Route } from 'react-router';
import { AreaRoutes } from '../../ui/AreaRoutes';
import { DeployList } from './DeployList';
import { DeployPage } from './DeployPage';

interface DeploysProps {
  /** Address of the list. */
  base: string;
  service: { id: string; name: string };
  /** Shown above the list. */
  above?: ReactNode;
}

export const Deploys = ({ base, service, above }: DeploysProps) => (
  <AreaRoutes>
    <Route
      index
      element={
        <>
          {above}
          <DeployList service={service} />
        </>
      }
    />
    <Route path=":id" element={<DeployPage base={base} service={service} />} />
  </AreaRoutes>
);

export { Running } from './Running';
export { ServerDeploys } from './ServerDeploys';
export { VersionList } from './VersionList';
