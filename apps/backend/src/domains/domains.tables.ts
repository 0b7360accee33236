/** When each site was last looked at. Only changes are events. */
import type { Tables } from '../platform/database';

export const domainsTables: Tables = {
  steps: [
    {
      name: '033-site-looks',
      sql: `create table app.site_looks (site uuid primary key, workspace text not null, at timestamptz not null)`,
    },
  ],
  timed: { 'app.site_looks': (at) => `select * from app.site_looks where at <= ${at}` },
  rows: { 'app.site_looks': { kept: 'samples', grows: true } },
};
