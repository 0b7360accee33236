/** The generated API of a product: instances, their endpoints, and how their users sign in. */
import { Route } from 'react-router';
import type { ProductAreaProps } from '../../records/kit';
import { AreaRoutes } from '../../ui/AreaRoutes';
import { EndpointPage } from './EndpointPage';
import { InitPage } from './InitPage';
import { InstanceCards } from './InstanceCards';
import { InstancePage, NotFound } from './InstancePage';

export const ApiInstances = (props: ProductAreaProps) => (
  <AreaRoutes>
    <Route index element={<InstanceCards {...props} />} />
    <Route path="add" element={<InitPage {...props} />} />
    <Route path="detail" element={<NotFound says="uuid param undefined" base={props.base} />} />
    <Route path=":id/detail/*" element={<InstancePage {...props} />} />
    <Route path=":id/add" element={<EndpointPage {...props} />} />
    <Route path=":id/:endpoint/detail" element={<EndpointPage {...props} />} />
  </AreaRoutes>
);
