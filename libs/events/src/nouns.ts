/** All nouns. Code that handles every noun starts here. A noun with a missing part does not compile. */
import { alert } from './alerts.noun';
import { alertChannel, alertMessage } from './alert-channels.noun';
import { alertRule } from './alert-rules.noun';
import { apiInstance, endpoint, oauthParam } from './api-instances.noun';
import { backup, restoration } from './backups.noun';
import { creation } from './creations.noun';
import { cloudAccount, cloudDatabase, cloudDomain, droplet } from './cloud.noun';
import { credentials } from './credentials.noun';
import type { AnyNoun } from './define-noun';
import { database } from './databases.noun';
import { packagePull } from './package-pulls.noun';
import { dnsRecord } from './dns.noun';
import { domain } from './domains.noun';
import { attribute, entity } from './entities.noun';
import { saidBy, type NounDataOf, type PlainNoun, type UndoTypesOf } from './kit/noun';
import type { CommandData } from './kit/rich';
import { email, mailToken } from './mails.noun';
import { maintenanceWindow } from './maintenance-windows.noun';
import { schedule } from './schedules.noun';
import { log } from './log.noun';
import { notification } from './notifications.noun';
import { optionSet, optionSetValue } from './option-sets.noun';
import { servicePackage } from './service-packages.noun';
import { invitation, person } from './people.noun';
import { product } from './products.noun';
import { publicToken } from './public-tokens.noun';
import { deployRule, push, pushToken } from './pushes.noun';
import { registry } from './registries.noun';
import { deploy } from './deploys.noun';
import { repository } from './repositories.noun';
import { request, requestCollection, requestParam, requestSecret, requestVariable } from './requests.noun';
import { run } from './runs.noun';
import { script } from './scripts.noun';
import { server } from './servers.noun';
import { service } from './services.noun';
import { maintenance } from './superadmin.noun';
import { text } from './texts.noun';
import { appToken, variable } from './variables.noun';
import { version } from './versions.noun';
import { workflowToken, workflowTrigger } from './workflow-triggers.noun';
import {
  workflow,
  workflowInstance,
  workflowNode,
  workflowTransition,
  workflowVersion,
} from './workflows.noun';
import { workspace } from './workspaces.noun';

export {
  confirmedThings,
  creationKinds,
  creationPlans,
  creationSections,
  optionalSections,
  sectionLabel,
  type CreationKind,
  type CreationSection,
} from './creations.noun';
export { channelKinds, leastSeverities, type ChannelKind } from './alert-channels.noun';
export { recipientsIn } from './alert-channel-rules';
export { cloudNames } from './cloud.noun';
export {
  DEFAULT_STATUS,
  endpointActors,
  endpointMethods,
  endpointPermissions,
  noPort,
  TENANT,
  type ApiServer,
} from './api-instances.noun';
export { issuersOf, oauthOptions, oauthServices, zohoDataCentres, type OauthService } from './oauth-services';
export { databaseTypes, environments } from './databases.noun';
export { SET_UP } from './servers.noun';
export { refusedDigest, refusedPackage } from './service-packages.noun';
export { packageTypes, refusedPort, repositoryNamed, serviceDatabases } from './services.noun';
export { approvals } from './pushes.noun';
export {
  missedBy,
  isPreRelease,
  pushStarts,
  type PushedVersion,
  type PushRuleFields,
  type PushStart,
} from './push-rules';
export { programOf } from './scripts.noun';
export { triggerKinds, type TriggerKind } from './workflow-triggers.noun';
export {
  emptyBodyMethods,
  identifiesCaller,
  refusedHeader,
  refusedParamValue,
  requestDataTypes,
  requestLocations,
  requestMethods,
  SECRET_PREFIX,
} from './requests.noun';
export {
  alertChannel,
  alertRule,
  apiInstance,
  attribute,
  database,
  deployRule,
  endpoint,
  entity,
  maintenanceWindow,
  notification,
  oauthParam,
  optionSet,
  optionSetValue,
  product,
  registry,
  request,
  requestCollection,
  requestParam,
  requestSecret,
  requestVariable,
  schedule,
  script,
  service,
  servicePackage,
  workflow,
  workflowNode,
  workflowTransition,
  workflowTrigger,
};

