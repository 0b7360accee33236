/** A person's credentials for the source-code host. People can only reach their own. */
import type { CredentialKey } from '@quarterdeck/events';
import { credentialValue } from '@quarterdeck/events/inputs';
import { credentialValue as storedValue, tokenValidity } from '@quarterdeck/projections';
import { empty, ignored } from './answers';
import { calls } from './call';

const callsOf = (key: CredentialKey, what: string, example: { value: string }) =>
  calls(`profile/${key}`, 'member', {
    get: {
      summary: `Your own ${what}; empty when none is stored or it cannot be read`,
      method: 'GET',
      input: ignored,
      answer: storedValue,
      shows: 'credentials',
      timeless: true,
    },
    update: {
      summary: `Stores your own ${what}`,
      input: credentialValue[key],
      example,
      answer: empty,
      stales: 'credentials',
    },
    delete: {
      summary: `Removes your own ${what}`,
      method: 'GET',
      input: ignored,
      answer: empty,
      stales: 'credentials',
    },
  });

export const ghUsername = callsOf('gh-username', 'user name at the source-code host', { value: 'octocat' });
export const ghToken = callsOf('gh-token', 'token of the source-code host, masked', {
  value: 'ghp_0123456789',
});

export const storedToken = calls('profile/token', 'member', {
  validity: {
    summary: 'The answer of the source host about the stored token, checked every few hours',
    method: 'GET',
    input: ignored,
    answer: tokenValidity,
    shows: 'credentials',
    timeless: true,
  },
});
