/**
 * Retention of samples: all for 30 days, then one an hour, none after 90. Works hour by hour from where it stopped, so
 * that no statement takes long, whatever the backlog. Samples of removed servers follow the same rules: time travel
 * shows them, and so does the server after an undo of its removal.
 */
import type { Pool } from 'pg';
import { FULL_DAYS } from './time-range';

const GONE_DAYS = 90;
const HOURS_AT_ONCE = 24 * 7;
const MARK = 'health-samples-thinned-until';

/** Keeps the first sample with figures of each server. */
const THIN = `
  delete from app.health_samples old using (
    select server, at, row_number() over (partition by server order by ok desc, at) as nth
    from app.health_samples where at >= $1::timestamptz and at < $1::timestamptz + interval '1 hour') ranked
  where old.at >= $1::timestamptz and old.at < $1::timestamptz + interval '1 hour'
    and old.server = ranked.server and old.at = ranked.at and ranked.nth > 1`;

/** Counters go on, so the figures over an hour stay exact. */
const THIN_SERVICES = `
  delete from app.service_samples old using (
    select service, server, at, row_number() over (partition by service, server order by at) as nth
    from app.service_samples where at >= $1::timestamptz and at < $1::timestamptz + interval '1 hour') ranked
  where old.at >= $1::timestamptz and old.at < $1::timestamptz + interval '1 hour'
    and old.service = ranked.service and old.server = ranked.server and old.at = ranked.at and ranked.nth > 1`;

/** Nothing is older than the first run of this query. */
const BEGIN = `
  insert into app.installation (key, value)
  values ($2, date_trunc('hour', $1::timestamptz - make_interval(days => ${FULL_DAYS}))::text)
  on conflict (key) do nothing`;

/** The hours to thin now, oldest first. */
const HOURS = `
  select to_char(hour at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as hour from generate_series(
    (select value::timestamptz from app.installation where key = $2),
    date_trunc('hour', $1::timestamptz - make_interval(days => ${FULL_DAYS})) - interval '1 hour',
    interval '1 hour') hour
  order by 1 limit ${HOURS_AT_ONCE}`;

const NOTE = `
  insert into app.installation (key, value) values ($1, ($2::timestamptz + interval '1 hour')::text)
  on conflict (key) do update set value = excluded.value`;

export const ageSamples = async (db: Pool, now = new Date().toISOString()): Promise<void> => {
  for (const table of ['health_samples', 'service_samples'])
    await db.query(
      `delete from app.${table} where at < $1::timestamptz - make_interval(days => ${GONE_DAYS})`,
      [now],
    );
  await db.query(BEGIN, [now, MARK]);
  const { rows } = await db.query<{ hour: string }>(HOURS, [now, MARK]);
  for (const { hour } of rows) {
    await db.query(THIN, [hour]);
    await db.query(THIN_SERVICES, [hour]);
    await db.query(NOTE, [MARK, hour]);
  }
};
