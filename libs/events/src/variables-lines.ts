/**
 * Writes environment variables as the lines of a `.env` file, in a form that all common readers read alike. Where no
 * such form exists, it takes the one that fewest readers misread, and names those. Pure.
 */
import type { Variable } from './variables-text';

/** `bash`: the file is sourced. `docker compose`: version 2. */
export const envReaders = ['dotenv', 'Node', 'python-dotenv', 'docker compose', 'bash'] as const;
export type EnvReader = (typeof envReaders)[number];

interface Form {
  write(value: string): string;
  /** Our own import would misread it. Such a form is never used. */
  never: RegExp;
  /** Values that the reader misreads in this form. */
  misread: Readonly<Record<EnvReader, RegExp>>;
}

const NEVER = /(?!)/;

const forms: readonly Form[] = [
  {
    write: (value) => value,
    never: /^[ "'`]| $|#|[^\x20-\x7e]/,
    misread: {
      dotenv: NEVER,
      Node: NEVER,
      'python-dotenv': /\$\{/,
      'docker compose': /\$/,
      bash: /[^\w.,:/@%+=-]/,
    },
  },
  {
    write: (value) => `'${value}'`,
    never: /'|\r|\\$/,
    misread: {
      dotenv: NEVER,
      Node: NEVER,
      'python-dotenv': /\$\{|\\\\/,
      'docker compose': NEVER,
      bash: NEVER,
    },
  },
  {
    write: (value) => `"${value.replaceAll(/["\\$`]/g, String.raw`\$&`).replaceAll('\r', String.raw`\r`)}"`,
    never: NEVER,
    misread: {
      dotenv: /["\\$`]/,
      Node: /["\\$`\r]/,
      'python-dotenv': /[$`]/,
      'docker compose': /\\$/,
      bash: /\r/,
    },
  },
];

/** Names that shells cannot set. */
const NO_SHELL_NAME = /[.-]/;

const misreaders = ({ misread }: Form, { key, value }: Variable): EnvReader[] =>
  envReaders.filter(
    (reader) => misread[reader].test(value) || (reader === 'bash' && NO_SHELL_NAME.test(key)),
  );

/** @returns the line, and the readers that would read another value from it */
export const variableLine = (variable: Variable): { line: string; misreadBy: EnvReader[] } => {
  const [best] = forms
    .filter(({ never }) => !never.test(variable.value))
    .map((form) => ({ form, misreadBy: misreaders(form, variable) }))
    .sort((a, b) => a.misreadBy.length - b.misreadBy.length);
  if (!best) throw new Error('the double-quoted form can hold every value');
  return { line: `${variable.key}=${best.form.write(variable.value)}\n`, misreadBy: best.misreadBy };
};

/** The lines of a `.env` file. A comment precedes a line that some readers misread. */
export const variableLines = (variables: readonly Variable[]): string =>
  variables
    .map((variable) => {
      const { line, misreadBy } = variableLine(variable);
      return misreadBy.length === 0
        ? line
        : `# ${variable.key}: ${misreadBy.join(', ')} cannot read this line.\n${line}`;
    })
    .join('');
