/** Labels of runs and their steps. */
import { commandOf, commandTypes } from './commands';

const labels: Record<string, (input: Record<string, unknown>) => string | undefined> = {
  command: ({ cmdType }) => commandOf(Number(cmdType))?.label,
  script: ({ name }) => (typeof name === 'string' ? name : undefined),
  /** One command or one script on many servers. */
  fleet: (input) => labels[input.cmdType === undefined ? 'script' : 'command']?.(input),
  initializeServer: () => 'Initialize Server',
  installDocker: () => 'Install Docker',
  applySite: ({ restored }) => (restored === undefined ? 'Apply configuration' : 'Restore configuration'),
  removeSite: () => 'Remove configuration',
  lookAtSite: () => 'Compare configuration',
  locationLogs: ({ location }) => `Logs of ${String(location)}`,
  inspectLocation: ({ location }) => `Inspect ${String(location)}`,
  issueCertificate: () => 'Issue certificate',
  renewCertificate: () => 'Renew certificate',
  removeCertificate: () => 'Remove certificate',
  removeDomain: () => 'Remove domain',
  removeLeft: () => 'Remove what was left behind',
  testDatabase: () => 'Test connection',
  createDatabase: () => 'Create database and user',
  firstInstance: () => 'Create the first instance',
  editModel: () => 'Edit the data model',
  createService: () => 'Create service',
  cleanUpService: () => 'Clean up service',
  applyVersion: ({ version, actual }) =>
    version === undefined
      ? 'Apply version'
      : `${actual === undefined ? 'Apply' : 'Repair to'} version ${Number(version)}`,
  deployService: ({ version, rollbackTo }) =>
    `${rollbackTo === undefined ? 'Deploy' : 'Roll back to'} ${typeof version === 'string' ? version : 'a package'}`,
  stopService: ({ version }) => `Stop ${typeof version === 'string' ? version : 'a service'}`,
  sslMonitor: ({ checkOnly }) => (checkOnly === true ? 'Check certificates' : 'SSL monitor'),
};

/** All kinds of runs. */
export const kindsOfRuns: readonly string[] = Object.keys(labels);

const own = <T>(table: Record<string, T>, name: string): T | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined;

/** Label of a kind of run: 'Docker containers' for fixed command 2. */
export const runLabel = (kind: string, input: Record<string, unknown>): string =>
  own(labels, kind)?.(input) ?? kind;

const certificateSteps = {
  preflight: 'DNS and rate limits',
  lineage: "Look at certbot's certificates",
  folders: 'Folders',
  apply: 'Site over HTTP',
  recordSite: 'Record the configuration',
  webroot: 'Check the ACME challenge',
  order: 'Begin the order',
  prove: 'Prove the names in DNS',
  certbot: 'Order with certbot',
  unprove: 'Remove the proof from DNS',
  stop: 'End the order',
  record: 'Record the certificate',
  folders2: 'Folders',
  install: 'Site over TLS',
  recordTls: 'Record the configuration',
  served: 'Check the served certificate',
};

const stepLabels: Record<string, Record<string, string>> = {
  command: Object.fromEntries(commandTypes.map(({ name, label }) => [name, label])),
  script: { script: 'Script' },
  fleet: { servers: 'On each server' },
  initializeServer: {
    reach: 'Reach the server',
    system: 'Operating system and privileges',
    prerequisites: 'Prerequisites',
    folders: 'Folders',
    nginx: 'Install nginx',
    nginxInclude: 'Include its folder in nginx',
    nginxConnections: 'Connections of nginx',
    unknownNames: 'Refuse unknown names',
    nginxService: 'Start nginx',
    certbot: 'Install certbot',
    firewall: 'Check the firewall',
    facts: 'Facts',
  },
  applySite: {
    before: 'Check the site before the change',
    folders: 'Folders',
    apply: 'Test, swap and reload',
    probe: 'Check the live site',
    putBack: 'Restore the last good configuration',
    verdict: 'Verdict',
    prove: 'Ask the site on its server',
    answer: 'Ask the site as visitors do',
  },
  issueCertificate: certificateSteps,
  renewCertificate: certificateSteps,
  removeCertificate: {
    folders: 'Folders',
    apply: 'Back to plain HTTP',
    recordSite: 'Record the configuration',
    certbot: 'Remove the certificate',
    served: 'Check the served certificate',
  },
  removeDomain: { remove: 'Remove the configuration', certbot: 'Remove the certificate' },
  removeLeft: { remove: 'Remove the configuration', certbot: 'Remove the certificate' },
  sslMonitor: { fetch: 'Fetch domains', check: 'Check each', renew: 'Renew expired' },
  testDatabase: { test: 'Connect and inspect' },
  createDatabase: {
    look: 'Check whether it exists',
    create: 'Database, user and grant',
    verify: 'Connect as the new user',
  },
  applyVersion: { apply: 'Statements' },
  firstInstance: { create: 'Instance and administrator' },
  editModel: { edit: 'Edits' },
  deployService: {
    variables: 'Variables whose values were destroyed',
    pull: 'Pull the image',
    start: 'Start the new container and switch the proxy to it',
    // A separate step only in runs recorded by earlier versions.
    switch: 'Test and switch the proxy',
    locations: 'Move locations to the new port',
    retire: 'Stop the old container',
    find: 'Find the package in the registry',
    download: 'Download and unpack it',
    swap: 'Test the proxy and swap the link to the files',
    tidy: 'Remove old versions',
    settle: 'Settle what the cancel left',
  },
  stopService: {
    stop: 'Remove the proxy and stop the container',
    removeFiles: 'Remove the proxy and the files',
  },
  createService: {
    create: 'Repository',
    createFront: 'Repository of the client part',
    upgradeDataModel: 'Add the data model',
    init: 'Initialize',
    initFront: 'Initialize the client part',
    addEnvVar: 'Add environment variables',
  },
  cleanUpService: {
    deleteFront: 'Delete the repository of the client part',
    delete: 'Delete the repository',
    removeService: 'Remove the service',
  },
  removeSite: { remove: 'Remove it and reload nginx' },
  lookAtSite: { look: 'Read the file on the server' },
  locationLogs: { logs: 'Follow the logs' },
  inspectLocation: {
    inspect: 'Request the upstream from the server',
    site: 'Ask the site as visitors do',
  },
  installDocker: {
    system: 'Operating system and privileges',
    engine: 'Install the engine',
    daemon: 'Start the engine',
    compose: 'Install compose',
    verify: 'Run a container',
  },
};

/** Default reason of a cancelled run. The cancel request records who asked. */
export const AS_ASKED = 'as an operator asked';

/** The recorded reason without `AS_ASKED`; `''` if nothing else was recorded. */
export const reasonBesideAsking = (reason: string): string =>
  reason.startsWith(AS_ASKED) ? reason.slice(AS_ASKED.length).replace(/^; /, '') : reason;

/** Label of a step: 'Docker containers' for step `dockerPs` of a fixed command. */
export const stepLabel = (kind: string, step: string): string =>
  own(own(stepLabels, kind) ?? {}, step) ?? step;

const everyLabel = new Map<string, Set<string>>();
for (const labelled of Object.values(stepLabels))
  for (const [step, label] of Object.entries(labelled))
    everyLabel.set(step, (everyLabel.get(step) ?? new Set()).add(label));

/** Label of a step whose kind of run is unknown. Used only if all kinds with such a step agree. */
export const anyStepLabel = (step: string): string => {
  const [label, ...others] = everyLabel.get(step) ?? [];
  return label === undefined || others.length > 0 ? step : label;
};
