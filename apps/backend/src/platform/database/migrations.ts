/** The plain tables of schema `app`, as numbered migrations. Never edit a released migration: add a new one. */
import type { ClientBase, Pool } from 'pg';

export const migrations: readonly { name: string; sql: string }[] = [
  {
    name: '001-people-and-sessions',
    sql: `
      create table app.person_records (
        id uuid primary key, workspace uuid not null, name text, email text);
      create unique index on app.person_records (workspace, lower(email));
      create table app.sessions (
        id text primary key, person uuid not null, workspace uuid not null, workspace_name text not null,
        role text not null, via text not null, created_at timestamptz not null default now(),
        seen_at timestamptz not null default now(), expires_at timestamptz not null);
      create index on app.sessions (person);
      create table app.sign_in_links (
        code text primary key, person uuid not null, workspace uuid not null,
        issued_at timestamptz not null default now(), expires_at timestamptz not null, used_at timestamptz)`,
  },
  {
    name: '001-installation',
    sql: `create table app.installation (key text primary key, value text not null)`,
  },
  {
    name: '002-vault',
    sql: `
      create table app.vault (
        workspace text not null, ref uuid not null, kind text not null, fingerprint text,
        key_id text not null, wrapped_key bytea not null, sealed bytea not null,
        created_at timestamptz not null default now(), primary key (workspace, ref));
      create table app.vault_keys (
        id text primary key, check_value bytea not null, created_at timestamptz not null default now())`,
  },
  {
    name: '003-claims-and-receipts',
    sql: `
      create table app.claims (
        scope text not null, key text not null, holder text not null,
        claimed_at timestamptz not null default clock_timestamp(), primary key (scope, key));
      create table app.command_receipts (
        workspace text not null, actor text not null, key uuid not null, request bytea not null,
        worker uuid, working_until timestamptz, status integer, answer jsonb, headers jsonb,
        expires_at timestamptz not null, primary key (workspace, actor, key));
      create index on app.command_receipts (expires_at)`,
  },
  {
    name: '004-runs',
    sql: `
      create table app.run_output (
        run uuid not null, seq bigint not null, at timestamptz not null, stream text not null, text text not null,
        primary key (run, seq));
      create table app.leases (
        name text primary key, holder uuid not null, token bigint not null, until timestamptz not null)`,
  },
  {
    // `source`: number of bytes of the step's raw output that were processed when nothing was held back any more.
    // Following can resume there. Chunks of older runs belong to their only step.
    name: '005-run-steps',
    sql: `alter table app.run_output add column step text, add column attempt integer, add column source bigint`,
  },
  {
    name: '006-health',
    sql: `
      create table app.health_samples (
        workspace text not null, server uuid not null, at timestamptz not null, ok boolean not null,
        took_ms integer not null, code text, reason text, load1 real, load5 real, load15 real, cores integer,
        memory_total bigint, memory_available bigint, disk_total bigint, disk_available bigint,
        uptime_seconds integer, docker text, containers integer, nginx text, primary key (server, at));
      create index on app.health_samples using brin (at)`,
  },
  {
    // Postgres' own compression takes 1.4 s of the 2.3 s for 50 MB of output. If Postgres was built without a faster
    // one, output stays uncompressed. Its size is limited anyway.
    name: '007-output-storage',
    sql: `
      do $$ begin
        alter table app.run_output alter column text set compression lz4;
      exception when feature_not_supported then
        alter table app.run_output alter column text set storage external;
      end $$`,
  },
  {
    // One row per domain of an SSL run, written as soon as a result is known, so that the next process continues after
    // it.
    name: '008-ssl-checks',
    sql: `
      create table app.ssl_checks (
        run uuid not null, place integer not null, workspace text not null, domain uuid not null,
        server_name text not null, begun_at timestamptz not null default clock_timestamp(),
        checked_at timestamptz, found jsonb, renewal jsonb, primary key (run, domain));
      create index on app.ssl_checks (workspace, begun_at)`,
  },
  {
    // Each process updates its own row every two seconds.
    name: '009-processes',
    sql: `
      create table app.processes (
        id uuid primary key, host text not null, pid integer not null, version text not null,
        started_at timestamptz not null, leading_since timestamptz, seen_at timestamptz not null)`,
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
    // Accounts at providers, and running sign-ins, with `state` and `browser` as SHA-256. `ref`: a name for a session
    // that may be shown, unlike its hash.
    name: '010-sign-in',
    sql: `
      create table app.identities (
        workspace uuid not null, provider text not null, subject text not null, person uuid not null,
        created_at timestamptz not null default now(), primary key (workspace, provider, subject));
      create index on app.identities (person);
      create table app.sign_in_attempts (
        state text primary key, browser text not null, provider text not null, instance text not null,
        creates boolean not null, nonce text not null, verifier text not null, expires_at timestamptz not null);
      create index on app.sign_in_attempts (expires_at);
      alter table app.sessions
        add column ref uuid not null unique default gen_random_uuid(), add column user_agent text;
      alter table app.sign_in_links add column issued_by text`,
  },
  {
    // The source host's last answer about a token (`facts`, at `checked_at`), why there was none since then, and when
    // to ask again.
    name: '011-token-checks',
    sql: `
      create table app.token_checks (
        workspace text not null, ref uuid not null, facts jsonb, checked_at timestamptz, problem text,
        next_at timestamptz not null, primary key (workspace, ref))`,
  },
  {
    // The displayed name of a person. Everybody has one until they are forgotten.
    name: '012-shown-names',
    sql: `
      alter table app.person_records
        add column shown_as text generated always as (coalesce(name, email, 'Former member')) stored`,
  },
  {
    // Failed sign-ins by network address, in a window that began at `since`.
    name: '013-failed-attempts',
    sql: `
      create table app.failed_attempts (
        address text primary key, since timestamptz not null, failed integer not null, open integer not null);
      create index on app.failed_attempts (since)`,
  },
  {
    // GitHub logins as of the last sign-in: an open invitation may name the person by login.
    name: '014-logins',
    sql: `alter table app.identities add column login text`,
  },
  {
    // `session`: number of a lock that the holder keeps on a connection as long as it lives.
    name: '013-lease-sessions',
    sql: `alter table app.leases add column session integer`,
  },
  {
    // A secret that is shredded during a run is still masked in the run's output until the run ends.
    name: '014-shredded-secrets',
    sql: `
      alter table app.leases add column since timestamptz not null default clock_timestamp();
      alter table app.vault add column shredded_at timestamptz`,
  },
  {
    // Installations that are older than `remaking.ts` have their claims already.
    name: '015-remade',
    sql: `
      insert into app.installation (key, value)
      select 'remade:' || owner, 'done'
      from unnest(array['workspace', 'person', 'server-alias', 'domain-name', 'script-name']) as owner
      where exists (select from app.claims)`,
  },
  {
    // File systems may reserve space, so the used space does not follow from total and available.
    name: '015-disk-used',
    sql: `alter table app.health_samples add column disk_used bigint`,
  },
  {
    name: '016-backups',
    sql: `create unlogged table app.backup_progress (work uuid primary key, part text not null, bytes bigint not null)`,
  },
];

