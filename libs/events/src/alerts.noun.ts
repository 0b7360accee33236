import { defineNoun } from './define-noun';
import type { alertEvents } from './alerts.events';

export const alert = defineNoun<typeof alertEvents>()({
  category: 'alert',
  words: { many: 'Alerts', one: 'One alert' },
  rows: 'alerts',
  audience: 'admin',
  named: { AlertRaised: (d) => d.subject.name },
  events: {
    AlertRaised: (d) => `raised an alert: ${d.says}`,
    AlertResolved: (d) => `resolved the alert: ${d.reason}`,
    AlertDismissed: () => 'dismissed the alert',
    AlertAcknowledged: (d) => `acknowledged the alert${d.note === '' ? '' : `: ${d.note}`}`,
    AlertAcknowledgementWithdrawn: () => 'withdrew the acknowledgement',
    AlertDelivered: (d) => `delivered on attempt ${d.attempt} with status ${d.status}`,
    AlertDeliveryFailed: (d) => `could not be delivered on attempt ${d.attempt}: ${d.reason}`,
  },
  undo: ['AlertAcknowledged'],
});
