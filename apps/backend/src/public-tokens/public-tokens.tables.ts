/** The tokens with which products read their texts and notifications. */
import type { Tables } from '../platform/database';

export const publicTokensTables: Tables = {
  steps: [
    {
      // `hash`: SHA-256 of the token. Every use is counted here; the log has the first one of a day.
      name: '042-public-tokens',
      sql: `
        create table app.public_tokens (
          hash text primary key, id uuid not null unique, workspace uuid not null, product uuid not null,
          revoked_at timestamptz, uses bigint not null default 0, used_at timestamptz);
        create index on app.public_tokens (workspace, product)`,
    },
  ],
  rows: { 'app.public_tokens': { kept: 'tables' } },
};
