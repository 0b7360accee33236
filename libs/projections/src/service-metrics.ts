/** What the containers of services use. Like the samples of servers they are plain rows that are deleted after a while. */
import { z } from 'zod';
import { healthRange } from './health';

/** What a probe finds of one service: counters since the container started, and its present memory. */
export interface ServiceUsage {
  /** The first 12 digits of its id. */
  container: string;
  state: 'created' | 'running' | 'paused' | 'restarting' | 'removing' | 'exited' | 'dead';
  started?: string;
  /** How often the engine has started it again by itself. */
  restarts: number;
  /** Of its last end, unless it runs. */
  exitCode?: number;
  outOfMemory?: true;
  /** Seconds since the server started, at the moment of the figures. */
  clock?: number;
  /** Microseconds of processor time. */
  cpuUs?: number;
  /** In bytes, without the cache that can be dropped. */
  memory?: number;
  limit?: number;
  /** Bytes; absent if the container uses the network of its server. */
  received?: number;
  sent?: number;
}

const rates = {
  /** 1 is one core. */
  cpu: healthRange.optional(),
  memory: healthRange.optional(),
  /** Bytes in a second. */
  received: healthRange.optional(),
  sent: healthRange.optional(),
};

export const serviceMetricPoint = z.strictObject({
  at: z.string(),
  samples: z.number(),
  ...rates,
  /** Limit of the memory, if it has one. */
  limit: z.number().optional(),
  /** How often it was restarted since the point before. */
  restarts: z.number(),
});
export interface ServiceMetricPoint extends z.infer<typeof serviceMetricPoint> {}

export const serviceRestart = z.strictObject({
  /** When a check found it. */
  at: z.string(),
  count: z.number(),
  exitCode: z.number().optional(),
  outOfMemory: z.boolean().optional(),
});

export const newestUsage = z.strictObject({
  at: z.string(),
  container: z.string(),
  state: z.string(),
  started: z.string().optional(),
  exitCode: z.number().optional(),
  outOfMemory: z.boolean().optional(),
  cpu: z.number().optional(),
  memory: z.number().optional(),
  limit: z.number().optional(),
  received: z.number().optional(),
  sent: z.number().optional(),
});
export interface NewestUsage extends z.infer<typeof newestUsage> {}

/** Why there are no newer figures. */
export const metricsProblem = z.enum([
  'noServer',
  'notChecked',
  'unreachable',
  'dockerAbsent',
  'dockerStopped',
  'dockerSilent',
  'noAccess',
  'noContainer',
  'noFigures',
]);
export type MetricsProblem = z.infer<typeof metricsProblem>;

export const serviceMetrics = z
  .strictObject({
    id: z.string(),
    server: z.strictObject({ id: z.string(), alias: z.string() }).optional(),
    from: z.string(),
    to: z.string(),
    /** Points further apart than this have a gap between them. */
    gapSeconds: z.number(),
    points: z.array(serviceMetricPoint),
    /** The newest 50, newest first. */
    restarts: z.array(serviceRestart),
    /** In the whole range. */
    restarted: z.number(),
    newest: newestUsage.optional(),
    problem: metricsProblem.optional(),
  })
  .meta({ id: 'ServiceMetrics' });
export interface ServiceMetrics extends z.infer<typeof serviceMetrics> {}
