/**
 * Events about backups, in workspace `-`. One stream has the plan and all backups and drills of the installation. Each
 * restore has its own stream.
 *
 * Storage format: see `servers.events.ts`.
 */
import { z } from 'zod';
import { defineEvent } from '@quarterdeck/log';

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
          /** The URL has the bucket in its path, not in its host. */
          pathStyle: z.boolean(),
          accessKeyId: z.string(),
          /** Of new objects, such as `STANDARD_IA`. */
          storageClass: z.string().optional(),
          /** By the server: with its own key, or with one of its key service. */
          encryption: z.enum(['AES256', 'aws:kms']).optional(),
          /** Of the key service. Absent: the default key of the account. */
          encryptionKey: z.string().optional(),
          /** PEM of authorities that the console trusts in addition to the usual ones. */
          ca: z.string().optional(),
          /** Reference to the secret key in the vault, under workspace `-`. */
          secret: z.object({ ref: z.uuid(), fingerprint: z.string() }),
          /** The same, of the token of a key that is valid for a time. */
          session: z.object({ ref: z.uuid(), fingerprint: z.string() }).optional(),
        }),
      ]),
      /** `at`: daily time of the backup, `HH:MM` in UTC. Null: only on demand. */
      schedule: z.object({ at: z.string() }).nullable(),
      /** Retention: keeps the newest archive of each of the last `days`, `weeks` and `months`. */
      keep: z.object({ days: z.int(), weeks: z.int(), months: z.int() }),
      /** Public keys of the age identities that can decrypt the archives, besides the console's own. */
      recipients: z.array(z.string()),
    }),
  ),
  BackupRequested: defineEvent(
    z.object({
      work,
      /** `migration`: a newer version took the backup before it migrated the database, and recorded it afterwards. */
      why: z.enum(['operator', 'schedule', 'migration']),
      full: z.boolean(),
    }),
  ),
  /** A process began the work. Recorded again if a process died in the middle and another took over. */
  BackupStarted: defineEvent(
    z.object({ work, attempt: z.int(), process: z.string(), at: z.string().optional() }),
  ),
  BackupCancelRequested: defineEvent(z.object({ work })),
  /** The complete archive is in the backup target. Its id is that of the work. */
  BackupTaken: defineEvent(
    z.object({
      work,
      /** `place`: the folder or the URL of the bucket. `name`: the file in it. */
      place: z.string(),
      name: z.string(),
      base: z.uuid().nullable(),
      takenAt: z.string(),
      bytes: z.int(),
      /** Positions of the last event in the previous archive and in this one. */
      after: z.string(),
      end: z.string(),
      events: z.int(),
      /** Fingerprint of the master key that a restore needs. */
      masterKey: z.string(),
      durationMs: z.int(),
    }),
  ),
  BackupFailed: defineEvent(z.object({ work, at: z.string(), reason: z.string() })),
  /** `reason`: set if nobody cancelled it. A restored console ends the work during which its archive was made. */
  BackupCancelled: defineEvent(z.object({ work, at: z.string().optional(), reason: z.string().optional() })),
  /**
   * These archives were deleted: the plan no longer keeps them, and no kept archive depends on them. Earlier versions
   * recorded it before they deleted them.
   */
  ArchivesThinned: defineEvent(z.object({ archives: z.array(z.uuid()) })),
  /** These archives are missing from the backup target, or were altered. */
  ArchivesMissed: defineEvent(z.object({ archives: z.array(z.uuid()) })),
  /** These archives were missing or altered, and are complete again. */
  ArchivesReturned: defineEvent(z.object({ archives: z.array(z.uuid()) })),
  /** The plan no longer keeps these archives, and they could not be deleted. Replaces the last such event of the place. */
  ArchivesNotRemoved: defineEvent(
    z.object({
      place: z.string(),
      archives: z.array(z.object({ id: z.uuid(), name: z.string() })),
      /** Empty if there are none any more. */
      reason: z.string(),
    }),
  ),
  /** A drill restores the newest archive into a temporary database, and verifies the result. */
  DrillRequested: defineEvent(z.object({ work, why: z.enum(['operator', 'schedule']) })),
  DrillStarted: defineEvent(
    z.object({ work, attempt: z.int(), process: z.string(), at: z.string().optional() }),
  ),
  DrillCancelRequested: defineEvent(z.object({ work })),
  DrillPassed: defineEvent(
    z.object({
      work,
      at: z.string(),
      /** All restored archives, the full one first. */
      archives: z.array(z.uuid()).min(1),
      /** When the last archive was taken, and the position of its last event. */
      takenAt: z.string(),
      end: z.string(),
      /** Numbers of verified events, table rows and read model rows. */
      events: z.int(),
      rows: z.int(),
      viewRows: z.int(),
      durationMs: z.int(),
    }),
  ),
  DrillFailed: defineEvent(
    z.object({
      work,
      at: z.string(),
      reason: z.string(),
      /** An archive of the chain is damaged, or restored something else: none may be continued. */
      damaged: z.literal(true).optional(),
    }),
  ),
  DrillCancelled: defineEvent(z.object({ work, at: z.string(), reason: z.string().optional() })),
};

/** Only one backup or drill runs at a time in the installation, so there is one stream. */
export const BACKUPS_ID = '00000000-0000-7000-8000-000000000000';

export const restorationEvents = {
  /** A console was restored from an archive that contains all events before this one. */
  ConsoleRestored: defineEvent(
    z.object({
      archive: z.uuid(),
      takenAt: z.string(),
      /** Position of the archive's last event in the original log. */
      position: z.string(),
      /** The point up to which the operator restored. */
      upTo: z.string().optional(),
      /** Version of the console that took the backup. */
      version: z.string(),
      /** How many sessions, links and runs from the time of the backup were ended. */
      sessions: z.int(),
      links: z.int(),
      runs: z.int(),
    }),
  ),
  /** Somebody confirmed that the old console is stopped, so scheduled work starts again. */
  ScheduledWorkReleased: defineEvent(z.object({})),
};
