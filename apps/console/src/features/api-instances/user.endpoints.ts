/** Users of an instance, which are too many for one answer. */
import { apiUsers, type Answer, type Sent } from '@quarterdeck/contract';
import { api, tagsOf } from '../../core/api';
import { requestOf } from '../../core/calls';

type UserFilter = Omit<Sent<typeof apiUsers.list>, 'after' | 'limit'>;

const userApi = api.injectEndpoints({
  endpoints: (build) => ({
    apiUsers: build.infiniteQuery<Answer<typeof apiUsers.list>, UserFilter, string | undefined>({
      infiniteQueryOptions: {
        initialPageParam: undefined,
        getNextPageParam: (page) => page.next,
      },
      query: ({ queryArg, pageParam }) =>
        requestOf(apiUsers.list, {
          ...queryArg,
          ...(pageParam !== undefined && { after: pageParam }),
        }),
      providesTags: tagsOf('apiInstances'),
    }),
  }),
});

export const { useApiUsersInfiniteQuery } = userApi;
