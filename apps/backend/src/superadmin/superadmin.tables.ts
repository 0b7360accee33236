/** Processes of this installation. */
import type { Tables } from '../platform/database';

export const superadminTables: Tables = {
  steps: [
    {
      // Each process updates its own row every two seconds.
      name: '009-processes',
      sql: `
        create table app.processes (
          id uuid primary key, host text not null, pid integer not null, version text not null,
          started_at timestamptz not null, leading_since timestamptz, seen_at timestamptz not null)`,
    },
  ],
  rows: { 'app.processes': { leftOut: 'of processes that are alive' } },
};
