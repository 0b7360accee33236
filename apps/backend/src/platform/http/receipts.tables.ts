/** Answers of commands, for a client that repeats one. */
import type { Tables } from '../database';

export const receiptsTables: Tables = {
  steps: [
    {
      name: '003-claims-and-receipts',
      sql: `
        create table app.command_receipts (
          workspace text not null, actor text not null, key uuid not null, request bytea not null,
          worker uuid, working_until timestamptz, status integer, answer jsonb, headers jsonb,
          expires_at timestamptz not null, primary key (workspace, actor, key));
        create index on app.command_receipts (expires_at)`,
    },
  ],
  rows: {
    // Nobody repeats a call that an earlier process left unanswered.
    'app.command_receipts': { kept: 'tables', only: 'status is not null and expires_at > now()' },
  },
};
