/** A saved script as a run on one server, with one step: exactly the requested version. */
import { type EventData, programOf } from '@quarterdeck/events';
import { mayAttach, type RunKind, type RunRequest } from '../runs';
import { createHash } from 'node:crypto';
import { quote } from '../platform/ssh';

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
  /** What the script reads as `$1`, `$2` and so on. */
  args?: string[];
}

export const scriptInput = (
  { script, version, name, args }: Pick<ScriptInput, 'script' | 'version' | 'name' | 'args'>,
  { changes, timeoutSeconds }: ScriptContent,
): ScriptInput => ({
  script,
  version,
  name,
  changes,
  timeoutSeconds,
  ...(args !== undefined && args.length > 0 && { args }),
});

/** Only `scriptInput` creates this input. */
const inputOf = ({ input }: RunRequest): ScriptInput => input as unknown as ScriptInput;

export type VersionOf = (script: string, version: number, workspace: string) => Promise<ScriptContent>;

export const scriptKind = (versionOf: VersionOf): RunKind => ({
  kind: 'script',
  changes: (request) => inputOf(request).changes,
  steps: (request) => {
    const { script, version, timeoutSeconds, changes, args = [] } = inputOf(request);
    const timeoutMs = timeoutSeconds * 1000;
    const attached = mayAttach({ changes, timeoutMs });
    return [
      {
        on: 'server',
        name: 'script',
        // Read from the script's events, so it is the requested version, whatever has happened to the script since.
        script: async (_context, { workspace }) =>
          forShell((await versionOf(script, version, workspace)).body),
        args: () => args,
        timeoutMs,
        attached,
        repeatable: attached,
      },
    ];
  },
});

/* How a saved script is run by the program that its first line names, on a host where sh is what there is. Pure. */

/** Runs as it is, in the shell that has its arguments: with or without such a line. */
const PLAIN = ['/bin/sh', '/usr/bin/sh', '/usr/bin/env sh'];

/**
 * Text for sh that runs `body` as its first line says, `#!/usr/bin/env python3` for example. Like the kernel, it takes
 * everything after the program as one argument. The file is in a folder of its own, readable by its account only.
 */
const forShell = (body: string): string => {
  const program = programOf(body);
  if (program === undefined || PLAIN.includes(program)) return body;
  const [, path = '', argument] = /^(\S+)(?:\s+(.*))?$/.exec(program) ?? [];
  const end = `end-${createHash('sha256').update(body).digest('hex').slice(0, 32)}`;
  return `folder=$(mktemp -d "\${TMPDIR:-/tmp}/quarterdeck-script-XXXXXX") || exit 73
trap 'rm -rf "$folder"' EXIT
trap 'exit 143' TERM HUP INT
[ -x ${quote(path)} ] || {
  echo ${quote(`This server has no ${path}, which the first line of the script names.`)}
  exit 127
}
cat >"$folder/script" <<'${end}'
${body.endsWith('\n') ? body : `${body}\n`}${end}
[ $? -eq 0 ] || exit 74
${[path, ...(argument === undefined ? [] : [argument])].map(quote).join(' ')} "$folder/script" "$@"
`;
};
