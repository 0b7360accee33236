/** Alerts about certificates. */
import { alertList, byId, listPage, nothing } from '@quarterdeck/events/inputs';
import { alertView, listPageOf } from '@quarterdeck/projections';
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
  page: {
    summary: 'One page of the alerts, newest first, with their webhook deliveries',
    access: 'admin',
    input: listPage,
    answer: listPageOf(alertView),
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
