/** Names that only one thing can hold at a time. */
import type { Tables } from '../database';

/** Without the spaces around the name. Names within a parent follow its id and a space. */
const trimmed = `regexp_replace(btrim(key), '^([0-9a-f-]{36}) +', '\\1 ')`;

export const claimsTables: Tables = {
  steps: [
    {
      name: '003-claims-and-receipts',
      sql: `
        create table app.claims (
          scope text not null, key text not null, holder text not null,
          claimed_at timestamptz not null default clock_timestamp(), primary key (scope, key))`,
    },
    {
      // Until then, claims had the spaces around names. If two names differ only in those, the one without spaces has
      // the claim, or else the older one.
      name: '019-trimmed-claims',
      sql: `
        insert into app.claims (scope, key, holder, claimed_at)
        select scope, ${trimmed}, holder, claimed_at from app.claims where key <> ${trimmed} order by claimed_at
        on conflict do nothing;
        delete from app.claims where key <> ${trimmed}`,
    },
  ],
  rows: { 'app.claims': { leftOut: 'made again from the log before anything is served' } },
};
