/** The calls for each of the two values, by key. */
import { ghToken, ghUsername } from '@quarterdeck/contract';
import type { CredentialKey } from '@quarterdeck/events';

export const callsOf = { 'gh-username': ghUsername, 'gh-token': ghToken } satisfies Record<
  CredentialKey,
  unknown
>;
