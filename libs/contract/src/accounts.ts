/** The accounts at providers that a person can sign in with. */
import { signInProviders } from '@quarterdeck/events';
import { accountConnected, accountOf, nothing } from '@quarterdeck/events/inputs';
import { z } from 'zod';
import { address } from './answers';
import { calls } from './call';

const account = z.strictObject({ provider: z.enum(signInProviders), connectedAt: z.string() });
const connected = account.pick({ provider: true });

export const accounts = calls('account', 'member', {
  list: {
    summary: 'Your own accounts at sign-in providers',
    input: nothing,
    answer: z.array(account),
    shows: 'people',
    timeless: true,
  },
  connect: {
    summary: 'Address at the provider that proves another account is yours',
    input: accountOf,
    example: { provider: 'github' },
    answer: address,
    receipt: false,
  },
  connected: {
    summary: 'Connects the account that the provider has confirmed',
    input: accountConnected,
    example: {
      provider: 'github',
      state: 'state of the sign-in',
      code: 'code of the provider',
      iss: 'https://github.com',
    },
    answer: connected,
    stales: 'people',
  },
  disconnect: {
    summary: 'Disconnects one of your accounts; the last one cannot be disconnected',
    input: accountOf,
    example: { provider: 'google' },
    answer: connected,
    stales: 'people',
  },
});
