/** Labels of runs and their steps. */
import { certificateRuns } from './certificates.runs';
import { creationRuns } from './creations.runs';
import { cloudRuns } from './cloud.runs';
import { databaseRuns } from './databases.runs';
import type { RunWords } from './define-run';
import { deployRuns } from './deploys.runs';
import { fleetRuns } from './fleet.runs';
import { logRuns } from './logs.runs';
import { requestRuns } from './requests.runs';
import { mailRuns } from './mails.runs';
import { scriptRuns } from './scripts.runs';
import { commandRuns, setupRuns } from './servers.runs';
import { serviceRuns } from './services.runs';
import { siteRuns } from './sites.runs';
import { sslRuns } from './ssl.runs';
import { textRuns } from './texts.runs';
import { modelRuns, versionRuns } from './versions.runs';

/** In the order in which a list of kinds offers them. */
const words: Readonly<Record<string, RunWords>> = {
  ...commandRuns,
  ...scriptRuns,
  ...fleetRuns,
  ...setupRuns,
  ...logRuns,
  ...siteRuns,
  ...certificateRuns,
  ...creationRuns,
  ...cloudRuns,
  ...databaseRuns,
  ...mailRuns,
  ...modelRuns,
  ...serviceRuns,
  ...versionRuns,
  ...deployRuns,
  ...requestRuns,
  ...sslRuns,
  ...textRuns,
};

/** All kinds of runs. */
export const kindsOfRuns: readonly string[] = Object.keys(words);

const own = <T>(table: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined;

/** Label of a kind of run: 'Docker containers' for fixed command 2. */
export const runLabel = (kind: string, input: Record<string, unknown>): string =>
  own(words, kind)?.label(input) ?? kind;

/** Default reason of a cancelled run. The cancel request records who asked. */
export const AS_ASKED = 'as an operator asked';

/** The recorded reason without `AS_ASKED`; `''` if nothing else was recorded. */
export const reasonBesideAsking = (reason: string): string =>
  reason.startsWith(AS_ASKED) ? reason.slice(AS_ASKED.length).replace(/^; /, '') : reason;

/** Label of a step: 'Docker containers' for step `dockerPs` of a fixed command. */
export const stepLabel = (kind: string, step: string): string =>
  own(own(words, kind)?.steps ?? {}, step) ?? step;

const everyLabel = new Map<string, Set<string>>();
for (const { steps } of Object.values(words))
  for (const [step, label] of Object.entries(steps))
    everyLabel.set(step, (everyLabel.get(step) ?? new Set()).add(label));

export const hasStepLabel = (kind: string, step: string): boolean =>
  own(own(words, kind)?.steps ?? {}, step) !== undefined;

/** Label of a step whose kind of run is unknown: its name, unless all kinds with such a step agree. */
export const anyStepLabel = (step: string): string => {
  const [label, ...others] = everyLabel.get(step) ?? [];
  return label === undefined || others.length > 0 ? step : label;
};
