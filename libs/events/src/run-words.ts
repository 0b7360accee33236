/** Runs and their steps in words. */
import { commandOf, commandTypes } from './commands';

const labels: Record<string, (input: Record<string, unknown>) => string | undefined> = {
  command: ({ cmdType }) => commandOf(Number(cmdType))?.label,
  script: ({ name }) => (typeof name === 'string' ? name : undefined),
  /** One command or one script over many servers. */
  fleet: (input) => labels[input.cmdType === undefined ? 'script' : 'command']?.(input),
  initializeServer: () => 'Initialize server',
  installDocker: () => 'Install Docker',
};

const own = <T>(table: Record<string, T>, name: string): T | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined;

/** A kind of run in words: 'Docker containers' for the fixed command 2. */
export const runLabel = (kind: string, input: Record<string, unknown>): string =>
  own(labels, kind)?.(input) ?? kind;

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
    nginxInclude: 'Let nginx read its folder',
    nginxService: 'Start nginx',
    certbot: 'Install certbot',
    firewall: 'Look at the firewall',
    facts: 'Facts',
  },
  installDocker: {
    system: 'Operating system and privileges',
    engine: 'Install the engine',
    daemon: 'Start the engine',
    compose: 'Install compose',
    verify: 'Run a container',
  },
};

/** A step in words: 'Docker containers' for step `dockerPs` of a fixed command. */
export const stepLabel = (kind: string, step: string): string =>
  own(own(stepLabels, kind) ?? {}, step) ?? step;

const everyLabel = new Map<string, Set<string>>();
for (const labelled of Object.values(stepLabels))
  for (const [step, label] of Object.entries(labelled))
    everyLabel.set(step, (everyLabel.get(step) ?? new Set()).add(label));

/** A step in words where its kind of run is not known: those that all kinds with such a step agree on. */
export const anyStepLabel = (step: string): string => {
  const [label, ...others] = everyLabel.get(step) ?? [];
  return label === undefined || others.length > 0 ? step : label;
};
