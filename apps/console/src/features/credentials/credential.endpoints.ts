import type { CredentialKey } from '@quarterdeck/events';
import type { CredentialValue, TokenValidity } from '@quarterdeck/projections';
import { api, tagsOf } from '../../app/api';

const credentialApi = api.injectEndpoints({
  endpoints: (build) => ({
    credential: build.query<CredentialValue, CredentialKey>({
      query: (key) => ({ url: `/profile/${key}/get` }),
      providesTags: tagsOf('credentials'),
    }),
    tokenValidity: build.query<TokenValidity, void>({
      query: () => ({ url: '/profile/token/validity' }),
      providesTags: tagsOf('credentials'),
    }),
    storeCredential: build.mutation<object, { key: CredentialKey; value: string }>({
      query: ({ key, value }) => ({ url: `/profile/${key}/update`, body: { value } }),
      invalidatesTags: tagsOf('credentials'),
    }),
    deleteCredential: build.mutation<object, CredentialKey>({
      query: (key) => ({ url: `/profile/${key}/delete` }),
      invalidatesTags: tagsOf('credentials'),
    }),
  }),
});

export const {
  useCredentialQuery,
  useTokenValidityQuery,
  useStoreCredentialMutation,
  useDeleteCredentialMutation,
} = credentialApi;
