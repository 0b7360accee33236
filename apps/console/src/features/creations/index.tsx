/** The create wizard and the container flow. */
import type { CreationKind } from '@quarterdeck/events';
import { Route } from 'react-router';
import { AreaRoutes } from '../../ui/AreaRoutes';
import { CreationPage, NewCreation } from './CreationPage';

export { Unfinished } from './Unfinished';

const Area = ({ kind }: { kind: CreationKind }) => (
  <AreaRoutes>
    <Route index element={<NewCreation kind={kind} />} />
    <Route path=":id" element={<CreationPage kind={kind} />} />
  </AreaRoutes>
);

export const Create = () => <Area kind="product" />;
export const CreateDocker = () => <Area kind="container" />;
