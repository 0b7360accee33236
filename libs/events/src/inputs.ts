/** Every input schema, for calls and forms. */
import { object, uuid } from './rules';

export * from './rules';
export { looksSecret, shownAddress } from './shown-address';
export * from './servers.inputs';
export * from './fleet.inputs';
export * from './runs.inputs';
export * from './history.inputs';
export * from './lists.inputs';
export * from './health.inputs';
export * from './instants.inputs';
export * from './sessions.inputs';
export * from './second-factors.inputs';
export * from './people.inputs';
export * from './domains.inputs';
export * from './dns.inputs';
export * from './certificates.inputs';
export * from './cloud.inputs';
export * from './credentials.inputs';
export * from './workspaces.inputs';
export * from './alerts.inputs';
export * from './package-pulls.inputs';
export * from './superadmin.inputs';
export * from './backups.inputs';
export * from './databases.inputs';
export * from './mails.inputs';
export * from './variables.inputs';
export * from './variables-lines';
export * from './variables-text';
export * from './texts.inputs';
export * from './versions.inputs';
export * from './deploys.inputs';
export * from './repositories.inputs';
export * from './requests.inputs';
export * from './services.inputs';

export const byId = object({ id: uuid });
export const nothing = object({});
