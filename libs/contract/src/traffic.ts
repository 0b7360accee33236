/** Requests to sites, by the minute. */
import { healthHistory } from '@quarterdeck/events/inputs';
import { siteTraffic } from '@quarterdeck/projections';
import { calls } from './call';
import { demo } from './demo';

export const traffic = calls('traffic', 'admin', {
  site: {
    summary: 'Requests, statuses, times and bytes of a site over the last hours, in at most 300 points',
    input: healthHistory,
    example: { id: demo.domain, hours: 24 },
    answer: siteTraffic,
    shows: ['domains', 'servers'],
    asOf: true,
  },
});
