/** What imports into data models have found and are to record: a list that can be too long for an event. */
import type { Tables } from '../platform/database';

export const importsTables: Tables = {
  steps: [
    {
      // `edits` and `left_out`: JSON. Not `jsonb`: they are read as a whole. `recorded`: how many of the tables.
      name: '056-model-imports',
      sql: `
        create table app.model_imports (
          run uuid primary key, workspace uuid not null, edits text not null, left_out text not null,
          tables integer not null, recorded integer not null default 0,
          stored_at timestamptz not null default clock_timestamp())`,
    },
  ],
  rows: { 'app.model_imports': { kept: 'tables' } },
};
