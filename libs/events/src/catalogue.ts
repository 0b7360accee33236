/** All event types. Nouns with rules list their events here. Those of nouns of the kit come from `nouns.ts`. */
import type { z } from 'zod';
import { alertEvents } from './alerts.events';
import { alertMessageEvents } from './alert-channels.events';
import { backupEvents, BACKUPS_ID, restorationEvents } from './backups.events';
import { certificateEvents } from './certificates.events';
import { creationEvents, madeThing } from './creations.events';
import { cloudAccountEvents, cloudDatabaseEvents, cloudDomainEvents, dropletEvents } from './cloud.events';
import { credentialEvents } from './credentials.events';
import { type EventDefinition, LOG_STREAM, logEvents, type RecordedEvent } from '@quarterdeck/log';
import { packagePullEvents } from './package-pulls.events';
import { dnsEvents } from './dns.events';
import { domainEvents } from './domains.events';
import { eventsOf } from './kit/schemas';
import { ownViewed, plainNouns, type PlainData } from './nouns';
import { emailEvents, mailTokenEvents } from './mails.events';
import { invitationEvents, personEvents } from './people.events';
import { publicTokenEvents } from './public-tokens.events';
import { deployEvents } from './deploys.events';
import { pushEvents, pushTokenEvents } from './pushes.events';
import { repositoryEvents } from './repositories.events';
import { runEvents } from './runs.events';
import { serverEvents } from './servers.events';
import { MAINTENANCE_ID, superadminEvents } from './superadmin.events';
import { textEvents } from './texts.events';
import { appTokenEvents, variableEvents } from './variables.events';
import { versionEvents } from './versions.events';
import { workflowTokenEvents } from './workflow-triggers.events';
import { workflowInstanceEvents, workflowVersionEvents } from './workflows.events';
import { workspaceEvents } from './workspaces.events';

export type {
  alertEvents,
  alertMessageEvents,
  appTokenEvents,
  backupEvents,
  certificateEvents,
  creationEvents,
  cloudAccountEvents,
  cloudDatabaseEvents,
  cloudDomainEvents,
  credentialEvents,
  packagePullEvents,
  dnsEvents,
  domainEvents,
  dropletEvents,
  emailEvents,
  invitationEvents,
  logEvents,
  mailTokenEvents,
  personEvents,
  publicTokenEvents,
  pushEvents,
  pushTokenEvents,
  deployEvents,
  repositoryEvents,
  restorationEvents,
  runEvents,
  serverEvents,
  superadminEvents,
  textEvents,
  variableEvents,
  versionEvents,
  workflowInstanceEvents,
  workflowTokenEvents,
  workflowVersionEvents,
  workspaceEvents,
};

export { BACKUPS_ID, LOG_STREAM, madeThing, MAINTENANCE_ID };

const plainEvents = Object.assign({}, ...[...ownViewed, ...plainNouns].map(eventsOf)) as {
  [T in keyof PlainData]: EventDefinition<z.ZodType<PlainData[T]>>;
};

export const catalogue = {
  ...workspaceEvents,
  ...personEvents,
  ...invitationEvents,
  ...serverEvents,
  ...runEvents,
  ...domainEvents,
  ...certificateEvents,
  ...dnsEvents,
  ...packagePullEvents,
  ...repositoryEvents,
  ...alertEvents,
  ...alertMessageEvents,
  ...creationEvents,
  ...credentialEvents,
  ...logEvents,
  ...superadminEvents,
  ...backupEvents,
  ...restorationEvents,
  ...versionEvents,
  ...variableEvents,
  ...appTokenEvents,
  ...publicTokenEvents,
  ...emailEvents,
  ...mailTokenEvents,
  ...deployEvents,
  ...pushEvents,
  ...pushTokenEvents,
  ...textEvents,
  ...workflowInstanceEvents,
  ...workflowTokenEvents,
  ...workflowVersionEvents,
  ...cloudAccountEvents,
  ...dropletEvents,
  ...cloudDatabaseEvents,
  ...cloudDomainEvents,
  ...plainEvents,
};

export type EventType = keyof typeof catalogue;
export type EventData<T extends EventType> = z.infer<(typeof catalogue)[T]['schema']>;

/** An event as a decider returns it, before it is appended to the log. */
export type AppEvent = { [T in EventType]: { type: T; data: EventData<T> } }[EventType];
/** The events of one noun: `EventsOf<typeof serverEvents>`. */
export type EventsOf<C extends Partial<typeof catalogue>> = Extract<AppEvent, { type: keyof C }>;
/** An event as folds see it. */
export type LoggedEvent = { [T in EventType]: RecordedEvent<T, EventData<T>> }[EventType];

export const isEventType = (type: string): type is EventType => Object.hasOwn(catalogue, type);
