/** When each site, and its certificate, was last looked at. Only changes are events. */
import type { Tables } from '../platform/database';

export const domainsTables: Tables = {
  steps: [
    {
      name: '033-site-looks',
      sql: `create table app.site_looks (site uuid primary key, workspace text not null, at timestamptz not null)`,
    },
    {
      name: '062-certificate-looks',
      sql: `create table app.certificate_looks (site uuid primary key, workspace text not null, at timestamptz not null)`,
    },
  ],
  timed: {
    'app.site_looks': (at) => `select * from app.site_looks where at <= ${at}`,
    'app.certificate_looks': (at) => `select * from app.certificate_looks where at <= ${at}`,
  },
  rows: {
    'app.site_looks': { kept: 'samples', grows: true },
    'app.certificate_looks': { kept: 'samples', grows: true },
  },
};
