/**
 * An alert is raised once each time a certificate comes under a threshold, and goes to the banner and to the webhook.
 *
 * Storage format: see `servers.events.ts`.
 */
import { z } from 'zod';
import { defineEvent } from './define-event';

export const alertEvents = {
  AlertRaised: defineEvent(
    z.object({
      subject: z.object({ kind: z.string(), id: z.uuid(), name: z.string() }),
      /**
       * What it is about; `test` was sent by an operator to see whether it arrives, `foreignEvents` are in the log and
       * not of this console.
       */
      about: z.enum(['certificateExpiry', 'foreignEvents', 'test']),
      /** In days. */
      threshold: z.int().optional(),
      notAfter: z.iso.datetime().optional(),
      says: z.string(),
    }),
  ),
  /** The certificate was renewed, or its domain is gone. */
  AlertResolved: defineEvent(z.object({ reason: z.string() })),
  AlertDismissed: defineEvent(z.object({})),
  AlertDelivered: defineEvent(z.object({ attempt: z.int(), status: z.int(), durationMs: z.int() })),
  AlertDeliveryFailed: defineEvent(
    z.object({
      attempt: z.int(),
      status: z.int().optional(),
      reason: z.string(),
      durationMs: z.int(),
      /** Absent: this was the last attempt. */
      nextAt: z.iso.datetime().optional(),
    }),
  ),
};
