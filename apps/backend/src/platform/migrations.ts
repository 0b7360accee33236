/** The plain tables of schema `app`, step by step. A step that has gone out is never edited: add one. */
import type { Pool } from 'pg';

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
    // `source`: how many bytes of the step's output had been taken in when nothing of them was held back any more:
    // where following may be taken up again. Chunks of older runs belong to their only step.
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
    // Postgres' own compression takes 1.4 s of the 2.3 s that 50 MB of output take it; where it was built without a
    // quicker one, the output of a run is bounded, and may lie there as it came.
    name: '007-output-storage',
    sql: `
      do $$ begin
        alter table app.run_output alter column text set compression lz4;
      exception when feature_not_supported then
        alter table app.run_output alter column text set storage external;
      end $$`,
  },
];

/** Any number: what matters is that every process of one database uses the same. */
const MIGRATION_LOCK = 5_171_140_001;

/** Brings schema `app` up to date. Two back ends that start together take turns. */
export const migrate = async (pool: Pool): Promise<void> => {
  const client = await pool.connect();
  try {
    // A step over a large table, or the wait for another process at it, may take its time.
    await client.query('set statement_timeout = 0');
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    await client.query('create schema if not exists app');
    await client.query(
      'create table if not exists app.migrations (name text primary key, at timestamptz not null default now())',
    );
    const { rows } = await client.query<{ name: string }>('select name from app.migrations');
    const done = new Set(rows.map((row) => row.name));
    for (const { name, sql } of migrations.filter((migration) => !done.has(migration.name))) {
      await client.query('begin');
      await client.query(sql);
      await client.query('insert into app.migrations (name) values ($1)', [name]);
      await client.query('commit');
    }
  } finally {
    // Closing the connection gives back the lock, the setting and a half-done step.
    client.release(true);
  }
};
