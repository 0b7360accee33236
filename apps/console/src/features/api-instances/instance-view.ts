import type { apiInstance, endpoint } from '@quarterdeck/events';
import type { ViewOf } from '@quarterdeck/projections';

export type InstanceView = ViewOf<typeof apiInstance>;
export type EndpointView = ViewOf<typeof endpoint>;

/** Page of an endpoint. `base`: the path of the list of instances. */
export const endpointPath = (base: string, instance: string, id: string): string =>
  `${base}/${instance}/${id}/detail`;

export const DELETE_INSTANCE =
  'Are you sure you would like to delete the user management. This will delete all associated users irreversibly!';
