/**
 * Events about people and their roles. They contain only ids of people. Name and e-mail are personal data and are kept
 * in the person's record, which can be forgotten while the history stays.
 *
 * Storage format: see `servers.events.ts`.
 */
import { z } from 'zod';
import { defineEvent } from '@quarterdeck/log';
import { roles, type Role } from './roles';
import { factorKinds, proofKinds, signInProviders } from './sign-in';

export { roles, type Role };

const role = z.enum(roles);
const provider = z.enum(signInProviders);

export const personEvents = {
  PersonJoined: defineEvent(z.object({ role })),
  PersonRoleChanged: defineEvent(z.object({ role })),
  SignInLinkIssued: defineEvent(z.object({ expiresAt: z.string() })),
  PersonSignedIn: defineEvent(z.object({ via: z.string() })),
  /** `sessions`: how many of their other sessions the person ended. Absent when they signed out. */
  PersonSignedOut: defineEvent(z.object({ sessions: z.number().int().positive().optional() })),
  /** The name itself is in the person's record. */
  PersonRenamed: defineEvent(z.object({})),
  /** The person connected an account. `app.identities` says which account it is. */
  AccountConnected: defineEvent(z.object({ provider })),
  AccountDisconnected: defineEvent(z.object({ provider })),
  /**
   * `factor`: id of the row that has its name, and for an authenticator app, of the secret in the vault. `fingerprint`:
   * of a passkey's public key.
   */
  SecondFactorAdded: defineEvent(
    z.object({ factor: z.uuid(), kind: z.enum(factorKinds), fingerprint: z.string().optional() }),
  ),
  /** The name itself is in the row: people write their own names into it. */
  SecondFactorRenamed: defineEvent(z.object({ factor: z.uuid(), kind: z.enum(factorKinds) })),
  SecondFactorRemoved: defineEvent(z.object({ factor: z.uuid(), kind: z.enum(factorKinds) })),
  SecondFactorGiven: defineEvent(z.object({ kind: z.enum(proofKinds) })),
  /** Replaces all earlier codes. */
  RecoveryCodesGenerated: defineEvent(z.object({ count: z.int().positive() })),
  RecoveryCodeUsed: defineEvent(z.object({ left: z.int().nonnegative() })),
  /** Somebody else removed all factors and codes, because they were lost. */
  SecondFactorCleared: defineEvent(z.object({})),
  PersonRemoved: defineEvent(z.object({})),
  /** Name, e-mail and identities are deleted for good. */
  PersonForgotten: defineEvent(z.object({})),
};

/** How an invited person proves that the invitation is theirs. */
export const invitationWays = ['link', 'github', 'email'] as const;
export type InvitationWay = (typeof invitationWays)[number];

/** The invited login or e-mail is personal data too, so it is kept in `app.invitations`. */
export const invitationEvents = {
  InvitationIssued: defineEvent(z.object({ role, via: z.enum(invitationWays), expiresAt: z.string() })),
  InvitationWithdrawn: defineEvent(z.object({})),
  InvitationAccepted: defineEvent(z.object({ person: z.string() })),
};
