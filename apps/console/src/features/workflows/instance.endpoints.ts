/** Instances of a workflow, which are too many for one answer. */
import { workflowInstances, type Answer, type Sent } from '@quarterdeck/contract';
import { api, tagsOf } from '../../core/api';
import { requestOf } from '../../core/calls';

type InstanceFilter = Omit<Sent<typeof workflowInstances.page>, 'before' | 'limit'>;

const instanceApi = api.injectEndpoints({
  endpoints: (build) => ({
    instances: build.infiniteQuery<Answer<typeof workflowInstances.page>, InstanceFilter, string | undefined>(
      {
        infiniteQueryOptions: {
          initialPageParam: undefined,
          getNextPageParam: (page) => page.next,
        },
        query: ({ queryArg, pageParam }) =>
          requestOf(workflowInstances.page, { ...queryArg, ...(pageParam && { before: pageParam }) }),
        providesTags: tagsOf('workflowInstances'),
      },
    ),
  }),
});

export const { useInstancesInfiniteQuery } = instanceApi;
