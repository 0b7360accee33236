/** Calls about backups of the whole installation, for superadmins only. */
import { backupArchive, backupCancel, backupPlan, backupRequest, nothing } from '@quarterdeck/events/inputs';
import { backupsView } from '@quarterdeck/projections';
import { z } from 'zod';
import { empty } from './answers';
import { calls } from './call';
import { demo } from './demo';

const work = z.strictObject({ work: z.string() });

export const backups = calls('backup', 'superadmin', {
  overview: {
    summary: 'Plan of the backups, the archives, and what is under way',
    input: nothing,
    answer: backupsView,
    shows: [],
    volatile: true,
  },
  configure: {
    summary: 'Replaces the plan of the backups: target, schedule, what is kept, recipients',
    input: backupPlan,
    example: {
      target: { kind: 'folder', path: '/mnt/backups' },
      schedule: { at: '02:30' },
      keep: { days: 7, weeks: 4, months: 12 },
      recipients: [],
    },
    answer: empty,
  },
  try: {
    summary:
      'Lists the target of the plan, and writes, reads and deletes a small object there; the steps after one that fails are not tried',
    costs: 'waiting',
    input: nothing,
    answer: z.array(
      z.strictObject({
        does: z.enum(['list', 'write', 'read', 'delete']),
        ok: z.boolean(),
        /** Why it failed. */
        says: z.string(),
      }),
    ),
    stales: [],
    receipt: false,
  },
  take: {
    summary: 'Asks for a backup; while a drill is under way, it waits until the drill has ended',
    input: backupRequest,
    example: { full: true },
    answer: work,
  },
  drill: {
    summary: 'Asks for a drill: the newest archive is restored into a throw-away database and verified',
    input: nothing,
    answer: work,
  },
  cancel: {
    summary: 'Asks for the end of a backup or drill that is under way',
    input: backupCancel,
    example: { work: demo.backup },
    answer: work,
  },
  archive: {
    summary: 'One archive as a file, encrypted as it is',
    method: 'GET',
    costs: 'file',
    input: backupArchive,
    example: { archive: demo.archive },
    answer: z.unknown(),
    produces: ['application/octet-stream'],
    shows: [],
  },
  download: {
    summary:
      'The files for restoring an archive: a full archive as it is, an increment with all before it in a tar file',
    method: 'GET',
    costs: 'file',
    input: backupArchive,
    example: { archive: demo.archive },
    answer: z.unknown(),
    produces: ['application/octet-stream', 'application/x-tar'],
    shows: [],
  },
  release: {
    summary: 'After a restore: scheduled work begins again',
    input: nothing,
    answer: empty,
  },
});
