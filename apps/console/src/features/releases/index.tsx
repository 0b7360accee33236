/** Deploys of a service: its versions, and the record of what ran. */
import { Route } from 'react-router';
import { AreaRoutes } from '../../ui/AreaRoutes';
import { ReleaseList } from './ReleaseList';
import { ReleasePage } from './ReleasePage';

interface ReleasesProps {
  /** Address of the list. */
  base: string;
  service: { id: string; name: string };
}

export const Releases = ({ base, service }: ReleasesProps) => (
  <AreaRoutes>
    <Route index element={<ReleaseList service={service} />} />
    <Route path=":id" element={<ReleasePage base={base} service={service} />} />
  </AreaRoutes>
);

export { Running } from './Running';
export { ServerReleases } from './ServerReleases';
export { VersionList } from './VersionList';
