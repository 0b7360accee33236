import { prelude } from './script-prelude';

/**
 * What scripts start with that serve both as steps of runs and as plain commands. `report` and `changed` come with a run;
 * in a plain command they are lines of its output that `readTold` picks out.
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

/** What a plain command told by `report` and `changed`, and what else it printed. */
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
