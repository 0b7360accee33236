/** The tokens with which running apps read their variables. */
import type { Tables } from '../platform/database';

export const variablesTables: Tables = {
  steps: [
    {
      // `hash`: SHA-256 of the token. Every use is counted here; the log has the first one of a day.
      name: '018-app-tokens',
      sql: `
        create table app.app_tokens (
          hash text primary key, id uuid not null unique, workspace uuid not null, service uuid not null,
          env integer not null, expires_at timestamptz, revoked_at timestamptz,
          uses bigint not null default 0, used_at timestamptz);
        create index on app.app_tokens (workspace, service)`,
    },
  ],
  rows: { 'app.app_tokens': { kept: 'tables' } },
};
