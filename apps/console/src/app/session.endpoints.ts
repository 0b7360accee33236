import type { AccountView, SessionView, SignInProvider } from '@quarterdeck/events';
import { api, tagsOf } from './api';
import type { SessionValue } from './session-state';

/** A provider that the installation has set up. */
export interface ProviderView {
  name: SignInProvider;
  label: string;
}

const sessions = tagsOf('people');

export const sessionApi = api.injectEndpoints({
  endpoints: (build) => ({
    session: build.query<SessionValue, void>({ query: () => '/session' }),
    signInByLink: build.mutation<SessionValue, { code: string }>({
      query: (body) => ({ url: '/auth/link', body }),
    }),
    instanceExists: build.mutation<{ uuid: string; name: string }, string>({
      query: (instance) => ({ url: `/auth/instance/exists?instance=${encodeURIComponent(instance)}` }),
    }),
    /** None where one signs in by one-time links. */
    providers: build.query<ProviderView[], void>({ query: () => '/auth/providers' }),
    /** Where the browser goes to sign in to the workspace of that name, or up when there is none. */
    providerAddress: build.mutation<{ url: string }, { provider: SignInProvider; instance: string }>({
      query: ({ provider, instance }) => ({
        url: `/auth/sso/${provider}/url?${new URLSearchParams({ instance }).toString()}`,
      }),
    }),
    /** `params`: what the provider put behind the address, as far as the server wants to know it. */
    signInByProvider: build.mutation<SessionValue, { provider: string; params: URLSearchParams }>({
      query: ({ provider, params }) => ({
        url: `/auth/sso/${encodeURIComponent(provider)}/redirect?${params.toString()}`,
      }),
    }),
    signOut: build.mutation<unknown, void>({ query: () => ({ url: '/auth/logout', method: 'POST' }) }),
    ownSessions: build.query<SessionView[], void>({
      query: () => ({ url: '/session/list', body: {} }),
      providesTags: sessions,
    }),
    revokeSession: build.mutation<unknown, { id: string }>({
      query: (body) => ({ url: '/session/revoke', body }),
      invalidatesTags: sessions,
    }),
    revokeOtherSessions: build.mutation<{ ended: number }, void>({
      query: () => ({ url: '/session/revoke-others', body: {} }),
      invalidatesTags: sessions,
    }),
    ownAccounts: build.query<AccountView[], void>({
      query: () => ({ url: '/account/list', body: {} }),
      providesTags: sessions,
    }),
    /** Where the browser goes to, to show that another account is one's own. */
    connectAccount: build.mutation<{ url: string }, { provider: SignInProvider }>({
      query: (body) => ({ url: '/account/connect', body }),
    }),
    /** With what the provider put behind the address. */
    accountConnected: build.mutation<unknown, Record<string, string>>({
      query: (body) => ({ url: '/account/connected', body }),
      invalidatesTags: sessions,
    }),
    disconnectAccount: build.mutation<unknown, { provider: SignInProvider }>({
      query: (body) => ({ url: '/account/disconnect', body }),
      invalidatesTags: sessions,
    }),
  }),
});

export const {
  useSignInByLinkMutation,
  useInstanceExistsMutation,
  useProvidersQuery,
  useProviderAddressMutation,
  useOwnSessionsQuery,
  useRevokeSessionMutation,
  useRevokeOtherSessionsMutation,
  useOwnAccountsQuery,
  useConnectAccountMutation,
  useDisconnectAccountMutation,
} = sessionApi;
