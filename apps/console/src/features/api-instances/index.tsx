/** The generated API of a product: instances, their endpoints, and how their users sign in. */
import { Route } from 'react-router';
import type { ProductAreaProps } from '../../records/kit';
import { AreaRoutes } from '../../ui/AreaRoutes';
import { part } from '../../ui/part';
import { InstanceCards } from './InstanceCards';

const EndpointPage = part(
  () => import('./EndpointPage').then((all) => ({ default: all.EndpointPage })),
  'Loading the endpoint',
);
const InitPage = part(
  () => import('./InitPage').then((all) => ({ default: all.InitPage })),
  'Loading the form',
);
const InstancePage = part(
  () => import('./InstancePage').then((all) => ({ default: all.InstancePage })),
  'Loading the instance',
);
const NotFound = part(
  () => import('./InstancePage').then((all) => ({ default: all.NotFound })),
  'Loading the instance',
);

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
