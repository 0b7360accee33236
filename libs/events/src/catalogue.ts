/** Every event type there is. A new feature adds its events here, and nothing compiles until `placement.ts` places them. */
import type { z } from 'zod';
import { alertEvents } from './alerts.events';
import { certificateEvents } from './certificates.events';
import { credentialEvents } from './credentials.events';
import { deployEvents } from './deploys.events';
import { dnsEvents } from './dns.events';
import { domainEvents } from './domains.events';
import type { RecordedEvent } from './envelope';
import { LOG_STREAM, logEvents } from './log.events';
import { invitationEvents, personEvents } from './people.events';
import { runEvents } from './runs.events';
import { scriptEvents } from './scripts.events';
import { serverEvents } from './servers.events';
import { MAINTENANCE_ID, superadminEvents } from './superadmin.events';
import { workspaceEvents } from './workspaces.events';

export type {
  alertEvents,
  certificateEvents,
  credentialEvents,
  deployEvents,
  dnsEvents,
  domainEvents,
  invitationEvents,
  logEvents,
  personEvents,
  runEvents,
  scriptEvents,
  serverEvents,
  superadminEvents,
  workspaceEvents,
};

export { LOG_STREAM, MAINTENANCE_ID };

export const catalogue = {
  ...workspaceEvents,
  ...personEvents,
  ...invitationEvents,
  ...serverEvents,
  ...runEvents,
  ...scriptEvents,
  ...domainEvents,
  ...certificateEvents,
  ...dnsEvents,
  ...deployEvents,
  ...alertEvents,
  ...credentialEvents,
  ...logEvents,
  ...superadminEvents,
};

export type EventType = keyof typeof catalogue;
export type EventData<T extends EventType> = z.infer<(typeof catalogue)[T]['schema']>;

/** A decided event that has no place in the log yet: what deciders return. */
export type AppEvent = { [T in EventType]: { type: T; data: EventData<T> } }[EventType];
/** The events of one noun: `EventsOf<typeof serverEvents>`. */
export type EventsOf<C extends Partial<typeof catalogue>> = Extract<AppEvent, { type: keyof C }>;
/** An event as folds see it. */
export type LoggedEvent = { [T in EventType]: RecordedEvent<T, EventData<T>> }[EventType];

export const isEventType = (type: string): type is EventType => Object.hasOwn(catalogue, type);
