/** Results of health probes. */
import { healthHistory as historyAsked, nothing } from '@quarterdeck/events/inputs';
import { healthHistory, newestHealth } from '@quarterdeck/projections';
import { z } from 'zod';
import { calls } from './call';

export const health = calls('health', {
  list: {
    summary: 'The newest probe of each server',
    access: 'admin',
    input: nothing,
    answer: z.array(newestHealth),
    shows: 'servers',
    asOf: true,
  },
  history: {
    summary: 'Health of one server over the last hours, in at most 300 points',
    access: 'admin',
    input: historyAsked,
    answer: healthHistory,
    shows: 'servers',
    asOf: true,
  },
});
