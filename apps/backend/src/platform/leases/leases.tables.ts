/** Which process works on what. */
import type { Tables } from '../database';

export const leasesTables: Tables = {
  steps: [
    {
      name: '004-runs',
      sql: `
        create table app.leases (
          name text primary key, holder uuid not null, token bigint not null, until timestamptz not null)`,
    },
    {
      // `session`: number of a lock that the holder keeps on a connection as long as it lives.
      name: '013-lease-sessions',
      sql: `alter table app.leases add column session integer`,
    },
    {
      name: '014-shredded-secrets',
      sql: `alter table app.leases add column since timestamptz not null default clock_timestamp()`,
    },
  ],
  rows: { 'app.leases': { leftOut: 'of processes that are alive' } },
};
