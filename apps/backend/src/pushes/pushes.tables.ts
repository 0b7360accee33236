/** What source hosts have sent, the newest version of each environment, and the secrets that sign their calls. */
import type { Tables } from '../platform/database';

export const pushesTables: Tables = {
  steps: [
    {
      // `push_tokens.hash`: the kit of tokens wants one; nobody is shown the token, because calls are signed.
      // `push_deliveries.body`: SHA-256. `plan`: what has to be recorded of it; `applied`: it was.
      // `push_newest`: an older version does not replace it.
      // `push_refusals`: one row for each service, however many calls are refused.
      name: '067-pushes',
      sql: `
        create table app.push_tokens (
          hash text primary key, id uuid not null unique, workspace uuid not null, service uuid not null,
          revoked_at timestamptz, uses bigint not null default 0, used_at timestamptz);
        create index on app.push_tokens (workspace, service);
        create index on app.push_tokens (service) where revoked_at is null;
        create table app.push_deliveries (
          service uuid not null, delivery text not null, body text not null, id uuid not null unique,
          workspace uuid not null, at timestamptz not null default clock_timestamp(), event text not null,
          version jsonb, outcome text not null, says text not null, plan jsonb not null,
          applied boolean not null, repeats integer not null default 0, repeated_at timestamptz,
          primary key (service, delivery), unique (service, body));
        create index on app.push_deliveries (service, at);
        create index on app.push_deliveries (at);
        create index on app.push_deliveries (at) where not applied;
        create table app.push_newest (
          service uuid not null, env integer not null, workspace uuid not null,
          published_at timestamptz not null, version text not null, push uuid not null, primary key (service, env));
        create table app.push_refusals (
          service uuid primary key, workspace uuid not null, count bigint not null,
          since timestamptz not null, at timestamptz not null, says text not null)`,
    },
  ],
  rows: {
    'app.push_tokens': { kept: 'tables' },
    'app.push_deliveries': { kept: 'tables' },
    'app.push_newest': { kept: 'tables' },
    'app.push_refusals': { kept: 'tables' },
  },
};
