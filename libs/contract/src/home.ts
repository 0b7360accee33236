/** The home page: items that need attention, and the set-up progress of the workspace. */
import { nothing } from '@quarterdeck/events/inputs';
import { attentionItem } from '@quarterdeck/projections';
import { z } from 'zod';
import { calls } from './call';

/** The first steps in a new workspace: whether each is done, and the record for the next one. */
const steps = z.strictObject({
  server: z.boolean(),
  setUp: z.boolean(),
  domain: z.boolean(),
  certificate: z.boolean(),
  invitation: z.boolean(),
  /** The first server that is not set up. */
  nextServer: z.string().optional(),
  /** The first domain without a certificate. */
  nextDomain: z.string().optional(),
});

const overview = z.strictObject({
  /** The worst first. At most 50. */
  attention: z.array(attentionItem),
  /** How many there are in all. */
  attentionCount: z.number(),
  counts: z.strictObject({ products: z.number(), domains: z.number(), servers: z.number() }),
  steps,
});

export const home = calls('home', 'admin', {
  overview: {
    summary: 'Things that need attention, counts, and the progress of the first steps',
    input: nothing,
    answer: overview,
    shows: ['servers', 'domains', 'runs', 'alerts', 'people', 'products', 'workspaces'],
    asOf: true,
  },
});
