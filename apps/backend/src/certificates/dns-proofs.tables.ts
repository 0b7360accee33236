/** TXT records in the zones of workspaces that have to be removed again. */
import type { Tables } from '../platform/database';

export const dnsProofsTables: Tables = {
  steps: [
    {
      name: '035-dns-proofs',
      sql: `
        create table app.dns_proofs (
          workspace text not null, run uuid not null, name text not null, text text not null,
          at timestamptz not null default clock_timestamp(), primary key (run, name, text))`,
    },
  ],
  rows: { 'app.dns_proofs': { kept: 'tables' } },
};
