/** Answers about backups, for superadmins. Their contents come from the log and the archives. */
import { catalogue } from '@quarterdeck/events/catalogue';
import { z } from 'zod';

const taken = catalogue.BackupTaken.schema.shape;

export const archiveView = z.strictObject({
  id: z.string(),
  /** `place`: the folder or the URL of the bucket. `name`: the file in it. */
  place: taken.place,
  name: taken.name,
  /** The archive that has to be restored before this one; null for a full one. */
  base: z.string().nullable(),
  takenAt: z.string(),
  bytes: z.number(),
  after: z.string(),
  end: z.string(),
  events: z.number(),
  /** Fingerprint of the master key that a restore needs. */
  masterKey: z.string(),
  durationMs: z.number(),
  /** The archive is missing from the backup target, or was altered. */
  missing: z.boolean(),
  /** When it was last restored in a drill that passed. */
  provenAt: z.string().optional(),
  /** A newer version took the backup before it migrated the database, so that operators can go back. */
  beforeMigration: z.literal(true).optional(),
});
export interface ArchiveView extends z.infer<typeof archiveView> {}

export const backupPlanView = z.strictObject({
  target: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('folder'), path: z.string().optional() }),
    z.strictObject({
      kind: z.literal('s3'),
      endpoint: z.string(),
      region: z.string(),
      bucket: z.string(),
      prefix: z.string(),
      pathStyle: z.boolean(),
      accessKeyId: z.string(),
      storageClass: z.string().optional(),
      encryption: z.enum(['AES256', 'aws:kms']).optional(),
      encryptionKey: z.string().optional(),
      ca: z.string().optional(),
      secret: z.strictObject({ fingerprint: z.string() }),
      session: z.strictObject({ fingerprint: z.string() }).optional(),
    }),
  ]),
  schedule: z.strictObject({ at: z.string() }).nullable(),
  keep: z.strictObject({ days: z.number(), weeks: z.number(), months: z.number() }),
  recipients: z.array(z.string()),
});

export const backupsView = z
  .strictObject({
    plan: backupPlanView,
    target: z.strictObject({
      /** The folder, or the URL of the bucket. */
      name: z.string(),
      /** The target is in DATA_DIR, so it would be lost together with the console. */
      besideConsole: z.boolean(),
    }),
    /** The recipient derived from the master key, with which the console can decrypt its own archives. */
    own: z.string(),
    current: z
      .strictObject({
        work: z.string(),
        kind: z.enum(['backup', 'drill']),
        why: catalogue.BackupRequested.schema.shape.why,
        full: z.boolean(),
        /** How many processes have begun it. */
        attempts: z.number(),
        cancelRequested: z.boolean(),
        /** When the first process began it. */
        startedAt: z.string().optional(),
        progress: z.strictObject({ part: z.string(), bytes: z.number() }).optional(),
      })
      .optional(),
    /** A backup that begins when the current drill has ended. */
    waiting: z
      .strictObject({ work: z.string(), why: catalogue.BackupRequested.schema.shape.why, full: z.boolean() })
      .optional(),
    /** Newest first. */
    archives: z.array(archiveView),
    /** The last failure, if no backup was taken since. */
    failed: z.strictObject({ at: z.string(), reason: z.string() }).optional(),
    /** The last drill that passed. */
    proven: z
      .strictObject({
        at: z.string(),
        /** How many archives were restored one after the other. */
        archives: z.number(),
        takenAt: z.string(),
        end: z.string(),
        events: z.number(),
        rows: z.number(),
        viewRows: z.number(),
        durationMs: z.number(),
      })
      .optional(),
    /** The last drill, if it failed. */
    drillFailed: z
      .strictObject({
        at: z.string(),
        reason: z.string(),
        /** An archive of the chain is damaged, or restored something else. */
        damaged: z.literal(true).optional(),
      })
      .optional(),
    /** The next backup is a full one. */
    fullWanted: z.boolean(),
    /** Archives that the plan no longer keeps, and that could not be removed, for each place that has any. */
    notRemoved: z.array(
      z.strictObject({ place: z.string(), names: z.array(z.string()), reason: z.string() }),
    ),
    /** The console was restored, and scheduled work is paused until somebody releases it. */
    restored: z
      .strictObject({
        takenAt: z.string(),
        position: z.string(),
        /** The point up to which the operator restored. */
        upTo: z.string().optional(),
        sessions: z.number(),
        links: z.number(),
        runs: z.number(),
      })
      .optional(),
  })
  .meta({ id: 'Backups' });
export interface BackupsView extends z.infer<typeof backupsView> {}
