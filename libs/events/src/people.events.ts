/**
 * Who may do what. Name and e-mail are personal data and stand in the person's record, which can be forgotten while
 * the history stays; events know people by id.
 *
 * Storage format: see `servers.events.ts`.
 */
import { z } from 'zod';
import { defineEvent } from './define-event';

export const roles = ['member', 'admin', 'superadmin'] as const;
export type Role = (typeof roles)[number];
const role = z.enum(roles);

export const personEvents = {
  PersonJoined: defineEvent(z.object({ role })),
  PersonRoleChanged: defineEvent(z.object({ role })),
  SignInLinkIssued: defineEvent(z.object({ expiresAt: z.string() })),
  PersonSignedIn: defineEvent(z.object({ via: z.string() })),
  PersonSignedOut: defineEvent(z.object({})),
};
