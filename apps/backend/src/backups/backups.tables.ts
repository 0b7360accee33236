/** Progress of running backups. */
import type { Tables } from '../platform/database';

export const backupsTables: Tables = {
  steps: [
    {
      name: '016-backups',
      sql: `create unlogged table app.backup_progress (work uuid primary key, part text not null, bytes bigint not null)`,
    },
  ],
  rows: { 'app.backup_progress': { leftOut: 'of work that is under way' } },
};
