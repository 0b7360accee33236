/** The versions of the data model of a product. */
import { Route } from 'react-router';
import { AreaRoutes } from '../../ui/AreaRoutes';
import { VersionList } from './VersionList';
import { VersionPage } from './VersionPage';

interface VersionsProps {
  /** The address of the list. */
  base: string;
  product: { id: string; name: string };
}

export const Versions = ({ base, product }: VersionsProps) => (
  <AreaRoutes>
    <Route path=":id/edit" element={<VersionPage base={base} product={product} />} />
    <Route index element={<VersionList base={base} product={product.id} />} />
  </AreaRoutes>
);
