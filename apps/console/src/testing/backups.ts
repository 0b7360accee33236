/** The server's view of backups before the first one was taken. */
import type { BackupsView } from '@quarterdeck/projections';

export const backupsView: BackupsView = {
  plan: {
    target: { kind: 'folder' },
    schedule: { at: '02:30' },
    keep: { days: 7, weeks: 4, months: 12 },
    recipients: [],
  },
  target: { name: '/var/lib/quarterdeck/backups', besideConsole: true },
  own: 'age1own',
  archives: [],
  fullWanted: false,
  notRemoved: [],
};
