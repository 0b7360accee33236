/** Samples of health checks, as probes leave them, for tests of what figures lead to. */
import type { Pool } from 'pg';

interface Figures {
  /** Percent of the disk in use. */
  disk?: number;
}

/** @param ago seconds before now of each sample, the oldest first */
export const addSamples = async (
  db: Pick<Pool, 'query'>,
  { workspace, server }: { workspace: string; server: string },
  ago: readonly number[],
  { disk = 50 }: Figures = {},
): Promise<void> => {
  await db.query(
    `insert into app.health_samples (workspace, server, at, ok, took_ms, load1, cores, memory_total,
       memory_available, disk_total, disk_used, disk_available, nginx, docker)
     select $1, $2, date_trunc('milliseconds', now() - make_interval(secs => ago)), true, 5, 0.5, 4, 8e9, 4e9,
       100e9, $4::float8 * 1e9, (100 - $4::float8) * 1e9, 'absent', 'absent' from unnest($3::float8[]) ago`,
    [workspace, server, ago, disk],
  );
};
