/**
 * Events about the e-mails of products, and about the tokens with which products send them in. They hold sizes, hashes and
 * ids, and no address and no text: those are in `app.emails` only, which forgets them.
 *
 * Storage format: see `servers.events.ts`.
 */
import { z } from 'zod';
import { defineEvent } from '@quarterdeck/log';

/** Of the whole message. */
const content = { bytes: z.int(), sha256: z.string() };

export const emailEvents = {
  EmailRecorded: defineEvent(
    z.object({
      product: z.uuid(),
      source: z.enum(['smtp', 'webhook', 'console', 'resend']),
      /** The token that it was sent in with. */
      token: z.uuid().optional(),
      /** The e-mail that this one repeats. */
      resentFrom: z.uuid().optional(),
      ...content,
    }),
  ),
  /** `problem`: why only its source can be shown. */
  EmailParsed: defineEvent(
    z.object({ attachments: z.int(), problem: z.enum(['malformed', 'tooMuch']).optional() }),
  ),
  /** Only an e-mail that was written in the console is ever changed. */
  EmailRevised: defineEvent(z.object(content)),
  /** Its content is gone for good. `because`: absent if somebody deleted it. */
  EmailRemoved: defineEvent(
    z.object({ because: z.enum(['retention', 'forgotten']).optional(), days: z.int().optional() }),
  ),
};

export const mailTokenEvents = {
  /** Token and signing secret are shown once. The token is not stored; the secret is in the vault. */
  MailTokenIssued: defineEvent(
    z.object({
      product: z.object({ id: z.uuid(), name: z.string() }),
      fingerprint: z.string(),
      secret: z.object({ ref: z.uuid(), fingerprint: z.string() }),
    }),
  ),
  /** Recorded once a day, at the first use. Other uses are only counted in the table of tokens. */
  MailTokenUsed: defineEvent(z.object({ count: z.int() })),
  MailTokenRevoked: defineEvent(z.object({ fingerprint: z.string() })),
};
