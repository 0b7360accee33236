/** The read models: pure folds and their views. The runner that fills tables with them is `./runner`. */
import { plainNouns } from '@quarterdeck/events';
import { alertMessages } from './alert-channels';
import { alerts } from './alerts';
import { creations } from './creations';
import { cloudAccounts, cloudDatabases, droplets } from './cloud';
import { credentials } from './credentials';
import { packagePulls } from './package-pulls';
import { domains } from './domains';
import { foreignEvents } from './foreign-events';
import { history } from './history';
import { foldOf } from './kit/fold';
import { invitations, people } from './people';
import { emails, mailTokens } from './mails';
import { deploys } from './deploys';
import { runs } from './runs';
import { scripts } from './scripts';
import { servers } from './servers';
import { subjects } from './subjects';
import { publicTokens } from './public-tokens';
import { pushes, pushTokens } from './pushes';
import { texts } from './texts';
import { appTokens, variables } from './variables';
import { versions } from './versions';
import { workflowTokens } from './workflow-triggers';
import { workflowInstances, workflowStates, workflowVersions } from './workflows';
import { workspaces } from './workspaces';

export * from './alert-causes';
export * from './alert-channels';
export * from './alert-rules';
export * from './alert-silence';
export * from './clocks';
export * from './alert-severity';
export * from './alerts';
export * from './attention';
export * from './backup-verdict';
export * from './backups';
export * from './creations';
export * from './cloud';
export * from './credentials';
export * from './define-projection';
export * from './package-pulls';
export * from './differences';
export * from './domain-columns';
export * from './domain-verdict';
export * from './domain-view';
export * from './domains';
export * from './event-words';
export * from './expiry-calendar';
export * from './fault-line';
export * from './fleet';
export * from './foreign-events';
export * from './hashed';
export * from './health';
export * from './service-metrics';
export * from './site-traffic';
export * from './history';
export * from './kit/columns';
export * from './kit/fold';
export * from './lifetime';
export * from './listing';
export * from './mails';
export * from './instants';
export * from './people';
export * from './people-columns';
export * from './pointing';
export * from './public-tokens';
export * from './pushes';
export * from './deploys';
export * from './run-output';
export * from './run-verdict';
export * from './runs';
export * from './scripts';
export * from './server-columns';
export * from './server-verdict';
export * from './service-verdict';
export * from './servers';
export * from './site-problem-words';
export * from './ssl';
export * from './ssl-columns';
export * from './subjects';
export * from './superadmin';
export * from './text-units';
export * from './texts';
export * from './undo';
export * from './unicode-name';
export * from './verdict';
export * from './variables';
export * from './versions';
export * from './workflow-triggers';
export * from './workflows';
export * from './workspaces';

/** All read models, as the runner follows them. */
export const projections = [
  workspaces,
  people,
  invitations,
  servers,
  scripts,
  runs,
  domains,
  packagePulls,
  alerts,
  alertMessages,
  creations,
  credentials,
  versions,
  variables,
  appTokens,
  publicTokens,
  emails,
  mailTokens,
  deploys,
  pushes,
  pushTokens,
  texts,
  workflowInstances,
  workflowStates,
  workflowTokens,
  workflowVersions,
  cloudAccounts,
  droplets,
  cloudDatabases,
  ...plainNouns.map((noun) => foldOf(noun)),
  subjects,
  foreignEvents,
  history,
] as const;
