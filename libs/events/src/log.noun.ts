import { defineNoun } from './define-noun';
import type { logEvents } from '@quarterdeck/log';

export const log = defineNoun<typeof logEvents>()({
  category: 'log',
  stale: [],
  audience: 'superadmin',
  events: {
    LogFounded: () => 'created the event log',
    LogKeysRewrapped: () => 're-encrypted the keys of the event log with a new master key',
    ForeignEventsAcknowledged: (d) =>
      `acknowledged ${d.count} foreign events in the event log, up to ${d.upTo}: ${d.reason}`,
    LogSealed: (d) => `sealed the log up to ${d.position}`,
    LogMoved: (d) => `closed the event log here; it continues at ${d.to}`,
    LogArrived: (d) => `continued the event log at ${d.at}`,
  },
});
