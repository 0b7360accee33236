/** What was asked of served APIs. */
import type { Tables } from '../platform/database';

export const servedTables: Tables = {
  steps: [
    {
      // `since`: the first batch of the day. `buckets`: requests by duration (child/counts.ts).
      name: '063-api-counts',
      sql: `
        create table app.api_counts (
          instance uuid not null, day date not null, endpoint text not null, since timestamptz not null,
          requests bigint not null, refused bigint not null, failed bigint not null, buckets bigint[] not null,
          primary key (instance, day, endpoint));
        create index on app.api_counts (day)`,
    },
  ],
  rows: { 'app.api_counts': { kept: 'samples' } },
};
