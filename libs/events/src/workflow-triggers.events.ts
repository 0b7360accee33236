/**
 * Events about the tokens with which webhooks start instances of a workflow. Each token has its own stream. The events of
 * triggers themselves come from the kit.
 *
 * Storage format: see `servers.events.ts`.
 */
import { z } from 'zod';
import { defineEvent } from '@quarterdeck/log';

export const workflowTokenEvents = {
  /** Token and signing secret are shown once. The token is not stored; the secret is in the vault. */
  WorkflowTokenIssued: defineEvent(
    z.object({
      trigger: z.object({ id: z.uuid(), name: z.string() }),
      fingerprint: z.string(),
      secret: z.object({ ref: z.uuid(), fingerprint: z.string() }),
    }),
  ),
  /** Recorded once a day, at the first use. Other uses are only counted in the table of tokens. */
  WorkflowTokenUsed: defineEvent(z.object({ count: z.int() })),
  WorkflowTokenRevoked: defineEvent(z.object({ fingerprint: z.string() })),
};
