/** The table of samples: written in batches of limited size, and read as the newest of each server. */
import type { HealthSample, NewestHealth, ServerView, ServiceUsage } from '@quarterdeck/projections';
import type { Pool } from 'pg';
import { inView } from '../platform/in-view';
import { insertUsage } from './service-samples';

const server = inView<ServerView>('s.view');

export interface KeptSample extends HealthSample {
  workspace: string;
  /** By the ids of services. Rows of their own, which are not pushed. */
  usage?: Readonly<Record<string, ServiceUsage>>;
}

/** Column and type of each field. */
const columns = {
  workspace: 'workspace text',
  server: 'server uuid',
  at: 'at timestamptz',
  ok: 'ok boolean',
  tookMs: 'took_ms integer',
  code: 'code text',
  reason: 'reason text',
  load1: 'load1 real',
  load5: 'load5 real',
  load15: 'load15 real',
  cores: 'cores integer',
  memoryTotal: 'memory_total bigint',
  memoryAvailable: 'memory_available bigint',
  diskTotal: 'disk_total bigint',
  diskUsed: 'disk_used bigint',
  diskAvailable: 'disk_available bigint',
  uptimeSeconds: 'uptime_seconds integer',
  docker: 'docker text',
  containers: 'containers integer',
  nginx: 'nginx text',
  services: 'services jsonb',
} as const satisfies Record<keyof Omit<KeptSample, 'usage'>, string>;

const names = Object.values(columns).map((column) => column.slice(0, column.indexOf(' ')));

const INSERT = `
  insert into app.health_samples (${names.join(', ')})
  select ${names.map((name) => `x.${name}`).join(', ')}
  from jsonb_to_recordset($1::jsonb) as x (${Object.values(columns).join(', ')})
  on conflict do nothing`;

const rowOf = (sample: KeptSample): Record<string, unknown> =>
  Object.fromEntries(
    Object.keys(columns).map((field, index) => [names[index], sample[field as keyof KeptSample]]),
  );

export const insertSamples = async (db: Pool, samples: readonly KeptSample[]): Promise<void> => {
  if (samples.length === 0) return;
  await db.query(INSERT, [JSON.stringify(samples.map(rowOf))]);
  await insertUsage(db, samples);
};

const isoOf = (instant: string): string =>
  `to_char(${instant} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** As JSON, so that numbers stay numbers. Unknown values are omitted. */
const FIELDS = Object.keys(columns)
  .flatMap((field, index) =>
    field === 'workspace' ? [] : `'${field}', ${field === 'at' ? isoOf('h.at') : `h.${names[index]}`}`,
  )
  .join(', ');
const SAMPLE = `jsonb_strip_nulls(jsonb_build_object(${FIELDS}, 'seenAt', ${isoOf('seen.at')}))`;

/**
 * For a server that is unreachable for long, the search for its last contact stops: that was before the state changed.
 */
const NEWEST = `
  select ${SAMPLE} as sample from read.servers s
  cross join lateral (
    select * from app.health_samples where server = s.id::uuid order by at desc limit 1) h
  left join lateral (
    select at from app.health_samples where server = s.id::uuid and ok and at <= case
      when ${server.text('health', 'state')} = 'unreachable' then ${server.text('health', 'since')}::timestamptz
      else h.at end
    order by at desc limit 1) seen on true
  where s.workspace = $1
  order by s.id`;

export const newestSamples = async (db: Pool, workspace: string): Promise<NewestHealth[]> => {
  const { rows } = await db.query<{ sample: NewestHealth }>({
    name: 'health-newest',
    text: NEWEST,
    values: [workspace],
  });
  return rows.map(({ sample }) => sample);
};

/** Up to `$3` samples of each server after the instant beside its id, oldest first. */
const AFTER = `
  select jsonb_strip_nulls(jsonb_build_object(${FIELDS})) as sample
  from unnest($1::uuid[], $2::timestamptz[]) as wanted (server, after)
  cross join lateral (
    select * from app.health_samples where server = wanted.server and at > wanted.after and ok
    order by at limit $3) h
  order by h.server, h.at`;

/** Of each server the samples with figures after an instant, oldest first. @param limit for each server */
export const samplesAfter = async (
  db: Pool,
  servers: readonly { server: string; after: string }[],
  limit: number,
): Promise<HealthSample[]> => {
  const { rows } = await db.query<{ sample: HealthSample }>({
    name: 'health-after',
    text: AFTER,
    values: [servers.map(({ server: id }) => id), servers.map(({ after }) => after), limit],
  });
  return rows.map(({ sample }) => sample);
};
