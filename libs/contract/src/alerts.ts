/** Alerts about certificates. */
import { alertList, byId, nothing } from '@quarterdeck/events/inputs';
import { alertView } from '@quarterdeck/projections';
import { z } from 'zod';
import { ids } from './answers';
import { calls } from './call';

export const alerts = calls('alert', {
  list: {
    summary: 'Alerts, newest first, with what the webhook was told',
    access: 'admin',
    input: alertList,
    answer: z.array(alertView),
    shows: 'alerts',
    asOf: true,
  },
  dismiss: {
    summary: 'Takes an alert off the banner, for everybody; the webhook is not told of it again',
    access: 'admin',
    input: byId,
    answer: ids,
    stales: 'alerts',
  },
  test: {
    summary: 'Sends a test to the webhook, once; what came of it is in the list',
    access: 'admin',
    input: nothing,
    answer: ids,
    stales: 'alerts',
  },
});
