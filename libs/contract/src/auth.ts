/** Signing in and out. Answers under `auth/` set the session cookie. */
import { signInProviders } from '@quarterdeck/events';
import {
  instanceExists,
  invitationAccept,
  providerCallback,
  providerUrl,
  signInByLink,
} from '@quarterdeck/events/inputs';
import { z } from 'zod';
import { address, empty, ignored, instance, signedIn } from './answers';
import { calls } from './call';

const provider = z.strictObject({ name: z.enum(signInProviders), label: z.string() });

export const auth = calls('auth', 'public', {
  link: {
    summary: 'Signs in with the code of a one-time link',
    input: signInByLink,
    example: { code: 'code of the link' },
    answer: signedIn,
    receipt: false,
    timeless: true,
  },
  logout: {
    summary: 'Signs out',
    access: 'member',
    method: 'GET',
    input: ignored,
    answer: empty,
    timeless: true,
    lacking: ['due', 'missing'],
  },
  signOut: {
    summary: 'Signs out',
    access: 'member',
    path: 'logout',
    input: ignored,
    answer: empty,
    receipt: false,
    timeless: true,
    lacking: ['due', 'missing'],
  },
  exists: {
    summary: 'Finds a workspace by its name',
    method: 'GET',
    path: 'instance/exists',
    input: instanceExists,
    example: { instance: 'acme' },
    answer: instance,
    shows: [],
    timeless: true,
  },
  providers: {
    summary: 'Sign-in providers of this installation, the source host first',
    method: 'GET',
    input: ignored,
    answer: z.array(provider),
    shows: [],
    timeless: true,
  },
  url: {
    summary: 'Address at the provider for signing in or up',
    method: 'GET',
    path: 'sso/:provider/url',
    input: providerUrl,
    example: { provider: 'github', instance: 'acme' },
    answer: address,
    timeless: true,
  },
  redirect: {
    summary: 'Signs in with the answer of the provider',
    method: 'GET',
    path: 'sso/:provider/redirect',
    input: providerCallback,
    example: { provider: 'github', state: 'state of the sign-in', code: 'code of the provider' },
    answer: signedIn,
    timeless: true,
  },
  invitation: {
    summary: 'Accepts an invitation by link when there is no provider',
    input: invitationAccept,
    example: { code: 'code of the invitation', name: 'Ada Marsh' },
    answer: signedIn,
    receipt: false,
    timeless: true,
  },
});
