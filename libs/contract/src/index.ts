/**
 * Every call of the API. The browser gets only what it needs of this, without the schemas: see `contractForBrowsers` in
 * `apps/console/contract-for-browsers.ts`.
 */
import { contractOf, type Call } from './call';
import { accounts } from './accounts';
import { alerts } from './alerts';
import { auth } from './auth';
import { backups } from './backups';
import { ghToken, ghUsername, storedToken } from './credentials';
import { deploys } from './deploys';
import { dns } from './dns';
import { domains } from './domains';
import { fleet } from './fleet';
import { health } from './health';
import { history } from './history';
import { invitations } from './invitations';
import { plainCalls } from './kit';
import { locations } from './locations';
import { moments } from './moments';
import { people } from './people';
import { docs, metrics, probes } from './process';
import { runs } from './runs';
import { scripts } from './scripts';
import { servers } from './servers';
import { sessions } from './sessions';
import { sites } from './sites';
import { ssl } from './ssl';
import { superadmin } from './superadmin';
import { workspaces } from './workspaces';

export * from './call';
export { callsOf, plainCalls, type CallsOf, type NounCalls } from './kit';
export {
  accounts,
  alerts,
  auth,
  backups,
  deploys,
  dns,
  docs,
  domains,
  fleet,
  ghToken,
  ghUsername,
  health,
  history,
  invitations,
  locations,
  metrics,
  moments,
  people,
  probes,
  runs,
  scripts,
  servers,
  sessions,
  sites,
  ssl,
  storedToken,
  superadmin,
  workspaces,
};

export const contract: readonly Call[] = contractOf([
  accounts,
  alerts,
  auth,
  backups,
  deploys,
  dns,
  docs,
  domains,
  fleet,
  ghToken,
  ghUsername,
  health,
  history,
  invitations,
  locations,
  metrics,
  moments,
  people,
  probes,
  runs,
  scripts,
  servers,
  sessions,
  sites,
  ssl,
  storedToken,
  superadmin,
  workspaces,
  ...Object.values(plainCalls),
]);
