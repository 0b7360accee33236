/** What endpoints of an instance can name, kept up to date with the data model. */
import { apiModelOf, type ApiModel } from '@quarterdeck/api';
import { apiInstances } from '@quarterdeck/contract';
import { TENANT } from '@quarterdeck/events';
import { useMemo } from 'react';
import { useAnswer } from '../../core/calls';
import type { InstanceView } from './instance-view';

type Model = Parameters<typeof apiModelOf>[0];

/** Undefined until it has loaded. */
export const useApiModel = ({ product, env, multiTenant }: InstanceView): ApiModel | undefined => {
  const { data } = useAnswer(apiInstances.model, { product: { id: product }, env });
  return useMemo(
    () => data && apiModelOf(data as unknown as Model, data.dialect, multiTenant ? { tenant: TENANT } : {}),
    [data, multiTenant],
  );
};
