import type { backupEvents, restorationEvents } from './backups.events';
import { defineNoun } from './define-noun';
import { seconds } from './placement-words';

const archives = ({ length }: readonly unknown[]): string =>
  length === 1 ? '1 archive' : `${length} archives`;
const MB = 1_000_000;

export const backup = defineNoun<typeof backupEvents>()({
  category: 'backup',
  stale: [],
  audience: 'superadmin',
  events: {
    BackupsConfigured: (d) =>
      d.schedule === null
        ? 'turned scheduled backups off'
        : `scheduled a backup every day at ${d.schedule.at} UTC`,
    BackupRequested: (d) =>
      d.why === 'migration'
        ? 'requested a backup before this version changed the database'
        : `requested a ${d.full ? 'full ' : ''}backup`,
    BackupStarted: (d) => `started a backup in ${d.process}${d.attempt > 1 ? `, attempt ${d.attempt}` : ''}`,
    BackupCancelRequested: () => 'requested to cancel the backup',
    BackupTaken: (d) =>
      `took a backup up to position ${d.end}: ${d.base === null ? 'full' : 'increment'}, ${(d.bytes / MB).toFixed(1)} MB in ${seconds(d.durationMs)}`,
    BackupFailed: (d) => `failed to take a backup: ${d.reason}`,
    BackupCancelled: (d) =>
      d.reason === undefined
        ? 'cancelled the backup; no archive was made'
        : `closed the record of a backup: ${d.reason}`,
    ArchivesThinned: (d) => `removed ${archives(d.archives)} that the plan no longer keeps`,
    ArchivesNotRemoved: (d) =>
      d.archives.length === 0
        ? 'removed what could not be removed before'
        : `could not remove ${archives(d.archives)} that the plan no longer keeps: ${d.reason}`,
    ArchivesMissed: (d) => `found ${archives(d.archives)} missing or damaged`,
    ArchivesReturned: (d) => `found ${archives(d.archives)} again`,
    DrillRequested: () => 'requested a restore drill',
    DrillStarted: (d) =>
      `started a restore drill in ${d.process}${d.attempt > 1 ? `, attempt ${d.attempt}` : ''}`,
    DrillCancelRequested: () => 'requested to cancel the restore drill',
    DrillPassed: (d) =>
      `restored and verified the backup of ${d.takenAt} up to position ${d.end}: ${archives(d.archives)}, ${d.events} events in ${seconds(d.durationMs)}`,
    DrillFailed: (d) => `failed to restore the newest backup in a drill: ${d.reason}`,
    DrillCancelled: (d) =>
      d.reason === undefined
        ? 'cancelled the restore drill'
        : `closed the record of a restore drill: ${d.reason}`,
  },
});

export const restoration = defineNoun<typeof restorationEvents>()({
  category: 'restoration',
  stale: [],
  audience: 'superadmin',
  events: {
    ConsoleRestored: (d) =>
      `restored from the backup of ${d.takenAt}${d.upTo === undefined ? '' : `, up to ${d.upTo}`}`,
    ScheduledWorkReleased: () => 'resumed scheduled work',
  },
});
