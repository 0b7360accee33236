/**
 * Maintenance of the read models, which serve every workspace. It is recorded in workspace `-`, so the log shows who
 * rebuilt what and when.
 *
 * Storage format: see `servers.events.ts`.
 */
import { z } from 'zod';
import { defineEvent } from '@quarterdeck/log';

const maintenance = z.uuid();

export const superadminEvents = {
  /** `readModel`: its name, or `all`. */
  MaintenanceRequested: defineEvent(
    z.object({ maintenance, kind: z.enum(['rebuild', 'verify']), readModel: z.string() }),
  ),
  /** A process began the work. Recorded again if a process died in the middle and another took over. */
  MaintenanceStarted: defineEvent(z.object({ maintenance, attempt: z.int(), process: z.string() })),
  MaintenanceCancelRequested: defineEvent(z.object({ maintenance })),
  /** The new tables have replaced the old ones. */
  RebuildFinished: defineEvent(
    z.object({
      maintenance,
      readModels: z.array(z.string()),
      events: z.int(),
      durationMs: z.int(),
      /** How long the live read models were paused for it. */
      heldMs: z.int(),
      /** Number of streams that could not be folded. */
      parked: z.int(),
    }),
  ),
  /** The read model was folded again into separate tables and compared row by row. */
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
  /** A retry of a stream that a read model has set aside. The read model shows whether it succeeded. */
  ParkedStreamRetryRequested: defineEvent(z.object({ readModel: z.string(), stream: z.string() })),
};

/** Only one piece of maintenance runs at a time, so there is one stream. */
export const MAINTENANCE_ID = '00000000-0000-7000-8000-000000000000';
