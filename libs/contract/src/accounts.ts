/** The accounts at providers that a person can sign in with. */
import { signInProviders } from '@quarterdeck/events';
import { accountConnected, accountOf, nothing } from '@quarterdeck/events/inputs';
import { z } from 'zod';
import { address } from './answers';
import { calls } from './call';

const account = z.strictObject({ provider: z.enum(signInProviders), connectedAt: z.string() });
const connected = account.pick({ provider: true });

export const accounts = calls('account', {
  list: {
    summary: 'Your own accounts at sign-in providers',
    access: 'member',
    input: nothing,
    answer: z.array(account),
    shows: 'people',
    timeless: true,
  },
  connect: {
    summary: 'Address at the provider that proves another account is yours',
    access: 'member',
    input: accountOf,
    answer: address,
    receipt: false,
  },
  connected: {
    summary: 'Connects the account that the provider has confirmed',
    access: 'member',
    input: accountConnected,
    answer: connected,
    stales: 'people',
  },
  disconnect: {
    summary: 'Disconnects one of your accounts; the last one cannot be disconnected',
    access: 'member',
    input: accountOf,
    answer: connected,
    stales: 'people',
  },
});
