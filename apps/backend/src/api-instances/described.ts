/** An instance of a generated API in the terms of the specification. Pure. */
import type { DescribedApi } from '@quarterdeck/contract';
import type { apiInstance, oauthParam } from '@quarterdeck/events';
import type { ViewOf } from '@quarterdeck/projections';

export type OauthView = ViewOf<typeof oauthParam>;
export type InstanceView = ViewOf<typeof apiInstance> & { oAuthParams?: readonly OauthView[] };

/** Without secrets, of which views have only references. */
export const described = (view: InstanceView, endpointCount: number): DescribedApi => {
  const { id, name, product, title, description, env, email, github, firstName, lastName } = view;
  return {
    id,
    uuid: id,
    instance: { uuid: id, name },
    product: { id: product },
    title,
    description,
    env,
    version: view.revision + 1,
    options: { multiTenant: view.multiTenant },
    email,
    github,
    firstName,
    lastName,
    info: {
      uuid: id,
      servers: view.servers.map(({ url }) => ({ url })),
      oAuthParams: (view.oAuthParams ?? []).map((one) => ({
        uuid: one.id,
        service: one.service,
        clientId: one.clientId,
        redirectUrl: one.redirectUrl,
        options: { ...one.options },
      })),
    },
    endpointCount,
    addedAt: view.addedAt,
    changedAt: view.changedAt,
    revision: view.revision,
  };
};
