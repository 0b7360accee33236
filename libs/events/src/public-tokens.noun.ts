import { defineNoun } from './define-noun';
import type { publicTokenEvents } from './public-tokens.events';

export const publicToken = defineNoun<typeof publicTokenEvents>()({
  category: 'publictoken',
  words: { many: 'Product tokens', one: 'One product token' },
  rows: 'publicTokens',
  within: 'product',
  audience: 'admin',
  named: { PublicTokenIssued: (d) => `token of ${d.product.name}` },
  events: {
    PublicTokenIssued: (d) => `issued a token for ${d.product.name}`,
    PublicTokenUsed: () => 'read texts or notifications, for the first time that day',
    PublicTokenRevoked: (d) => `revoked the token ${d.fingerprint}`,
  },
  removedBy: 'PublicTokenRevoked',
});