/** Nouns with pages of their own, in the order in which the history's filter offers them. */
const withPages = [
  server,
  domain,
  run,
  script,
  packagePull,
  alert,
  alertMessage,
  dnsRecord,
  person,
  creation,
  credentials,
  invitation,
  workspace,
  log,
  maintenance,
  backup,
  restoration,
  version,
  variable,
  appToken,
  publicToken,
  email,
  mailToken,
  deploy,
  push,
  pushToken,
  repository,
  text,
  workflowInstance,
  workflowToken,
  workflowVersion,
  cloudAccount,
  droplet,
  cloudDatabase,
  cloudDomain,
] as const;

/** Nouns of the kit, plain and rich. Listing one here creates its events, read model, calls and undo. */
export const plainNouns = [
  product,
  optionSet,
  optionSetValue,
  entity,
  attribute,
  database,
  service,
  servicePackage,
  deployRule,
  registry,
  notification,
  request,
  requestCollection,
  requestParam,
  requestSecret,
  requestVariable,
  workflow,
  workflowNode,
  workflowTransition,
  workflowTrigger,
  apiInstance,
  oauthParam,
  endpoint,
  alertChannel,
  alertRule,
  maintenanceWindow,
  schedule,
] as const;

/** Nouns of the kit with a read model, calls and pages of their own. They have their events and undo from the kit. */
export const ownViewed = [script] as const;

type WithRules = Exclude<(typeof withPages)[number], OwnViewed>;
type OwnViewed = (typeof ownViewed)[number];
type Plain = (typeof plainNouns)[number];
type OfKit = Plain | OwnViewed;

const isOfKit = (noun: AnyNoun | PlainNoun): noun is PlainNoun => 'fields' in noun;

export const nouns: readonly AnyNoun[] = [...withPages, ...plainNouns].map((noun: AnyNoun | PlainNoun) =>
  isOfKit(noun) ? saidBy(noun) : noun,
);

type KeysOf<T> = T extends unknown ? keyof T : never;
type RowsOf<T> = T extends { rows: infer R } ? R : never;
type StaleOf<T> = T extends { stale: readonly (infer S)[] } ? S : never;
type EventsIn<T> = T extends { events: infer E } ? E[keyof E] : never;
type UndoOf<T> = T extends { undo: readonly (infer U)[] } ? U : never;
type Both<T> = (T extends unknown ? (each: T) => void : never) extends (all: infer A) => void ? A : never;

/** Data of the events of all nouns of the kit. */
export type PlainData = Both<NounDataOf<OfKit>>;

/** Categories of the nouns with rules. Each has its own pages. */
export type CategoryWithRules = WithRules['category'] | OwnViewed['category'];
export type Category = CategoryWithRules | Plain['category'];
/** A read model that screens show. Nouns need not list `history`, because every event makes it stale. */
export type ReadModel = RowsOf<WithRules> | StaleOf<WithRules> | OfKit['rows'] | 'history';
export type SaidType = KeysOf<WithRules['events']> | keyof PlainData;
export type UndoableType =
  | UndoOf<WithRules>
  | Extract<keyof PlainData, UndoTypesOf<OfKit>>
  | keyof Both<CommandData<OfKit>>;
/** A read model that an event makes stale, but that belongs to no noun. */
export type StrayReadModel = Exclude<StaleOf<EventsIn<WithRules>>, ReadModel>;
export const nounOf = (category: string): AnyNoun | undefined =>
  nouns.find((noun) => noun.category === category);

export const plainNounOf = (category: string | undefined): PlainNoun | undefined =>
  (plainNouns as readonly PlainNoun[]).find((noun) => noun.category === category);

/** The value that names records of that category; undefined if they have no name. */
export const namedBy = (category: string): string | undefined => {
  const named = plainNounOf(category)?.named ?? nounOf(category)?.named;
  return typeof named === 'string' ? named : undefined;
};

const undoable: ReadonlySet<string> = new Set(nouns.flatMap(({ undo = [] }) => undo));

export const undoableTypes = [...undoable] as readonly UndoableType[];

export const isUndoable = (type: string): type is UndoableType => undoable.has(type);
