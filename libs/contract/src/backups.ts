/** Calls about backups of the whole installation, for superadmins only. */
import { backupArchive, backupCancel, backupPlan, backupRequest, nothing } from '@quarterdeck/events/inputs';
import { backupsView } from '@quarterdeck/projections';
import { z } from 'zod';
import { empty } from './answers';
import { calls } from './call';

const work = z.strictObject({ work: z.string() });

export const backups = calls('backup', {
  overview: {
    summary: 'Plan of the backups, the archives, and what is under way',
    access: 'superadmin',
    input: nothing,
    answer: backupsView,
    shows: [],
    volatile: true,
  },
  configure: {
    summary: 'Replaces the plan of the backups: target, schedule, what is kept, recipients',
    access: 'superadmin',
    input: backupPlan,
    answer: empty,
  },
  take: {
    summary: 'Asks for a backup; while a drill is under way, it waits until the drill has ended',
    access: 'superadmin',
    input: backupRequest,
    answer: work,
  },
  drill: {
    summary: 'Asks for a drill: the newest archive is restored into a throw-away database and verified',
    access: 'superadmin',
    input: nothing,
    answer: work,
  },
  cancel: {
    summary: 'Asks for the end of a backup or drill that is under way',
    access: 'superadmin',
    input: backupCancel,
    answer: work,
  },
  archive: {
    summary: 'One archive as a file, encrypted as it is',
    access: 'superadmin',
    method: 'GET',
    costs: 'file',
    input: backupArchive,
    answer: z.unknown(),
    produces: ['application/octet-stream'],
    shows: [],
  },
  download: {
    summary:
      'The files for restoring an archive: a full archive as it is, an increment with all before it in a tar file',
    access: 'superadmin',
    method: 'GET',
    costs: 'file',
    input: backupArchive,
    answer: z.unknown(),
    produces: ['application/octet-stream', 'application/x-tar'],
    shows: [],
  },
  release: {
    summary: 'After a restore: scheduled work begins again',
    access: 'superadmin',
    input: nothing,
    answer: empty,
  },
});
