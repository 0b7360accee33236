/**
 * Writes environment variables as the lines of a `.env` file, in a form that all common readers read alike. Where no
 * such form exists, it takes the one that fewest readers misread, and a comment names those. Whatever a reader makes of
 * a line, it reads the lines around it as if that one were not there: a value without such a form is left out. Pure.
 */
import type { Variable } from './variables-text';

/** `bash`: the file is sourced with `set -a`. `docker compose`: version 2, for `env_file`. */
export const envReaders = ['dotenv', 'Node', 'python-dotenv', 'docker compose', 'bash'] as const;
export type EnvReader = (typeof envReaders)[number];

interface Form {
  write(value: string): string;
  /** Values for which a reader would also misread other lines or run a command, or our own import would misread it. */
  never: RegExp;
  /** Values that the reader misreads in this form. */
  misread: Partial<Record<EnvReader, RegExp>>;
}

const escaped = (value: string): string =>
  value.replaceAll(/["\\$`]/g, String.raw`\$&`).replaceAll('\r', String.raw`\r`);

/** dotenv and Node keep these escapes, except `\n` and dotenv `\r`. Node ends the value at the first double quote. */
const DOUBLE = {
  dotenv: /["\\$`]/,
  Node: /["\\$`\r]/,
  'python-dotenv': /[$`]/,
  'docker compose': /`/,
};

/** A later word in bash that sets another variable or stands for names of files. Or a range, which can be huge. */
const RISKY_WORD = /^[^ ]* .*[=*?[{]|^[^{]*\{.*\.\./;
/** Anything that bash would not read as words: a quote that is not closed, an expansion, an operator. */
const NO_WORDS = /^(?!(?:[^"'`$\\;&|<>()]|\\.|'[^']*'|"(?:[^"`$\\]|\\.)*")*\\?$)/;
/** Other readers would cut it, trim it, or replace a part. docker compose refuses a file for a `$` that is no name. */
const NOT_BARE = /^[ "'`]| $|[#$]|[^\x20-\x7e]/;

const forms: readonly Form[] = [
  { write: (value) => `=${value}`, never: /[^\w.,:/@%+=-]/, misread: {} },
  {
    write: (value) => `='${value}'`,
    // Most readers take the last backslash and the quote for an escaped quote.
    never: /'|\r|\\$/,
    misread: { 'python-dotenv': /\\\\|^(?:(?!\$\{)[^])*\$\{[^]*\}/ },
  },
  {
    write: (value) => `="${escaped(value)}"`,
    // Where Node has ended the value, the next line is a variable to it.
    never: /\\$|^[^"]*"[^]*\n/,
    misread: { ...DOUBLE, bash: /\r/ },
  },
  {
    write: (value) => `="${escaped(value).replaceAll('\n', String.raw`\n`)}"`,
    never: /\\$/,
    misread: { ...DOUBLE, bash: /[\r\n]/ },
  },
  {
    // The comment keeps a backslash away from the end of the line, where bash would join the next line.
    write: (value) => `=${value}${value.endsWith('\\') ? ' #' : ''}`,
    never: new RegExp([NOT_BARE, RISKY_WORD, NO_WORDS].map(({ source }) => source).join('|')),
    misread: { bash: /^/ },
  },
];

/** Names that bash keeps for itself, and names that no shell can set. */
const NOT_IN_BASH = new RegExp(
  String.raw`[.-]|^(?:_|UID|EUID|PPID|GROUPS|SECONDS|EPOCHSECONDS|EPOCHREALTIME|SHELLOPTS|SHLVL|LINENO|FUNCNAME|DIRSTACK|` +
    'PIPESTATUS|COMP_WORDBREAKS|BASHOPTS|BASHPID|' +
    'BASH_(?:ALIASES|ARG[CV]|ARGV0|CMDS|LINENO|SOURCE|SUBSHELL|VERSINFO|MONOSECONDS|TRAPSIG))$',
);
/** bash computes these values and runs what is in `$()`, or reads later lines by other rules. */
const NEVER_IN_BASH = /^(?:HISTCMD|OPTIND|S?RANDOM|POSIXLY_CORRECT)$/;

const cannotSet = (key: string): EnvReader[] =>
  envReaders.filter(
    (reader) => (reader === 'bash' && NOT_IN_BASH.test(key)) || (reader === 'dotenv' && key === '__proto__'),
  );

export interface VariableLine {
  /** Ends with a line end. A comment if the variable is left out. */
  line: string;
  /** Readers that would not get this value. */
  misreadBy: readonly EnvReader[];
  leftOut: boolean;
}

export const variableLine = ({ key, value }: Variable): VariableLine => {
  if (NEVER_IN_BASH.test(key)) return leftOut({ key, value }, `bash would compute it instead of setting it`);
  const unset = cannotSet(key);
  const [best] = forms
    .filter(({ never }) => !never.test(value))
    .map((form) => ({
      form,
      misreadBy: envReaders.filter((reader) => unset.includes(reader) || form.misread[reader]?.test(value)),
    }))
    .sort((a, b) => a.misreadBy.length - b.misreadBy.length);
  if (!best) return leftOut({ key, value }, 'some readers would misread the lines after it');
  const { form, misreadBy } = best;
  // Where bash refuses an `export`, it goes on. Other assignments that it refuses end a subshell, and the words of a bare
  // value would be a command.
  const name = misreadBy.includes('bash') ? `export ${key}` : key;
  return { line: `${name}${form.write(value)}\n`, misreadBy, leftOut: false };
};

/** The value is in the comment, in characters that end a line for no reader. */
const leftOut = ({ key, value }: Variable, reason: string): VariableLine => {
  const json = JSON.stringify(value).replaceAll(
    /[^\x20-\x7e]/g,
    (char) => String.raw`\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return {
    line: `# ${key} is left out: ${reason}. As JSON: ${json}\n`,
    misreadBy: envReaders,
    leftOut: true,
  };
};

/** The lines of a `.env` file. A comment precedes a line from which some readers do not get the value. */
export const variableLines = (variables: readonly Variable[]): string =>
  variables
    .map((variable) => {
      const { line, misreadBy, leftOut } = variableLine(variable);
      return misreadBy.length === 0 || leftOut
        ? line
        : `# ${variable.key}: not for ${misreadBy.join(', ')}, which would not get this value.\n${line}`;
    })
    .join('');
