/** Users of an instance, which are too many for one answer. */
import { apiInstances, type Answer, type Sent } from '@quarterdeck/contract';
import { api, tagsOf } from '../../core/api';
import { requestOf } from '../../core/calls';

type UserFilter = Omit<Sent<typeof apiInstances.listUsers>, 'after' | 'limit'>;

const userApi = api.injectEndpoints({
  endpoints: (build) => ({
    apiUsers: build.infiniteQuery<Answer<typeof apiInstances.listUsers>, UserFilter, string | undefined>({
      infiniteQueryOptions: {
        initialPageParam: undefined,
        getNextPageParam: (page) => page.next,
      },
      query: ({ queryArg, pageParam }) =>
        requestOf(apiInstances.listUsers, {
          ...queryArg,
          ...(pageParam !== undefined && { after: pageParam }),
        }),
      providesTags: tagsOf('apiInstances'),
    }),
  }),
});

export const { useApiUsersInfiniteQuery } = userApi;
