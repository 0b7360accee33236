/** What the runs at a provider are started with, in its own words. One function reads it from the recorded request. */
import { dropletActions } from '@quarterdeck/events/inputs';
import { z } from 'zod';
import type { RunContext } from '../runs';

const inputs = {
  createDroplet: z.object({
    name: z.string(),
    region: z.string(),
    size: z.string(),
    image: z.string(),
    backups: z.boolean(),
  }),
  dropletAction: z.object({
    droplet: z.int(),
    type: z.enum(dropletActions),
    size: z.string().default(''),
    newName: z.string().default(''),
    image: z.string().default(''),
  }),
  deleteDroplet: z.object({ droplet: z.int() }),
  createCloudDatabase: z.object({
    name: z.string(),
    engine: z.string(),
    region: z.string(),
    size: z.string(),
  }),
  deleteCloudDatabase: z.object({ cluster: z.string() }),
};

export type CloudRunKind = keyof typeof inputs;
export type CloudRunInput<K extends CloudRunKind> = z.input<(typeof inputs)[K]>;

export const inputOf = <K extends CloudRunKind>(
  kind: K,
  { request }: RunContext,
): z.output<(typeof inputs)[K]> => inputs[kind].parse(request.input) as z.output<(typeof inputs)[K]>;
