/** A saved script as a run on one server, with one step: exactly the requested version. */
import type { EventData } from '@quarterdeck/events';
import { mayAttach, type RunKind, type RunRequest } from '../runs';
import { forShell } from './first-line';

/** The content of one version. */
export type ScriptContent = EventData<'ScriptRevised'>;

/**
 * The data about a script that its run keeps. `changes` and the timeout are copied from the version, so the run shows
 * them without the script.
 */
export interface ScriptInput extends Omit<ScriptContent, 'body'> {
  script: string;
  version: number;
  name: string;
}

export const scriptInput = (
  { script, version, name }: Pick<ScriptInput, 'script' | 'version' | 'name'>,
  { changes, timeoutSeconds }: ScriptContent,
): ScriptInput => ({ script, version, name, changes, timeoutSeconds });

/** Only `scriptInput` creates this input. */
const inputOf = ({ input }: RunRequest): ScriptInput => input as unknown as ScriptInput;

export type VersionOf = (script: string, version: number, workspace: string) => Promise<ScriptContent>;

export const scriptKind = (versionOf: VersionOf): RunKind => ({
  kind: 'script',
  changes: (request) => inputOf(request).changes,
  steps: (request) => {
    const { script, version, timeoutSeconds, changes } = inputOf(request);
    const timeoutMs = timeoutSeconds * 1000;
    const attached = mayAttach({ changes, timeoutMs });
    return [
      {
        on: 'server',
        name: 'script',
        // Read from the script's events, so it is the requested version, whatever has happened to the script since.
        script: async (_context, { workspace }) =>
          forShell((await versionOf(script, version, workspace)).body),
        timeoutMs,
        attached,
        repeatable: attached,
      },
    ];
  },
});
