/** Personal data, and invitations. */
import type { Tables } from '../platform/database';

export const peopleTables: Tables = {
  steps: [
    {
      name: '001-people-and-sessions',
      sql: `
        create table app.person_records (
          id uuid primary key, workspace uuid not null, name text, email text);
        create unique index on app.person_records (workspace, lower(email))`,
    },
    {
      // Who is invited, until the invitation is over. `code`: SHA-256 of a link's code. `person`: id that a new person
      // will get.
      name: '009-invitations',
      sql: `
        create table app.invitations (
          id uuid primary key, workspace uuid not null, person uuid not null, login text, email text,
          code text unique, expires_at timestamptz not null, closed_at timestamptz);
        create index on app.invitations (workspace)`,
    },
    {
      // The displayed name of a person. Everybody has one until they are forgotten.
      name: '012-shown-names',
      sql: `
        alter table app.person_records
          add column shown_as text generated always as (coalesce(name, email, 'Former member')) stored`,
    },
    {
      // Which notices a person has seen or dismissed. `mark`: what the notice said then.
      name: '017-notice-memory',
      sql: `
        create table app.notice_memory (
          person uuid not null, workspace uuid not null, notice text not null, mark text not null,
          state text not null, at timestamptz not null, primary key (person, notice))`,
    },
    {
      // Second factors. `name`: absent while an authenticator app is being added. `last_step`: of the code that was used
      // last. `recovery_codes.code`: SHA-256. `second_factor_attempts.place`: a network address, or a group of them.
      name: '025-second-factors',
      sql: `
        create table app.second_factors (
          id uuid primary key, person uuid not null, kind text not null, name text,
          added_at timestamptz not null default clock_timestamp(), used_at timestamptz, last_step bigint,
          site text, credential text unique, public_key bytea, counter bigint, transports text[]);
        create index on app.second_factors (person);
        create table app.recovery_codes (person uuid not null, code text not null, primary key (person, code));
        create table app.second_factor_challenges (
          session text not null, purpose text not null, person uuid not null, challenge text not null,
          expires_at timestamptz not null, primary key (session, purpose));
        create table app.second_factor_attempts (
          person uuid not null, place text not null, since timestamptz not null, failed integer not null,
          proved_at timestamptz, primary key (person, place))`,
    },
  ],
  rows: {
    'app.second_factors': { kept: 'tables' },
    'app.recovery_codes': { kept: 'tables' },
    'app.second_factor_challenges': { leftOut: 'minutes old at most' },
    'app.second_factor_attempts': { leftOut: 'counts of the last day' },
    'app.person_records': { kept: 'tables' },
    'app.invitations': { kept: 'tables' },
    'app.notice_memory': { kept: 'tables' },
  },
};
