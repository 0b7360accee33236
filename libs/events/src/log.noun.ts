import { defineNoun } from './define-noun';
import type { logEvents } from './log.events';

export const log = defineNoun<typeof logEvents>()({
  category: 'log',
  stale: [],
  audience: 'superadmin',
  events: {
    LogFounded: () => 'founded the event log',
    LogKeysRewrapped: () => 'put the event log under a new master key',
    ForeignEventsAcknowledged: (d) =>
      `looked at ${d.count} events of others in the event log, up to ${d.upTo}: ${d.reason}`,
    LogSealed: (d) => `sealed the log up to ${d.position}`,
    LogMoved: (d) => `closed the event log here, to go on at ${d.to}`,
    LogArrived: (d) => `went on with the event log at ${d.at}`,
  },
});
