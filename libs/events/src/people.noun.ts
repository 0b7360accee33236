import { defineNoun } from './define-noun';
import type { invitationEvents, personEvents } from './people.events';
import { day, ofOthers, invited } from './placement-words';
import { proofNames, providerNames } from './sign-in';

const aFactor = {
  totp: `an ${proofNames.totp}`,
  passkey: `a ${proofNames.passkey}`,
  recovery: `a ${proofNames.recovery}`,
} as const;

export const person = defineNoun<typeof personEvents>()({
  category: 'person',
  words: { many: 'People', one: 'One person' },
  rows: 'people',
  audience: 'admin',
  events: {
    // Members are told when a name appears, changes or goes.
    PersonJoined: { audience: 'member', says: (d) => `joined as ${d.role}` },
    PersonRoleChanged: (d) => `became ${d.role}`,
    SignInLinkIssued: { stale: [], says: () => 'created a sign-in link' },
    PersonSignedIn: (d) => `signed in with ${d.via}`,
    PersonSignedOut: (d) => `signed out${ofOthers(d.sessions)}`,
    PersonRenamed: { audience: 'member', says: () => 'changed their name' },
    AccountConnected: (d) => `connected a ${providerNames[d.provider]} account`,
    AccountDisconnected: (d) => `disconnected the ${providerNames[d.provider]} account`,
    SecondFactorAdded: (d) =>
      `added a second factor: ${aFactor[d.kind]}${d.fingerprint === undefined ? '' : ` ${d.fingerprint}`}`,
    SecondFactorRenamed: (d) => `renamed the second factor: ${aFactor[d.kind]}`,
    SecondFactorRemoved: (d) => `removed a second factor: ${aFactor[d.kind]}`,
    SecondFactorGiven: { stale: [], says: (d) => `gave the second factor: ${aFactor[d.kind]}` },
    RecoveryCodesGenerated: (d) => `made ${d.count} recovery codes; earlier ones no longer work`,
    RecoveryCodeUsed: (d) => `used a recovery code: ${d.left} left`,
    SecondFactorCleared: () => 'lost the second factor: all factors and recovery codes were removed',
    PersonRemoved: () => 'was removed from the workspace',
    PersonForgotten: { audience: 'member', says: () => 'was forgotten: name and e-mail were deleted' },
  },
});

export const invitation = defineNoun<typeof invitationEvents>()({
  category: 'invitation',
  words: { many: 'Invitations', one: 'One invitation' },
  stale: ['people'],
  audience: 'admin',
  events: {
    InvitationIssued: (d) => `invited a new ${d.role} by ${invited[d.via]}, valid until ${day(d.expiresAt)}`,
    InvitationWithdrawn: () => 'withdrew the invitation',
    InvitationAccepted: () => 'accepted the invitation',
  },
});
