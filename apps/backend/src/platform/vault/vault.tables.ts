/** Sealed secrets, and the id of the master key that wraps their data keys. */
import type { Tables } from '../database';

export const vaultTables: Tables = {
  steps: [
    {
      name: '002-vault',
      sql: `
        create table app.vault (
          workspace text not null, ref uuid not null, kind text not null, fingerprint text,
          key_id text not null, wrapped_key bytea not null, sealed bytea not null,
          created_at timestamptz not null default now(), primary key (workspace, ref));
        create table app.vault_keys (
          id text primary key, check_value bytea not null, created_at timestamptz not null default now())`,
    },
    {
      // A secret that is shredded during a run is still masked in the run's output until the run ends.
      name: '014-shredded-secrets',
      sql: `alter table app.vault add column shredded_at timestamptz`,
    },
  ],
  rows: { 'app.vault': { kept: 'tables' }, 'app.vault_keys': { kept: 'tables' } },
};
