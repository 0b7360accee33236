/**
 * Results of health probes. They are plain rows that are deleted after a while, not folded from events: events record
 * only changes of state.
 */
import { z } from 'zod';
import { serviceState } from './service-verdict';

export const dockerState = z.enum(['absent', 'stopped', 'running', 'silent']);
export const nginxState = z.enum(['absent', 'stopped', 'running']);

/** Figures that a server reported. Those that it could not report are absent. */
export const healthFigures = z.strictObject({
  /** Average over 1, 5 and 15 minutes. */
  load1: z.number().optional(),
  load5: z.number().optional(),
  load15: z.number().optional(),
  cores: z.number().optional(),
  memoryTotal: z.number().optional(),
  memoryAvailable: z.number().optional(),
  /** In bytes, for the file system that contains the server's `root`. */
  diskTotal: z.number().optional(),
  /**
   * Without the reserved space of the file system, as in `df`. Older samples lack it; for them it is the total minus
   * the available space.
   */
  diskUsed: z.number().optional(),
  diskAvailable: z.number().optional(),
  uptimeSeconds: z.number().optional(),
  /** `silent`: the daemon runs but does not answer. */
  docker: dockerState.optional(),
  /** Number of running containers. */
  containers: z.number().optional(),
  nginx: nginxState.optional(),
  /** The services that were deployed to the server, by their ids. */
  services: z.record(z.string(), serviceState).optional(),
});
export interface HealthFigures extends z.infer<typeof healthFigures> {}

/** One probe of one server. */
export const healthSample = healthFigures.extend({
  server: z.string(),
  at: z.string(),
  ok: z.boolean(),
  tookMs: z.number(),
  /** Why the server could not be reached: code and message. */
  code: z.string().optional(),
  reason: z.string().optional(),
});
export interface HealthSample extends z.infer<typeof healthSample> {}

/** The newest probe of a server, as lists show it. */
export const newestHealth = healthSample
  .extend({
    /** When the server was last reached, if ever. */
    seenAt: z.string().optional(),
  })
  .meta({ id: 'NewestHealth' });
export interface NewestHealth extends z.infer<typeof newestHealth> {}

export const healthRange = z.strictObject({
  min: z.number(),
  avg: z.number(),
  max: z.number(),
});
export interface HealthRange extends z.infer<typeof healthRange> {}

/** Aggregated samples of an interval. */
export const healthPoint = z.strictObject({
  at: z.string(),
  samples: z.number(),
  failed: z.number(),
  load: healthRange.optional(),
  cores: z.number().optional(),
  /** Memory in use, from 0 to 1. */
  memory: healthRange.optional(),
  disk: healthRange.optional(),
});
export interface HealthPoint extends z.infer<typeof healthPoint> {}

export const unreachablePeriod = z.strictObject({
  from: z.string(),
  /** Absent if the server is still unreachable. */
  to: z.string().optional(),
  reason: z.string().optional(),
});
export interface UnreachablePeriod extends z.infer<typeof unreachablePeriod> {}

export const healthHistory = z
  .strictObject({
    id: z.string(),
    from: z.string(),
    to: z.string(),
    /** Points further apart than this have a gap between them. */
    gapSeconds: z.number(),
    points: z.array(healthPoint),
    unreachable: z.array(unreachablePeriod),
  })
  .meta({ id: 'HealthHistory' });
export interface HealthHistory extends z.infer<typeof healthHistory> {}
