/** Accounts at providers, and running sign-ins. */
import type { Tables } from '../platform/database';

export const signInTables: Tables = {
  steps: [
    {
      // `state` and `browser` as SHA-256.
      name: '010-sign-in',
      sql: `
        create table app.identities (
          workspace uuid not null, provider text not null, subject text not null, person uuid not null,
          created_at timestamptz not null default now(), primary key (workspace, provider, subject));
        create index on app.identities (person);
        create table app.sign_in_attempts (
          state text primary key, browser text not null, provider text not null, instance text not null,
          creates boolean not null, nonce text not null, verifier text not null, expires_at timestamptz not null);
        create index on app.sign_in_attempts (expires_at)`,
    },
    {
      // GitHub logins as of the last sign-in: an open invitation may name the person by login.
      name: '014-logins',
      sql: `alter table app.identities add column login text`,
    },
    {
      // Every GitHub login that a person has had here, so that forgetting them finds all invitations that name them.
      name: '024-known-logins',
      sql: `
        create table app.known_logins (person uuid not null, login text not null, primary key (person, login));
        insert into app.known_logins (person, login)
          select distinct person, lower(login) from app.identities where login is not null`,
    },
  ],
  rows: {
    'app.identities': { kept: 'tables' },
    'app.known_logins': { kept: 'tables' },
    'app.sign_in_attempts': { leftOut: 'minutes old at most' },
  },
};
