/** What a service uses over time: at most 300 points for any range, and its restarts. */
import type {
  HealthFigures,
  MetricsProblem,
  NewestUsage,
  ServiceMetricPoint,
  ServiceMetrics,
} from '@quarterdeck/projections';
import type { Pool } from 'pg';
import { present } from '../platform/as-of';
import { rangeOf, spread, type RangeQuery } from './time-range';

/** Newest restarts that are listed. The points have all. */
const MAX_RESTARTS = 50;

const ISO = (instant: string): string =>
  `to_char(${instant} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/**
 * The samples of a range with what happened since the one before. Counters begin anew with each start of a container, so
 * they are compared only within one. A clock that went back belongs to a restart of the server.
 *
 * An engine counts the restarts that it makes by itself, and begins anew when somebody starts the container.
 */
const COMPARED = `
  select *, (clock - clock_before) as seconds,
    coalesce(container = container_before and started = started_before and clock - clock_before > 0.2, false) as goes_on,
    case
      when container_before is null then 0
      when container is distinct from container_before then restarts
      when restarts >= restarts_before
        then greatest(restarts - restarts_before, (started is distinct from started_before)::int)
      else restarts + 1
    end as restarted
  from (
    select *, lag(container) over following as container_before, lag(started) over following as started_before,
      lag(restarts) over following as restarts_before, lag(clock) over following as clock_before,
      lag(cpu_us) over following as cpu_before, lag(received) over following as received_before,
      lag(sent) over following as sent_before
    from app.service_samples
    where workspace = $1 and service = $2 and server = $3 and at < $5 and at >= coalesce((
      select max(at) from app.service_samples
      where workspace = $1 and service = $2 and server = $3 and at < $4), $4)
    window following as (order by at)) samples`;

const rate = (counter: string, before: string, scale = '1'): string =>
  `case when goes_on and ${counter} >= ${before} then (${counter} - ${before})::float8 / ${scale} / seconds end`;

const RATES = `
  select at, container, state, started, exit_code, out_of_memory, memory::float8 as memory,
    memory_limit::float8 as memory_limit, restarted,
    ${rate('cpu_us', 'cpu_before', '1e6')} as cpu,
    ${rate('received', 'received_before')} as received, ${rate('sent', 'sent_before')} as sent
  from (${COMPARED}) compared where at >= $4`;

const FIELDS = `jsonb_strip_nulls(jsonb_build_object('at', ${ISO('at')}, 'container', container, 'state', state,
  'started', ${ISO('started')}, 'exitCode', exit_code, 'outOfMemory', out_of_memory, 'cpu', cpu, 'memory', memory,
  'limit', memory_limit, 'received', received, 'sent', sent))`;

const METRICS = `
  with rates as materialized (${RATES})
  select
    (select coalesce(jsonb_agg(jsonb_strip_nulls(to_jsonb(points) - 'bucket') order by bucket), '[]') from (
      select floor(extract(epoch from at - $4::timestamptz) / $6::float8) as bucket,
        ${ISO('to_timestamp(avg(extract(epoch from at)))')} as at,
        count(*) as samples, ${['cpu', 'memory', 'received', 'sent'].map((name) => spread(name, name)).join(', ')},
        max(memory_limit) as "limit", sum(restarted) as restarts
      from rates group by 1) points) as points,
    (select coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object('at', ${ISO('at')}, 'count', restarted,
        'exitCode', exit_code, 'outOfMemory', out_of_memory)) order by at desc), '[]')
      from (select * from rates where restarted > 0 order by at desc limit ${MAX_RESTARTS}) newest) as restarts,
    (select coalesce(sum(restarted), 0)::float8 from rates) as restarted,
    (select ${FIELDS} from rates order by at desc limit 1) as newest`;

const NEWEST_OF_SERVER = `
  select ${ISO('at')} as at, ok, docker, containers from app.health_samples
  where workspace = $1 and server = $2 order by at desc limit 1`;

interface NewestOfServer extends Pick<HealthFigures, 'docker'> {
  at: string;
  ok: boolean;
  containers: number | null;
}

const withoutDocker = { absent: 'dockerAbsent', stopped: 'dockerStopped', silent: 'dockerSilent' } as const;

/** Pure. Why the newest look at the server found nothing. */
export const problemOf = (
  server: NewestOfServer | undefined,
  newest: NewestUsage | undefined,
): MetricsProblem | undefined => {
  if (!server) return 'notChecked';
  if (!server.ok) return 'unreachable';
  if (newest?.at === server.at)
    return newest.state === 'running' && newest.memory === undefined ? 'noFigures' : undefined;
  if (server.docker && server.docker !== 'running') return withoutDocker[server.docker];
  return server.containers === null ? 'noAccess' : 'noContainer';
};

interface ServiceQuery extends RangeQuery {
  workspace: string;
  service: string;
  server: { id: string; alias: string } | undefined;
}

export const serviceHistory = async (
  db: Pool,
  { workspace, service, server, ...asked }: ServiceQuery,
  now = present().getTime(),
): Promise<ServiceMetrics> => {
  const { from, to, step, gapSeconds } = rangeOf(asked, now);
  const empty = { id: service, from, to, gapSeconds, points: [], restarts: [], restarted: 0 };
  if (!server) return { ...empty, problem: 'noServer' };
  const values = [workspace, service, server.id, from, to, step];
  const { rows } = await db.query<{
    points: ServiceMetricPoint[];
    restarts: ServiceMetrics['restarts'];
    restarted: number;
    newest: NewestUsage | null;
  }>({ name: 'service-metrics', text: METRICS, values });
  const { rows: probes } = await db.query<NewestOfServer>({
    name: 'newest-of-server',
    text: NEWEST_OF_SERVER,
    values: [workspace, server.id],
  });
  const [{ newest, ...found } = { ...empty, newest: null }] = rows;
  const problem = problemOf(probes[0], newest ?? undefined);
  return { ...empty, server, ...found, ...(newest && { newest }), ...(problem && { problem }) };
};
