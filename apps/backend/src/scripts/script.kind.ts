/** A saved script as a run on one server: one step, the text of exactly the version that was asked for. */
import type { RunKind, RunRequest } from '../runs';
import type { ScriptContent } from './scripts.decider';

/**
 * What a run keeps of its script. Whether it changes something and how long it may take is the version's own, copied, so
 * that a run tells it without the script.
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

/** Only `scriptInput` makes it. */
const inputOf = ({ input }: RunRequest): ScriptInput => input as unknown as ScriptInput;

export type VersionOf = (script: string, version: number, workspace: string) => Promise<ScriptContent>;

export const scriptKind = (versionOf: VersionOf): RunKind => ({
  kind: 'script',
  changes: (request) => inputOf(request).changes,
  steps: (request) => {
    const { script, version, timeoutSeconds } = inputOf(request);
    return [
      {
        on: 'server',
        name: 'script',
        // By the script's own events: whatever became of it since, this is what was asked for.
        script: async (_context, { workspace }) => (await versionOf(script, version, workspace)).body,
        timeoutMs: timeoutSeconds * 1000,
        repeatable: false,
      },
    ];
  },
});
