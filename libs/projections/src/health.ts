/** What probes found. Plain rows that age and go, no folds of events: the events say only when the state changed. */
import { z } from 'zod';

export const dockerState = z.enum(['absent', 'stopped', 'running', 'silent']);
export type DockerState = z.infer<typeof dockerState>;
export const nginxState = z.enum(['absent', 'stopped', 'running']);
export type NginxState = z.infer<typeof nginxState>;

/** What a server told of itself. Whatever it could not tell is left out. */
export const healthFigures = z.strictObject({
  /** Over 1, 5 and 15 minutes. */
  load1: z.number().optional(),
  load5: z.number().optional(),
  load15: z.number().optional(),
  cores: z.number().optional(),
  memoryTotal: z.number().optional(),
  memoryAvailable: z.number().optional(),
  /** In bytes, of the file system that holds the server's `root`. */
  diskTotal: z.number().optional(),
  /** Without what the file system reserves, as `df` counts it. Older samples lack it: it is the total less the available. */
  diskUsed: z.number().optional(),
  diskAvailable: z.number().optional(),
  uptimeSeconds: z.number().optional(),
  /** `silent`: its daemon runs and does not answer. */
  docker: dockerState.optional(),
  /** Running ones. */
  containers: z.number().optional(),
  nginx: nginxState.optional(),
});
export interface HealthFigures extends z.infer<typeof healthFigures> {}

/** One probe of one server. */
export const healthSample = healthFigures.extend({
  server: z.string(),
  at: z.string(),
  ok: z.boolean(),
  tookMs: z.number(),
  /** Why the server was not reached, as code and in words. */
  code: z.string().optional(),
  reason: z.string().optional(),
});
export interface HealthSample extends z.infer<typeof healthSample> {}

/** The newest probe of a server, as lists tell it. */
export const newestHealth = healthSample
  .extend({
    /** When it was last reached, if ever. */
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

/** What a stretch of time comes to. */
export const healthPoint = z.strictObject({
  at: z.string(),
  samples: z.number(),
  failed: z.number(),
  load: healthRange.optional(),
  cores: z.number().optional(),
  /** In use, from 0 to 1. */
  memory: healthRange.optional(),
  disk: healthRange.optional(),
});
export interface HealthPoint extends z.infer<typeof healthPoint> {}

export const unreachablePeriod = z.strictObject({
  from: z.string(),
  /** Absent: still so. */
  to: z.string().optional(),
  reason: z.string().optional(),
});
export interface UnreachablePeriod extends z.infer<typeof unreachablePeriod> {}

export const healthHistory = z
  .strictObject({
    id: z.string(),
    from: z.string(),
    to: z.string(),
    /** Points that are further apart than this have a gap between them. */
    gapSeconds: z.number(),
    points: z.array(healthPoint),
    unreachable: z.array(unreachablePeriod),
  })
  .meta({ id: 'HealthHistory' });
export interface HealthHistory extends z.infer<typeof healthHistory> {}
