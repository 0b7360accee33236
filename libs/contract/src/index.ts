/**
 * All calls of the API. The browser gets them without schemas: see `contractForBrowsers` in
 * `apps/console/contract-for-browsers.ts`.
 */
import { contractOf, type Call } from './call';
import { accounts } from './accounts';
import { alerts } from './alerts';
import { auth } from './auth';
import { backups } from './backups';
import { ghToken, ghUsername, storedToken } from './credentials';
import { databases } from './databases';
import { packagePulls } from './package-pulls';
import { dns } from './dns';
import { domains } from './domains';
import { attributes, entities } from './entities';
import { fleet } from './fleet';
import { health } from './health';
import { history } from './history';
import { home } from './home';
import { invitations } from './invitations';
import { plainCalls } from './kit';
import { locations } from './locations';
import { instants } from './instants';
import { notices } from './notices';
import { people } from './people';
import { docs, metrics, probes } from './process';
import { deploys } from './deploys';
import { products } from './products';
import { runs } from './runs';
import { scripts } from './scripts';
import { secondFactors } from './second-factors';
import { publishActions, repositories, serviceRepositories } from './repositories';
import { servers } from './servers';
import { sessions } from './sessions';
import { sites } from './sites';
import { ssl } from './ssl';
import { superadmin } from './superadmin';
import { variables } from './variables';
import { migrations, versions } from './versions';
import { workspaces } from './workspaces';

export * from './call';
export type { AttributeWithEntity } from './entities';
export type { ProductWithServices } from './products';
export { callsOf, declared, plainCalls, type AnyNounCalls, type CallsOf, type NounCalls } from './kit';
export {
  accounts,
  alerts,
  attributes,
  auth,
  backups,
  databases,
  packagePulls,
  dns,
  docs,
  domains,
  entities,
  fleet,
  ghToken,
  ghUsername,
  health,
  history,
  home,
  invitations,
  locations,
  metrics,
  migrations,
  instants,
  notices,
  people,
  probes,
  deploys,
  products,
  runs,
  scripts,
  secondFactors,
  publishActions,
  repositories,
  servers,
  serviceRepositories,
  sessions,
  sites,
  ssl,
  storedToken,
  superadmin,
  variables,
  versions,
  workspaces,
};

export const contract: readonly Call[] = contractOf([
  accounts,
  alerts,
  attributes,
  auth,
  backups,
  databases,
  packagePulls,
  dns,
  docs,
  domains,
  entities,
  fleet,
  ghToken,
  ghUsername,
  health,
  history,
  home,
  invitations,
  locations,
  metrics,
  migrations,
  instants,
  notices,
  people,
  probes,
  deploys,
  products,
  runs,
  scripts,
  secondFactors,
  publishActions,
  repositories,
  servers,
  serviceRepositories,
  sessions,
  sites,
  ssl,
  storedToken,
  superadmin,
  variables,
  versions,
  workspaces,
  ...Object.values(plainCalls),
]);
