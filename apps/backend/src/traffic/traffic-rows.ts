/** The tables of traffic: a look at the sites of a server is stored whole, with how far it read. */
import type { Pool } from 'pg';
import type { LogPlace, Looks } from './site-sums';

export interface KnownPlaces {
  domain: string;
  places: LogPlace[];
}

export const placesOf = async (db: Pool, server: string): Promise<KnownPlaces[]> => {
  const { rows } = await db.query<KnownPlaces>({
    name: 'site-logs-of-server',
    text: 'select domain, places from app.site_logs where server = $1',
    values: [server],
  });
  return rows;
};

/**
 * A site that was never looked at has no minute yet: only how far its files are is stored. The clock is that of the server; after
 * a restart of it, time is measured by ours.
 */
const INSERT = `
  with looked as (
    select x.*, l.domain is not null as known,
      case when l.clock < $4::float8 then $4::float8 - l.clock else extract(epoch from $3::timestamptz - l.at) end as passed
    from jsonb_to_recordset($5::jsonb) as x (domain uuid, problem text, sampled boolean, requests bigint, s1 bigint,
      s2 bigint, s3 bigint, s4 bigint, s5 bigint, bytes bigint, timed bigint, times jsonb, places jsonb)
    left join app.site_logs l on l.server = $2 and l.domain = x.domain
  ), stored as (
    insert into app.site_traffic (workspace, server, domain, at, seconds, problem, sampled, requests, s1, s2, s3, s4, s5,
      bytes, timed, times)
    select $1, $2, domain, $3, passed, problem, sampled, requests, s1, s2, s3, s4, s5, bytes, timed, times
    from looked where problem is not null or (known and passed > 0 and requests is not null)
    on conflict do nothing
  )
  insert into app.site_logs (server, domain, at, clock, places)
  select $2, domain, $3, $4, places from looked where places is not null
  on conflict (server, domain) do update set at = excluded.at, clock = excluded.clock, places = excluded.places`;

export const insertLooks = async (
  db: Pool,
  { workspace, server, at }: { workspace: string; server: string; at: string },
  { clock, sites }: Looks,
): Promise<void> => {
  const rows = [...sites].map(([domain, { problem, sums, places }]) => ({
    domain,
    problem,
    // All of its first log is new.
    ...(problem === 'noLog' && { places: [] }),
    ...(sums && {
      sampled: sums.sampled,
      requests: sums.requests,
      ...Object.fromEntries(sums.classes.map((count, index) => [`s${index + 1}`, count])),
      bytes: sums.bytes,
      timed: sums.timed,
      times: sums.times,
      places,
    }),
  }));
  if (rows.length === 0) return;
  await db.query(INSERT, [workspace, server, at, clock ?? null, JSON.stringify(rows)]);
};

const FULL_DAYS = 30;
const GONE_DAYS = 90;
const HOURS_AT_ONCE = 24 * 7;

/** Adds up the rows of an hour to one, at the last of them. */
const MERGE = `
  with old as (
    delete from app.site_traffic where at >= $1::timestamptz and at < $1::timestamptz + interval '1 hour' returning *
  ), counted as (
    select domain, server, jsonb_object_agg(number, count) as times from (
      select domain, server, key as number, sum(value::bigint) as count
      from old, jsonb_each_text(coalesce(times, '{}')) group by 1, 2, 3) numbers
    group by 1, 2
  )
  insert into app.site_traffic
  select min(workspace), server, domain, max(at), sum(seconds), (array_agg(problem order by at desc))[1],
    bool_or(sampled), sum(requests), sum(s1), sum(s2), sum(s3), sum(s4), sum(s5), sum(bytes), sum(timed), counted.times
  from old left join counted using (domain, server) group by server, domain, counted.times`;

/** Hours with more than one row of a site, oldest first. */
const HOURS = `
  select to_char(hour at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as hour from (
    select distinct hour from (
      select date_trunc('hour', at, 'UTC') as hour from app.site_traffic
      where at < date_trunc('hour', $1::timestamptz - make_interval(days => ${FULL_DAYS}), 'UTC')
      group by domain, server, 1 having count(*) > 1) crowded
    order by 1 limit ${HOURS_AT_ONCE}) hours
  order by 1`;

/** All for 30 days, then one row an hour, none after 90. */
export const ageTraffic = async (db: Pool, now = new Date().toISOString()): Promise<void> => {
  await db.query(
    `delete from app.site_traffic where at < $1::timestamptz - make_interval(days => ${GONE_DAYS})`,
    [now],
  );
  await db.query(
    `delete from app.site_logs where at < $1::timestamptz - make_interval(days => ${GONE_DAYS})`,
    [now],
  );
  const { rows } = await db.query<{ hour: string }>(HOURS, [now]);
  for (const { hour } of rows) await db.query(MERGE, [hour]);
};
