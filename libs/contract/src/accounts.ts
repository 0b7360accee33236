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
    summary: 'The accounts at providers by which one signs in oneself',
    access: 'member',
    input: nothing,
    answer: z.array(account),
    shows: 'people',
    timeless: true,
  },
  connect: {
    summary: 'Where the browser goes to show that another account is one’s own',
    access: 'member',
    input: accountOf,
    answer: address,
    receipt: false,
  },
  connected: {
    summary: 'Connects the account with what the provider sent the browser back with',
    access: 'member',
    input: accountConnected,
    answer: connected,
    stales: 'people',
  },
  disconnect: {
    summary: 'One signs in by this account no more; the last one stays',
    access: 'member',
    input: accountOf,
    answer: connected,
    stales: 'people',
  },
});
