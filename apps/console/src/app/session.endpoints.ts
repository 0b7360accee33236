import { api } from './api';
import type { SessionValue } from './session-state';

export const sessionApi = api.injectEndpoints({
  endpoints: (build) => ({
    session: build.query<SessionValue, void>({ query: () => '/session' }),
    signInByLink: build.mutation<SessionValue, { code: string }>({
      query: (body) => ({ url: '/auth/link', body }),
    }),
    instanceExists: build.mutation<{ uuid: string; name: string }, string>({
      query: (instance) => ({ url: `/auth/instance/exists?instance=${encodeURIComponent(instance)}` }),
    }),
    signOut: build.mutation<unknown, void>({ query: () => ({ url: '/auth/logout', method: 'POST' }) }),
  }),
});

export const { useSignInByLinkMutation, useInstanceExistsMutation } = sessionApi;
