/**
 * A message to a channel: about alerts that belong together and arose together, later about their end, or a test. The
 * schedule of its deliveries is in its events, so the end of a process loses none.
 *
 * Storage format: see `servers.events.ts`.
 */
import { z } from 'zod';
import { defineEvent } from '@quarterdeck/log';

const attempt = z.int();
const durationMs = z.int();

export const alertMessageEvents = {
  AlertMessageQueued: defineEvent(
    z.object({
      channel: z.object({ id: z.uuid(), name: z.string() }),
      is: z.enum(['raised', 'test']),
      /**
       * `raisedAt` tells an alert from one with the same id that was raised again. `moment`: when its rule says that it is
       * told; absent from older messages.
       */
      alerts: z.array(
        z.object({ id: z.string(), raisedAt: z.string(), moment: z.iso.datetime().optional() }),
      ),
      /** The rules that cover these alerts. Absent if none does. */
      rules: z.array(z.object({ id: z.uuid(), name: z.string() })).optional(),
    }),
  ),
  /** Recorded before the receiver is called: without an outcome, it is not known whether the message arrived. */
  AlertMessageAttempted: defineEvent(z.object({ attempt })),
  /** `says`: what the receiver answered. */
  AlertMessageDelivered: defineEvent(z.object({ attempt, durationMs, says: z.string() })),
  AlertMessageFailed: defineEvent(
    z.object({
      attempt,
      durationMs,
      reason: z.string(),
      /** Absent after the last attempt. */
      nextAt: z.iso.datetime().optional(),
      /** Until then the receiver wants no message at all. Absent from older events. */
      restsUntil: z.iso.datetime().optional(),
    }),
  ),
  /** All alerts of the message are over. `tells`: this is sent to the channel too, and its attempts count from 1 again. */
  AlertMessageEnded: defineEvent(z.object({ tells: z.boolean(), reason: z.string() })),
};
