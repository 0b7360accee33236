/** What a node can name: requests, services and other workflows. */
import { callsOf, products } from '@quarterdeck/contract';
import { request, workflow } from '@quarterdeck/events';
import { useMemo } from 'react';
import { useAnswer } from '../../core/calls';
import { choicesOf } from '../../ui/choice';
import type { Lists } from './node-form';

interface Named {
  id: string;
  name: string;
}

const requests = choicesOf({
  page: callsOf(request).page,
  detail: callsOf(request).detail,
  sort: 'name',
  labelOf: ({ name }: Named) => name,
  one: 'request',
});
const workflows = choicesOf({
  page: callsOf(workflow).page,
  detail: callsOf(workflow).detail,
  sort: 'name',
  labelOf: ({ name }: Named) => name,
  one: 'workflow',
});

export const useLists = (): Lists => {
  const { data } = useAnswer(products.listWServices);
  return useMemo(
    () => ({
      requests,
      workflows,
      services: (data ?? []).flatMap(({ name: product, services }) =>
        services.map(({ id, name }) => ({ value: id, label: `${product}: ${name}` })),
      ),
    }),
    [data],
  );
};
