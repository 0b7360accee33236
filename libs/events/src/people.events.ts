/**
 * Who may do what. Name and e-mail are personal data and stand in the person's record, which can be forgotten while
 * the history stays; events know people by id.
 *
 * Storage format: see `servers.events.ts`.
 */
import { z } from 'zod';
import { defineEvent } from './define-event';
import { signInProviders } from './sign-in';

export const roles = ['member', 'admin', 'superadmin'] as const;
export type Role = (typeof roles)[number];
const role = z.enum(roles);
const provider = z.enum(signInProviders);

export const personEvents = {
  PersonJoined: defineEvent(z.object({ role })),
  PersonRoleChanged: defineEvent(z.object({ role })),
  SignInLinkIssued: defineEvent(z.object({ expiresAt: z.string() })),
  PersonSignedIn: defineEvent(z.object({ via: z.string() })),
  /** `sessions`: so many others of his own were ended from the one that he is in. */
  PersonSignedOut: defineEvent(z.object({ sessions: z.number().int().positive().optional() })),
  /** The name itself stands in the record. */
  PersonRenamed: defineEvent(z.object({})),
  /** By himself, and which account it is stands in `app.identities`. */
  AccountConnected: defineEvent(z.object({ provider })),
  AccountDisconnected: defineEvent(z.object({ provider })),
  PersonRemoved: defineEvent(z.object({})),
  /** Name, e-mail and identities are gone for good. */
  PersonForgotten: defineEvent(z.object({})),
};

/** How somebody who is invited shows that it is him. */
export const invitationWays = ['link', 'github', 'email'] as const;
export type InvitationWay = (typeof invitationWays)[number];

/** Whom it is for, a login or an e-mail, is personal data too and stands in `app.invitations`. */
export const invitationEvents = {
  InvitationIssued: defineEvent(z.object({ role, via: z.enum(invitationWays), expiresAt: z.string() })),
  InvitationWithdrawn: defineEvent(z.object({})),
  InvitationAccepted: defineEvent(z.object({ person: z.string() })),
};
