/** One value of two, by its key: each has calls of its own. */
import { ghToken, ghUsername } from '@quarterdeck/contract';
import type { CredentialKey } from '@quarterdeck/events';

export const callsOf = { 'gh-username': ghUsername, 'gh-token': ghToken } satisfies Record<
  CredentialKey,
  unknown
>;
