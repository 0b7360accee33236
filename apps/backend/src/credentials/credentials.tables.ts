/** Answers of source hosts about tokens. */
import type { Tables } from '../platform/database';

export const credentialsTables: Tables = {
  steps: [
    {
      // The source host's last answer about a token (`facts`, at `checked_at`), why there was none since then, and when
      // to ask again.
      name: '011-token-checks',
      sql: `
        create table app.token_checks (
          workspace text not null, ref uuid not null, facts jsonb, checked_at timestamptz, problem text,
          next_at timestamptz not null, primary key (workspace, ref))`,
    },
  ],
  rows: { 'app.token_checks': { kept: 'tables' } },
};
