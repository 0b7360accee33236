/** Requests to sites, by the minute, and how far their logs were read. */
import type { Tables } from '../platform/database';

export const trafficTables: Tables = {
  steps: [
    {
      name: '066-site-traffic',
      sql: `
        create table app.site_traffic (
          workspace text not null, server uuid not null, domain uuid not null, at timestamptz not null,
          seconds float8, problem text, sampled boolean, requests bigint, s1 bigint, s2 bigint, s3 bigint, s4 bigint,
          s5 bigint, bytes bigint, timed bigint, times jsonb, primary key (domain, server, at));
        create index on app.site_traffic using brin (at);
        create table app.site_logs (
          server uuid not null, domain uuid not null, at timestamptz not null, clock float8, places jsonb not null,
          primary key (server, domain))`,
    },
  ],
  timed: { 'app.site_traffic': (at) => `select * from app.site_traffic where at <= ${at}` },
  rows: {
    'app.site_traffic': { kept: 'samples', grows: true },
    'app.site_logs': { leftOut: 'positions in files of servers: a restored console begins at their ends' },
  },
};
