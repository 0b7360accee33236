/** Alerts about certificates. */
import { alertAcknowledgement, alertList, byId, listPage, nothing } from '@quarterdeck/events/inputs';
import { alertView, listPageOf } from '@quarterdeck/projections';
import { z } from 'zod';
import { ids } from './answers';
import { calls } from './call';
import { demo, page } from './demo';

export const alerts = calls('alert', 'admin', {
  list: {
    summary: 'Alerts, newest first, with their webhook deliveries',
    input: alertList,
    example: { open: true },
    answer: z.array(alertView),
    shows: 'alerts',
    asOf: true,
  },
  page: {
    summary: 'One page of the alerts, newest first, with their webhook deliveries',
    input: listPage,
    example: page,
    answer: listPageOf(alertView),
    shows: 'alerts',
    asOf: true,
  },
  dismiss: {
    summary: 'Dismisses an alert for everybody; the webhook gets no further messages about it',
    input: byId,
    example: { id: demo.alert },
    answer: ids,
    stales: 'alerts',
  },
  acknowledge: {
    summary: 'Acknowledges an open alert: nothing more is sent about it until it is over',
    input: alertAcknowledgement,
    example: { id: demo.alert, note: 'The disk is being enlarged.' },
    answer: ids,
    stales: 'alerts',
  },
  test: {
    summary: 'Sends one test to the webhook; the result appears in the list',
    input: nothing,
    answer: ids,
    stales: 'alerts',
  },
});
