import { prelude } from './script-prelude';

/**
 * The beginning of scripts that are used both as steps of runs and as plain commands. A run provides `report` and
 * `changed`. In a plain command they print lines that `readTold` extracts from the output.
 */
export const tellingPrelude = String.raw`${prelude}
plain=
if ! have report; then
  plain=yes
  report() { printf '::told %s %s\n' "$1" "$2"; }
fi
if ! have changed; then changed() { report changed "$1"; }; fi
note() { printf '%s\n' "$*"; }
did() { note "Done: $1."; changed "$1"; }
warn() { printf 'warning: %s\n' "$*"; }
nap() { sleep "$1" 2>/dev/null || sleep 1; }
`;

/** Separates the results that a plain command printed with `report` and `changed` from its other output. */
export const readTold = (output: string): { report: Record<string, string>; out: string } => {
  const report: Record<string, string> = {};
  const rest: string[] = [];
  for (const line of output.split('\n')) {
    const [, name, value = ''] = /^::told ([A-Za-z][A-Za-z0-9]*) (.*)$/.exec(line) ?? [];
    if (!name) rest.push(line);
    else if (name === 'changed' && report[name] !== undefined) report[name] += `\n${value}`;
    else report[name] = value;
  }
  return { report, out: rest.join('\n') };
};
