import { defineNoun } from './define-noun';
import type { invitationEvents, personEvents } from './people.events';
import { day, ofOthers, invited } from './placement-words';
import { providerNames } from './sign-in';

export const person = defineNoun<typeof personEvents>()({
  category: 'person',
  words: { many: 'People', one: 'One person' },
  rows: 'people',
  audience: 'admin',
  events: {
    PersonJoined: (d) => `joined as ${d.role}`,
    PersonRoleChanged: (d) => `became ${d.role}`,
    SignInLinkIssued: { stale: [], says: () => 'received a one-time sign-in link' },
    PersonSignedIn: (d) => `signed in with ${d.via}`,
    PersonSignedOut: (d) => `signed out${ofOthers(d.sessions)}`,
    PersonRenamed: () => 'changed their name',
    AccountConnected: (d) => `connected a ${providerNames[d.provider]} account`,
    AccountDisconnected: (d) => `disconnected the ${providerNames[d.provider]} account`,
    PersonRemoved: () => 'was removed from the workspace',
    PersonForgotten: () => 'was forgotten: name and e-mail were deleted',
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
