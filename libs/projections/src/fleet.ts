/** Answers about a run over many servers: one entry per server, even before its turn. */
import { z } from 'zod';
import { runView } from './runs';

export const fleetHost = z.strictObject({
  server: z.strictObject({
    id: z.string(),
    name: z.string(),
  }),
  /** Known before the run exists. */
  runId: z.string(),
  run: runView.optional(),
  /** Why there is no run and never will be. */
  notStarted: z.string().optional(),
  lastLine: z.string().optional(),
});
export interface FleetHost extends z.infer<typeof fleetHost> {}

export const fleetDetail = z
  .strictObject({
    run: runView,
    hosts: z.array(fleetHost),
  })
  .meta({ id: 'FleetDetail' });
export interface FleetDetail extends z.infer<typeof fleetDetail> {}
