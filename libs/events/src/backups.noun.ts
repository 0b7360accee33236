import type { backupEvents } from './backups.events';
import { defineNoun } from './define-noun';

export const restoration = defineNoun<typeof backupEvents>()({
  category: 'restoration',
  stale: [],
  audience: 'superadmin',
  events: {
    ConsoleRestored: (d) =>
      `restored from the backup of ${d.takenAt}${d.upTo === undefined ? '' : `, up to ${d.upTo}`}`,
    ScheduledWorkReleased: () => 'let scheduled work begin again',
  },
});
