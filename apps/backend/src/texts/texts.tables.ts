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
    {
      // A list is stored in parts, which are read one after the other. Older lists are one part.
      name: '049-text-import-parts',
      sql: `
        alter table app.text_imports add column part integer not null default 0;
        alter table app.text_imports drop constraint text_imports_pkey, add primary key (run, part)`,
    },
  ],
  rows: { 'app.text_imports': { kept: 'tables' } },
};
