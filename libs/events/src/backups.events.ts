/**
 * What is recorded when the installation is restored from a backup, in workspace `-`: one stream a restore.
 *
 * Storage format: see `servers.events.ts`.
 */
import { z } from 'zod';
import { defineEvent } from './define-event';

export const backupEvents = {
  /** From here on the log is that of a restored console. Everything before was in the archive. */
  ConsoleRestored: defineEvent(
    z.object({
      archive: z.uuid(),
      takenAt: z.string(),
      /** Position of the last event, at the place where the backup was taken. */
      position: z.string(),
      /** Where the restore was told to stop. */
      upTo: z.string().optional(),
      /** That took the backup. */
      version: z.string(),
      /** How many ended because they were of the time of the backup. */
      sessions: z.int(),
      links: z.int(),
      runs: z.int(),
    }),
  ),
  /** Somebody has seen to it that the old console no longer acts: scheduled work begins again. */
  ScheduledWorkReleased: defineEvent(z.object({})),
};
