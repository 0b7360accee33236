import { defineNoun } from './define-noun';
import type { credentialEvents } from './credentials.events';
import { credentialNames } from './placement-words';

export const credentials = defineNoun<typeof credentialEvents>()({
  category: 'credentials',
  words: { many: 'Credentials', one: 'Credentials of one person' },
  stale: ['credentials'],
  audience: 'admin',
  events: {
    CredentialStored: (d) =>
      `stored the ${credentialNames[d.key]}${d.secret.fingerprint ? ` ${d.secret.fingerprint}` : ''}`,
    CredentialRemoved: (d) => `removed the ${credentialNames[d.key]}`,
  },
});
