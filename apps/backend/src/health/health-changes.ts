/**
 * The samples of a server that can begin or end something. A month of probes is nearly a hundred thousand samples of each
 * server, and nearly all of them say what the two before them said.
 */
import { FULL, OVERLOAD, type MeasuredProbe } from '@quarterdeck/projections';
import type { Pool } from 'pg';

const isFull = (used: string, available: string): string => `
  case when ${available} is null then 2
    when ${used} is null or ${used} + ${available} <= 0 then 0
    else ((${used})::float8 / (${used} + ${available}) > ${FULL})::int end`;

/** What a sample says about each cause (see `foundBy`), as one text. */
const SAYS = `
  case when load1 is null or cores is null then 2 else (load1 > ${OVERLOAD} * cores)::int end
  || ' ' || ${isFull('(memory_total - memory_available)', 'memory_available')}
  || ' ' || ${isFull('coalesce(disk_used, disk_total - disk_available)', 'disk_available')}
  || ' ' || coalesce(nginx, '-') || ' ' || coalesce(docker, '-')`;

const FIGURES = `load1, cores, memory_total, memory_available, disk_total, disk_used, disk_available, nginx, docker`;

/** Crossings need two samples in a row, so a third one that says the same changes nothing. */
const CHANGES = `
  select extract(epoch from at) * 1000 as at, ${FIGURES}, count, extract(epoch from last) * 1000 as last from (
    select *, lag(says) over following as before, lag(says, 2) over following as earlier,
      count(*) over () as count, max(at) over () as last
    from (
      select at, ${FIGURES}, ${SAYS} as says from app.health_samples
      where server = $1 and at > $2 and ok order by at limit $3) taken
    window following as (order by at)) compared
  where before is distinct from says or earlier is distinct from says
  order by at`;

const columns = [
  ['load1', 'load1'],
  ['cores', 'cores'],
  ['memoryTotal', 'memory_total'],
  ['memoryAvailable', 'memory_available'],
  ['diskTotal', 'disk_total'],
  ['diskUsed', 'disk_used'],
  ['diskAvailable', 'disk_available'],
] as const;

type Row = Record<(typeof columns)[number][1] | 'at' | 'count' | 'last', string | number | null> & {
  nginx: MeasuredProbe['nginx'] | null;
  docker: MeasuredProbe['docker'] | null;
};

const iso = (ms: unknown): string => new Date(Math.floor(Number(ms))).toISOString();

const sampleOf = (row: Row): MeasuredProbe => ({
  at: iso(row.at),
  ok: true,
  ...Object.fromEntries(
    columns.flatMap(([field, column]) => (row[column] === null ? [] : [[field, Number(row[column])]])),
  ),
  ...(row.nginx !== null && { nginx: row.nginx }),
  ...(row.docker !== null && { docker: row.docker }),
});

export interface HealthChanges {
  samples: MeasuredProbe[];
  /** How many samples were compared. */
  looked: number;
  /** Time of the last one. Absent if there is none. */
  last?: string;
}

/** Of the first `limit` samples after an instant. */
export const changesAfter = async (
  db: Pick<Pool, 'query'>,
  { server, after, limit }: { server: string; after: string; limit: number },
): Promise<HealthChanges> => {
  const { rows } = await db.query<Row>({
    name: 'health-changes',
    text: CHANGES,
    values: [server, after, limit],
  });
  const [first] = rows;
  return {
    samples: rows.map(sampleOf),
    looked: Number(first?.count ?? 0),
    ...(first && { last: iso(first.last) }),
  };
};
