/** Alerts about certificates. */
import { alertList, byId, nothing } from '@quarterdeck/events/inputs';
import { alertView } from '@quarterdeck/projections';
import { z } from 'zod';
import { ids } from './answers';
import { calls } from './call';

export const alerts = calls('alert', {
  list: {
    summary: 'Alerts, newest first, with their webhook deliveries',
    access: 'admin',
    input: alertList,
    answer: z.array(alertView),
    shows: 'alerts',
    asOf: true,
  },
  dismiss: {
    summary: 'Dismisses an alert for everybody; the webhook gets no further messages about it',
    access: 'admin',
    input: byId,
    answer: ids,
    stales: 'alerts',
  },
  test: {
    summary: 'Sends one test to the webhook; the result appears in the list',
    access: 'admin',
    input: nothing,
    answer: ids,
    stales: 'alerts',
  },
});
