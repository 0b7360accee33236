/**
 * Maintenance of the read models, which serve every workspace: recorded in workspace `-`, so that who rebuilt what, and
 * when, stands in the log like everything else.
 *
 * Storage format: see `servers.events.ts`.
 */
import { z } from 'zod';
import { defineEvent } from './define-event';

const maintenance = z.uuid();

export const superadminEvents = {
  /** `readModel`: by name, or `all`. */
  MaintenanceRequested: defineEvent(
    z.object({ maintenance, kind: z.enum(['rebuild', 'verify']), readModel: z.string() }),
  ),
  /** A process began with it; again, when one ended in the middle. */
  MaintenanceStarted: defineEvent(z.object({ maintenance, attempt: z.int(), process: z.string() })),
  MaintenanceCancelRequested: defineEvent(z.object({ maintenance })),
  /** The new tables have taken the place of the old ones. */
  RebuildFinished: defineEvent(
    z.object({
      maintenance,
      readModels: z.array(z.string()),
      events: z.int(),
      durationMs: z.int(),
      /** So long the live read models waited for it. */
      heldMs: z.int(),
      /** Streams that could not be folded. */
      parked: z.int(),
    }),
  ),
  /** Folded anew beside, and compared row by row. */
  VerificationFinished: defineEvent(
    z.object({
      maintenance,
      events: z.int(),
      durationMs: z.int(),
      compared: z.array(
        z.object({
          readModel: z.string(),
          rows: z.int(),
          differing: z.int(),
          problem: z.string().optional(),
        }),
      ),
    }),
  ),
  MaintenanceFailed: defineEvent(z.object({ maintenance, reason: z.string() })),
  MaintenanceCancelled: defineEvent(z.object({ maintenance })),
  /** Of a stream that a read model has set aside; whether it was let in shows in the read model. */
  ParkedStreamRetryRequested: defineEvent(z.object({ readModel: z.string(), stream: z.string() })),
};

/** One piece of maintenance at a time, hence one stream. */
export const MAINTENANCE_ID = '00000000-0000-7000-8000-000000000000';
