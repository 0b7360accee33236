/**
 * Events about the tokens with which a product reads its own texts and notifications. Each token has its own stream.
 *
 * Storage format: see `servers.events.ts`.
 */
import { z } from 'zod';
import { defineEvent } from '@quarterdeck/log';

const fingerprint = z.string();

export const publicTokenEvents = {
  /** The token itself is shown once and not stored. `name`: of the product at that time. */
  PublicTokenIssued: defineEvent(
    z.object({ product: z.object({ id: z.uuid(), name: z.string() }), fingerprint }),
  ),
  /** Recorded once a day, at the first use. Other uses are only counted in the table of tokens. */
  PublicTokenUsed: defineEvent(z.object({ count: z.int() })),
  PublicTokenRevoked: defineEvent(z.object({ fingerprint })),
};
