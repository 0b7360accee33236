/**
 * Events about versions that were pushed to the source host and that a rule of a service has matched: one stream for each
 * version and rule. Its deploy has the same correlation. Deliveries that match no rule are rows, no events: strangers
 * decide how many there are.
 *
 * Storage format: see `servers.events.ts`.
 */
import { z } from 'zod';
import { defineEvent } from '@quarterdeck/log';
import { pushStarts } from './push-rules';

const named = z.object({ id: z.uuid(), name: z.string() });
const version = z.string();

export const pushEvents = {
  PushMatched: defineEvent(
    z.object({
      service: named,
      product: z.uuid(),
      rule: named,
      /** 1 dev, 2 test, 3 prod. */
      env: z.int(),
      starts: z.enum(pushStarts),
      /** Of the image, the package or the release. */
      version,
      branch: z.string(),
      /** Of a client: its npm name and version. */
      image: z.string(),
      /** Empty: the source host names none. */
      digest: z.string(),
      /** The account at the source host. */
      by: z.string(),
      /** `X-GitHub-Delivery` of the call. */
      delivery: z.string(),
      /** When it was published, by the source host. Absent: it does not say, and the arrival counts. */
      publishedAt: z.iso.datetime().optional(),
      /** The least role that approves it. Absent: it is deployed at once. */
      approval: z.enum(['admin', 'superadmin']).optional(),
    }),
  ),
  PushApproved: defineEvent(z.object({ version, note: z.string().optional() })),
  PushRefused: defineEvent(z.object({ version, note: z.string().optional() })),
  /** A newer version came while it waited. */
  PushReplaced: defineEvent(z.object({ version, newer: z.object({ push: z.uuid(), version }) })),
  /** Its rule or its service is gone, or switched off. */
  PushWithdrawn: defineEvent(z.object({ version, reason: z.string() })),
  /** `release`: the deploy, whose id is also that of its run. */
  PushDeployed: defineEvent(z.object({ version, release: z.uuid() })),
  PushFailed: defineEvent(z.object({ version, reason: z.string() })),
};

export const pushTokenEvents = {
  /** The secret is shown once and kept in the vault. Several may be valid while one is replaced. */
  PushTokenIssued: defineEvent(
    z.object({
      service: named,
      /** Of the secret. */
      fingerprint: z.string(),
      secret: z.object({ ref: z.uuid(), fingerprint: z.string() }),
    }),
  ),
  /** Recorded once a day, at the first use. */
  PushTokenUsed: defineEvent(z.object({ count: z.int() })),
  PushTokenRevoked: defineEvent(z.object({ fingerprint: z.string() })),
};
