/**
 * What is recorded about backups, in workspace `-`: the plan and all work of the installation in one stream, and one
 * stream for each restore.
 *
 * Storage format: see `servers.events.ts`.
 */
import { z } from 'zod';
import { defineEvent } from './define-event';

const work = z.uuid();

export const backupEvents = {
  /** Replaces the whole plan. */
  BackupsConfigured: defineEvent(
    z.object({
      target: z.discriminatedUnion('kind', [
        /** Without a path: the folder `backups` in DATA_DIR. */
        z.object({ kind: z.literal('folder'), path: z.string().optional() }),
        z.object({
          kind: z.literal('s3'),
          endpoint: z.string(),
          region: z.string(),
          bucket: z.string(),
          /** Empty, or with a slash at its end. */
          prefix: z.string(),
          /** The bucket is in the path of the address, not in its host. */
          pathStyle: z.boolean(),
          accessKeyId: z.string(),
          /** In the vault, under workspace `-`. */
          secret: z.object({ ref: z.uuid(), fingerprint: z.string() }),
        }),
      ]),
      /** Every day at that time, `HH:MM` in UTC; null: only on demand. */
      schedule: z.object({ at: z.string() }).nullable(),
      /** How many archives are kept: the newest of each of the last days, weeks and months. */
      keep: z.object({ days: z.int(), weeks: z.int(), months: z.int() }),
      /** Public keys of age identities that can open the archives, apart from the console's own. */
      recipients: z.array(z.string()),
    }),
  ),
  BackupRequested: defineEvent(
    z.object({
      work,
      /** `migration`: taken by a newer version before it changed the database, and recorded afterwards. */
      why: z.enum(['operator', 'schedule', 'migration']),
      full: z.boolean(),
    }),
  ),
  /** A process began the work. Recorded again if a process died in the middle and another took over. */
  BackupStarted: defineEvent(
    z.object({ work, attempt: z.int(), process: z.string(), at: z.string().optional() }),
  ),
  BackupCancelRequested: defineEvent(z.object({ work })),
  /** The archive is whole and in its place. Its id is that of the work. */
  BackupTaken: defineEvent(
    z.object({
      work,
      /** The folder, or the address of the bucket, and the name of the file there. */
      place: z.string(),
      name: z.string(),
      base: z.uuid().nullable(),
      takenAt: z.string(),
      bytes: z.int(),
      /** Positions of the last event of the archive before, and of the last event in this one. */
      after: z.string(),
      end: z.string(),
      events: z.int(),
      /** Fingerprint of the master key that a restore needs. */
      masterKey: z.string(),
      durationMs: z.int(),
    }),
  ),
  BackupFailed: defineEvent(z.object({ work, at: z.string(), reason: z.string() })),
  /** With a reason when nobody cancelled it: a restored console has the record of work that the old one went on with. */
  BackupCancelled: defineEvent(z.object({ work, at: z.string().optional(), reason: z.string().optional() })),
  /** These archives will be removed: the plan no longer keeps them, and no kept archive needs them. */
  ArchivesThinned: defineEvent(z.object({ archives: z.array(z.uuid()) })),
  /** They were not found where they were put, or they are altered. */
  ArchivesMissed: defineEvent(z.object({ archives: z.array(z.uuid()) })),
  /** They had been missed, and are whole in their place again. */
  ArchivesReturned: defineEvent(z.object({ archives: z.array(z.uuid()) })),
  /** A drill restores the newest archive into a throw-away database, and verifies what came out. */
  DrillRequested: defineEvent(z.object({ work, why: z.enum(['operator', 'schedule']) })),
  DrillStarted: defineEvent(
    z.object({ work, attempt: z.int(), process: z.string(), at: z.string().optional() }),
  ),
  DrillCancelRequested: defineEvent(z.object({ work })),
  DrillPassed: defineEvent(
    z.object({
      work,
      at: z.string(),
      /** All that were restored, the full one first. */
      archives: z.array(z.uuid()).min(1),
      /** Of the last one: when it was taken, and the position of its last event. */
      takenAt: z.string(),
      end: z.string(),
      /** How many events were verified, and how many rows of tables and of read models. */
      events: z.int(),
      rows: z.int(),
      viewRows: z.int(),
      durationMs: z.int(),
    }),
  ),
  DrillFailed: defineEvent(z.object({ work, at: z.string(), reason: z.string() })),
  DrillCancelled: defineEvent(z.object({ work, at: z.string(), reason: z.string().optional() })),
};

/** One process of all does one piece of work at a time, so there is one stream. */
export const BACKUPS_ID = '00000000-0000-7000-8000-000000000000';

export const restorationEvents = {
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
