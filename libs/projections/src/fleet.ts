/** A run over many servers, as it is answered: a line for each server, whether it has its turn yet or not. */
import { z } from 'zod';
import { runView } from './runs';

export const fleetHost = z.strictObject({
  server: z.strictObject({
    id: z.string(),
    name: z.string(),
  }),
  /** Known before there is a run. */
  runId: z.string(),
  run: runView.optional(),
  /** Why there is no run, and will be none. */
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
