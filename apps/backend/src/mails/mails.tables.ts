/** The contents of e-mails, which are personal data, and the tokens with which products send them in. */
import type { Tables } from '../platform/database';

export const mailsTables: Tables = {
  steps: [
    {
      // `raw`: as it came in. What follows `received_at` is derived from it: null until it was parsed. `search`: in lower
      // case, what a search looks through. `outcome`: of an e-mail that is sent again, `unknown` from the moment at which
      // the server gets it until the server has answered.
      // `mail_tokens.hash`: SHA-256 of the token. Every use is counted here; the log has the first one of a day.
      // `mail_webhooks`: signatures that were accepted, so that none is accepted twice.
      name: '041-emails',
      sql: `
        create extension if not exists pg_trgm;
        create table app.emails (
          id uuid primary key, workspace uuid not null, product uuid not null, raw bytea not null,
          envelope_from text not null, envelope_to text[] not null,
          received_at timestamptz not null default clock_timestamp(), parsed_at timestamptz,
          sender text, recipients text[], subject text, sent_at text, message_id text, body text,
          cut boolean not null default false, html boolean not null default false,
          files jsonb not null default '[]', search text, run uuid, outcome text);
        alter table app.emails alter column raw set storage external;
        create index on app.emails (product, received_at);
        create index on app.emails (received_at) where parsed_at is null;
        create index on app.emails (workspace, received_at);
        create index on app.emails using gin (search gin_trgm_ops);
        create table app.mail_tokens (
          hash text primary key, id uuid not null unique, workspace uuid not null, product uuid not null,
          revoked_at timestamptz, uses bigint not null default 0, used_at timestamptz);
        create index on app.mail_tokens (workspace, product);
        create table app.mail_webhooks (signature text primary key, at timestamptz not null default clock_timestamp())`,
    },
  ],
  timed: { 'app.emails': (at) => `select * from app.emails where received_at <= ${at}` },
  rows: {
    'app.emails': { kept: 'output', grows: true },
    'app.mail_tokens': { kept: 'tables' },
    'app.mail_webhooks': { leftOut: 'minutes old at most' },
  },
};
