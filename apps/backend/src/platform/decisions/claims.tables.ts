/** Names that only one thing can hold at a time. */
import type { Tables } from '../database';

export const claimsTables: Tables = {
  steps: [
    {
      name: '003-claims-and-receipts',
      sql: `
        create table app.claims (
          scope text not null, key text not null, holder text not null,
          claimed_at timestamptz not null default clock_timestamp(), primary key (scope, key))`,
    },
  ],
  rows: { 'app.claims': { leftOut: 'made again from the log before anything is served' } },
};
