/** One-time links. */
import type { Tables } from '../platform/database';

export const signInLinksTables: Tables = {
  steps: [
    {
      name: '001-people-and-sessions',
      sql: `
        create table app.sign_in_links (
          code text primary key, person uuid not null, workspace uuid not null,
          issued_at timestamptz not null default now(), expires_at timestamptz not null, used_at timestamptz)`,
    },
    {
      name: '010-sign-in',
      sql: `alter table app.sign_in_links add column issued_by text`,
    },
  ],
  rows: { 'app.sign_in_links': { kept: 'tables' } },
};
