/**
 * Events about a person's stored credentials for the source-code host. Both values are in the vault: the token is a
 * secret, and the user name is personal data, which can be forgotten while the history stays.
 *
 * Storage format: see `servers.events.ts`.
 */
import { z } from 'zod';
import { defineEvent } from '@quarterdeck/log';

export const credentialKeys = ['gh-username', 'gh-token'] as const;
export type CredentialKey = (typeof credentialKeys)[number];
const key = z.enum(credentialKeys);

export const credentialEvents = {
  /** `fingerprint`: of the token only. A user name could be guessed from its fingerprint. */
  CredentialStored: defineEvent(
    z.object({ key, secret: z.object({ ref: z.uuid(), fingerprint: z.string().optional() }) }),
  ),
  CredentialRemoved: defineEvent(z.object({ key })),
};
