/** What imports of texts are to do: a list that can be too long for an event. */
import type { Tables } from '../platform/database';

export const textsTables: Tables = {
  steps: [
    {
      // `edits`: JSON of `EditsByKey`. Not `jsonb`, which cannot hold all that texts contain, and orders keys anew.
      name: '039-text-imports',
      sql: `
        create table app.text_imports (
          run uuid primary key, workspace uuid not null, edits text not null,
          stored_at timestamptz not null default clock_timestamp())`,
    },
  ],
  rows: { 'app.text_imports': { kept: 'tables' } },
};
