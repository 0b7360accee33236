/**
 * Environment variables as text: the input of the import, and the lines of a `.env` file. The text is a JSON array of
 * pairs or of `key=value` strings, or lines in dotenv syntax. Pure.
 */

export interface Variable {
  readonly key: string;
  readonly value: string;
}

export type ReadVariables = { variables: Variable[] } | { problem: string };

/** The exact text of the specification, including its spelling. */
const NO_JSON = { problem: "JSON cant't be parsed" };

const NAME = /^[A-Za-z_]\w*$/;

/** `where` names the entry in error messages, counted from 1. */
interface Entry extends Variable {
  readonly where: string;
}

type Read = Entry | { readonly problem: string };

/**
 * Reads each entry once, and nothing after the first problem.
 * @param most largest number of variables that is accepted
 */
export const readVariables = (text: string, most = Infinity): ReadVariables => {
  const variables: Variable[] = [];
  const first = new Map<string, string>();
  for (const entry of text.trimStart().startsWith('[') ? entriesOfJson(text) : entriesOfLines(text)) {
    if ('problem' in entry) return entry;
    const { key, value, where } = entry;
    if (!NAME.test(key))
      return {
        problem: `${where}: "${key}" is not a name: use letters, digits and _, and begin with no digit`,
      };
    const before = first.get(key);
    if (before !== undefined) return { problem: `${where}: ${key} is given in ${before} already` };
    if (variables.length === most)
      return { problem: `${where}: an environment can have at most ${most} variables` };
    first.set(key, where);
    variables.push({ key, value });
  }
  return { variables };
};

function* entriesOfJson(text: string): Generator<Read> {
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch {
    return yield NO_JSON;
  }
  if (!Array.isArray(given)) return yield NO_JSON;
  for (const [at, one] of given.entries()) yield entryOfJson(one, `entry ${at + 1}`) ?? NO_JSON;
}

const entryOfJson = (one: unknown, where: string): Entry | undefined => {
  if (typeof one === 'string') {
    const equals = one.indexOf('=');
    return equals < 0 ? undefined : { key: one.slice(0, equals).trim(), value: one.slice(equals + 1), where };
  }
  if (!Array.isArray(one) || one.length !== 2) return undefined;
  const [key, value] = one as [unknown, unknown];
  const isText = ['string', 'number', 'boolean'].includes(typeof value);
  return typeof key === 'string' && isText ? { key, value: String(value), where } : undefined;
};

/** The text is not split into lines first, because a quoted value may span several lines. */
const KEY = /[^\S\n]*(?:export[^\S\n]+)?([^\s=#'"`]+)[^\S\n]*=[^\S\n]*/y;
const QUOTED = /"((?:\\[^]|[^"\\])*)"|'([^']*)'|`([^`]*)`/y;
const REST = /[^\S\n]*(?:#[^\n]*)?(?:\n|$)/y;
const BARE = /[^\n]*/y;

function* entriesOfLines(text: string): Generator<Read> {
  let at = 0;
  // Counted onwards: counting from the beginning for each entry would take a time that grows with the square.
  let [line, countedTo] = [1, 0];
  const lineNow = (): number => {
    for (; countedTo < at; countedTo += 1) if (text[countedTo] === '\n') line += 1;
    return line;
  };
  const take = (form: RegExp): RegExpExecArray | null => {
    form.lastIndex = at;
    const match = form.exec(text);
    if (match) at = form.lastIndex;
    return match;
  };
  while (at < text.length) {
    if (take(REST)) continue;
    const where = `line ${lineNow()}`;
    const key = take(KEY)?.[1];
    if (key === undefined) return yield { problem: `${where}: this is not key=value` };
    if (/["'`]/.test(text[at] ?? '')) {
      const quoted = take(QUOTED);
      if (!quoted) return yield { problem: `${where}: the quote of ${key} is not closed` };
      if (!take(REST)) return yield { problem: `${where}: text follows the quote of ${key}` };
      const [, double, single, backtick] = quoted;
      yield {
        key,
        value: double === undefined ? (single ?? backtick ?? '') : unescaped(double),
        where,
      };
    } else {
      const bare = take(BARE)?.[0] ?? '';
      yield { key, value: bare.replace(/(^|\s)#[^]*$/, '').trim(), where };
    }
  }
}

const ESCAPED: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };

/** Replaces known escapes only. A backslash before any other character is kept. */
const unescaped = (text: string): string =>
  text.replaceAll(/\\([nrt"\\$`])/g, (_, letter: string) => ESCAPED[letter] ?? letter);

const PLAIN = /^[\w.,:/@%+-]*$/;

/** Writes the lines of a `.env` file. `readVariables` reads them back. */
export const variableLines = (variables: readonly Variable[]): string =>
  variables.map(({ key, value }) => `${key}=${PLAIN.test(value) ? value : quoted(value)}\n`).join('');

const quoted = (value: string): string => {
  const escaped = value.replaceAll(/["\\$`]/g, (one) => `\\${one}`).replaceAll('\n', String.raw`\n`);
  return `"${escaped.replaceAll('\r', String.raw`\r`).replaceAll('\t', String.raw`\t`)}"`;
};
