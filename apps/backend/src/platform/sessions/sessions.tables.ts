/** Sessions, and failed sign-ins. */
import type { Tables } from '../database';

export const sessionsTables: Tables = {
  steps: [
    {
      name: '001-people-and-sessions',
      sql: `
        create table app.sessions (
          id text primary key, person uuid not null, workspace uuid not null, workspace_name text not null,
          role text not null, via text not null, created_at timestamptz not null default now(),
          seen_at timestamptz not null default now(), expires_at timestamptz not null);
        create index on app.sessions (person)`,
    },
    {
      // `ref`: a name for a session that may be shown, unlike its hash.
      name: '010-sign-in',
      sql: `
        alter table app.sessions
          add column ref uuid not null unique default gen_random_uuid(), add column user_agent text`,
    },
    {
      // Failed sign-ins by network address, in a window that began at `since`.
      name: '013-failed-attempts',
      sql: `
        create table app.failed_attempts (
          address text primary key, since timestamptz not null, failed integer not null, open integer not null);
        create index on app.failed_attempts (since)`,
    },
    {
      // When the second factor was last given in the session.
      name: '025-second-factor-proofs',
      sql: `alter table app.sessions add column proved_at timestamptz`,
    },
  ],
  rows: { 'app.sessions': { kept: 'tables' }, 'app.failed_attempts': { leftOut: 'an hour old at most' } },
};