/** Any number that all processes of a database share. */
const MIGRATION_LOCK = 5_171_140_001;

/** A restore began in this database and did not come to its end: nothing may be recorded in it. */
export class UnfinishedRestore extends Error {
  override name = 'UnfinishedRestore';
}

/** Exists from the first instant of a restore to its last. */
export const RESTORING = 'app.restoring';

const refuseUnfinished = async (client: ClientBase): Promise<void> => {
  const { rows } = await client.query<{ unfinished: boolean }>(
    'select to_regclass($1) is not null as unfinished',
    [RESTORING],
  );
  if (rows[0]?.unfinished) throw new UnfinishedRestore('a restore was begun here and did not end');
};

/**
 * Brings schema `app` up to date. Two back ends that start together take turns.
 * @param restoring for a restore alone: the steps up to which the schema is brought
 * @throws UnfinishedRestore
 */
export const migrate = async (pool: Pool, restoring?: { steps: readonly string[] }): Promise<void> => {
  const client = await pool.connect();
  try {
    // A migration of a large table, or waiting for another process, may take long.
    await client.query('set statement_timeout = 0');
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    if (!restoring) await refuseUnfinished(client);
    await client.query('create schema if not exists app');
    await client.query(
      'create table if not exists app.migrations (name text primary key, at timestamptz not null default now())',
    );
    const { rows } = await client.query<{ name: string }>('select name from app.migrations');
    const done = new Set(rows.map((row) => row.name));
    const wanted = restoring && new Set(restoring.steps);
    for (const { name, sql } of migrations) {
      if (done.has(name) || wanted?.has(name) === false) continue;
      await client.query('begin');
      await client.query(sql);
      await client.query('insert into app.migrations (name) values ($1)', [name]);
      await client.query('commit');
    }
  } finally {
    // Closing the connection releases the lock, the setting and an unfinished migration.
    client.release(true);
  }
};
