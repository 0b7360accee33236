/** The calls about members and invitations; the list of people is everybody's and stands with `ui/actor`. */
import type { InvitationWay, Role } from '@quarterdeck/events';
import type { InvitationView } from '@quarterdeck/projections';
import { api, tagsOf } from '../../app/api';
import type { SessionValue } from '../../app/session-state';

export interface Invited {
  id: string;
  /** Of a link. It is told this once. */
  code?: string;
}

export interface Offer {
  role: Role;
  via: InvitationWay;
  login?: string;
  email?: string;
}

/** To what an invitation leads. */
export interface Invitation {
  instance: { uuid: string; name: string };
  role: Role;
  expiresAt: string;
}

const people = tagsOf('people');

const peopleApi = api.injectEndpoints({
  endpoints: (build) => ({
    changeRole: build.mutation<unknown, { id: string; role: Role }>({
      query: (body) => ({ url: '/person/role', body }),
      invalidatesTags: people,
    }),
    removePerson: build.mutation<unknown, { id: string }>({
      query: (body) => ({ url: '/person/remove', body }),
      invalidatesTags: people,
    }),
    forgetPerson: build.mutation<unknown, { id: string }>({
      query: (body) => ({ url: '/person/forget', body }),
      invalidatesTags: people,
    }),
    signOutPerson: build.mutation<unknown, { id: string }>({
      query: (body) => ({ url: '/person/sign-out', body }),
      invalidatesTags: people,
    }),
    invitations: build.query<InvitationView[], void>({
      query: () => ({ url: '/invitation/list', body: {} }),
      providesTags: people,
    }),
    invite: build.mutation<Invited, Offer>({
      query: (body) => ({ url: '/invitation/insert', body }),
      invalidatesTags: people,
    }),
    withdrawInvitation: build.mutation<unknown, { id: string }>({
      query: (body) => ({ url: '/invitation/withdraw', body }),
      invalidatesTags: people,
    }),
    lookAtInvitation: build.query<Invitation, string>({
      query: (code) => ({ url: '/invitation/look', body: { code } }),
    }),
    acceptInvitation: build.mutation<SessionValue, { code: string; name: string }>({
      query: (body) => ({ url: '/auth/invitation', body }),
    }),
  }),
});

export const {
  useChangeRoleMutation,
  useRemovePersonMutation,
  useForgetPersonMutation,
  useSignOutPersonMutation,
  useInvitationsQuery,
  useInviteMutation,
  useWithdrawInvitationMutation,
  useLookAtInvitationQuery,
  useAcceptInvitationMutation,
} = peopleApi;
