/** Results of health probes. */
import { healthHistory as historyAsked, nothing } from '@quarterdeck/events/inputs';
import { healthHistory, newestHealth, serviceMetrics } from '@quarterdeck/projections';
import { z } from 'zod';
import { calls } from './call';
import { demo } from './demo';

export const health = calls('health', 'admin', {
  list: {
    summary: 'The newest probe of each server',
    input: nothing,
    answer: z.array(newestHealth),
    shows: 'servers',
    asOf: true,
  },
  history: {
    summary: 'Health of one server over the last hours, in at most 300 points',
    input: historyAsked,
    example: { id: demo.server, hours: 24 },
    answer: healthHistory,
    shows: 'servers',
    asOf: true,
  },
  service: {
    summary:
      'What the container of a service used over the last hours, in at most 300 points, and its restarts',
    input: historyAsked,
    example: { id: demo.service, hours: 24 },
    answer: serviceMetrics,
    shows: ['services', 'servers'],
    asOf: true,
  },
});
