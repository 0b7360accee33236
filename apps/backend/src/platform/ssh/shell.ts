/** Scripts in `.sh` files, and the only way to give them values: as variables with a name, quoted. */
import { quote } from './quote';

/** A script with what it is given. */
export interface ShellCommand {
  /** POSIX sh. A text of ours is fixed: what comes from outside goes into `named` and `args`. */
  script: string;
  /** The variables that the script takes. */
  named?: Readonly<Record<string, string>>;
  /** Its positional parameters: a list of any length. */
  args?: readonly string[];
}

/** The shell commands that set what a script is given. */
export const settingOf = ({ named = {}, args = [] }: Omit<ShellCommand, 'script'>): string =>
  [
    ...Object.entries(named).map(([name, value]) => `${name}=${quote(value)}\n`),
    `set -- ${args.map(quote).join(' ')}\n`,
  ].join('');

interface ShellFile {
  readonly text: string;
  readonly takes: readonly string[];
}

type Value = string | number;
type Values = Readonly<Record<string, Value>>;

const textsOf = (values: Values): Record<string, string> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]));

/**
 * The script of a file, to be called with the variables that it takes.
 * @param names all of them except the constants
 * @param constants values that our code and the script have in common, such as exit codes; the script says which it takes
 * @throws when the file says otherwise, so that nothing is forgotten on one side
 */
export const shell = <const Names extends readonly string[]>(
  { text, takes }: ShellFile,
  names: Names,
  constants: Values = {},
): ((named: Readonly<Record<Names[number], Value>>, args?: readonly string[]) => ShellCommand) => {
  const missing = takes.filter((name) => !names.includes(name) && !(name in constants));
  const unknown = names.filter((name) => !takes.includes(name));
  if (missing.length > 0 || unknown.length > 0)
    throw new Error(
      `A script takes ${takes.join(', ') || 'nothing'}; not given: ${missing.join(', ') || '-'}; ` +
        `given, but not taken: ${unknown.join(', ') || '-'}`,
    );
  const fixed = Object.fromEntries(Object.entries(constants).filter(([name]) => takes.includes(name)));
  return (named, args = []) => ({ script: text, named: textsOf({ ...fixed, ...named }), args });
};

/** The script of a file that takes nothing but constants. */
export const fixedShell = (file: ShellFile, constants: Values = {}): ShellCommand =>
  shell(file, [], constants)({});

/** A script as a value for another one, which passes it on to a shell of its own. */
export const passedOn = ({ text, takes }: ShellFile, constants: Values): string => {
  const own = Object.entries(constants).filter(([name]) => takes.includes(name));
  if (own.length < takes.length) throw new Error(`A script that is passed on takes ${takes.join(', ')}`);
  return `${own.map(([name, value]) => `${name}=${quote(String(value))}\n`).join('')}${text}`;
};

/** Exit codes as a script knows them: `noLogin` is `exit_no_login`. */
export const exitNames = (codes: Readonly<Record<string, number>>): Record<string, number> =>
  Object.fromEntries(
    Object.entries(codes).map(([name, code]) => [
      `exit_${name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}`,
      code,
    ]),
  );
