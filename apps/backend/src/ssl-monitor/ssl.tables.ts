/** Results of SSL runs. */
import type { Tables } from '../platform/database';

export const sslTables: Tables = {
  steps: [
    {
      // One row per domain of an SSL run, written as soon as a result is known, so that the next process continues after
      // it.
      name: '008-ssl-checks',
      sql: `
        create table app.ssl_checks (
          run uuid not null, place integer not null, workspace text not null, domain uuid not null,
          server_name text not null, begun_at timestamptz not null default clock_timestamp(),
          checked_at timestamptz, found jsonb, renewal jsonb, primary key (run, domain));
        create index on app.ssl_checks (workspace, begun_at)`,
    },
  ],
  timed: {
    // The end of a renewal has no time here, so its outcome is always shown.
    'app.ssl_checks': (at) => `
      select run, place, workspace, domain, server_name, begun_at,
        case when checked_at <= ${at} then checked_at end as checked_at,
        case when checked_at <= ${at} then found end as found,
        case when checked_at <= ${at} then renewal end as renewal
      from app.ssl_checks where begun_at <= ${at}`,
  },
  rows: { 'app.ssl_checks': { kept: 'samples', grows: true } },
};
