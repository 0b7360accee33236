/** What cloud hosting keeps beside its events. */
import type { Tables } from '../platform/database';

export const cloudTables: Tables = {
  steps: [
    {
      // `state` and `session` as SHA-256. `cloud_looks`: the last look at an account: what needs no history.
      // `cloud_requests`: written before a call that must not be made twice; `before` is what there was before it.
      name: '048-cloud',
      sql: `
        create table app.cloud_sign_ins (
          state text primary key, session text not null, workspace uuid not null, expires_at timestamptz not null);
        create index on app.cloud_sign_ins (expires_at);
        create table app.cloud_looks (
          workspace uuid primary key, seen_at timestamptz, tried_at timestamptz, problem text,
          limits jsonb, zones jsonb, keys jsonb, keys_at timestamptz);
        create table app.cloud_requests (
          run uuid not null, step text not null, attempt integer not null, workspace uuid not null, before bigint,
          asked_at timestamptz not null default clock_timestamp(), primary key (run, step, attempt));
        create index on app.cloud_requests (workspace)`,
    },
  ],
  rows: {
    'app.cloud_sign_ins': { leftOut: 'minutes old at most' },
    'app.cloud_looks': { leftOut: 'the next look fills it again' },
    'app.cloud_requests': { kept: 'tables' },
  },
};
