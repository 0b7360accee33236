/**
 * Reads environment variables from text: a JSON array of pairs or of `key=value` strings, or the lines of a `.env`
 * file. Line ends become `\n`, and a byte order mark at the beginning is ignored. Pure.
 */

export interface Variable {
  readonly key: string;
  readonly value: string;
}

export interface ReadVariable extends Variable {
  /** Line of the text, or entry of the JSON array, counted from 1. */
  readonly line: number;
  /** What is unusual about the line: readers of `.env` files disagree, or the value differs from the text. */
  readonly note?: string;
}

export interface UnreadLine {
  readonly line: number;
  readonly key?: string;
  readonly problem: string;
}

/** `problem`: nothing of the text can be read. `unit`: what `line` counts. */
export type ReadVariables =
  | { unit: 'line' | 'entry'; variables: ReadVariable[]; unread: UnreadLine[] }
  | { problem: string };

/** Maximum number of variables and unread lines in a text. An import can leave out some of them. */
export const MAX_IMPORT_LINES = 1000;

/** The exact text of the specification, including its spelling. */
const NO_JSON = { problem: "JSON cant't be parsed" };
const TOO_MANY = { problem: `the text has more than ${MAX_IMPORT_LINES} variables` };

/** Docker, dotenv and Spring use dots and dashes. Shells cannot set such variables. */
export const VARIABLE_NAME = /^[A-Za-z_][\w.-]*$/;
export const NAME_RULE = 'use letters, digits, _, . and -, and begin with a letter or _';

type Entry = ReadVariable | UnreadLine;

/** @param leaveOut lines that set no name: another line may set the same one */
export const readVariables = (text: string, leaveOut: readonly number[] = []): ReadVariables => {
  const clean = text.replace(/^\uFEFF/, '').replaceAll(/\r\n?/g, '\n');
  const isJson = /^\s*[[{]/.test(clean);
  const unit = isJson ? 'entry' : 'line';
  const entries = isJson ? entriesOfJson(clean) : entriesOfLines(clean);
  if (!entries) return NO_JSON;
  if (entries.length > MAX_IMPORT_LINES) return TOO_MANY;
  const variables: ReadVariable[] = [];
  const unread: UnreadLine[] = [];
  const lineOf = new Map<string, number>();
  const left = new Set(leaveOut);
  for (const entry of entries) {
    if ('problem' in entry) {
      unread.push(entry);
      continue;
    }
    const { key, line } = entry;
    const before = lineOf.get(key);
    if (!VARIABLE_NAME.test(key)) unread.push({ line, key, problem: `"${key}" is not a name: ${NAME_RULE}` });
    else if (before !== undefined && !left.has(line))
      unread.push({ line, key, problem: `${key} is set in ${unit} ${before} already` });
    else {
      if (!left.has(line)) lineOf.set(key, line);
      variables.push(entry);
    }
  }
  return { unit, variables, unread };
};

const entriesOfJson = (text: string): Entry[] | undefined => {
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!Array.isArray(given)) return undefined;
  const entries = given.slice(0, MAX_IMPORT_LINES + 1).map((one: unknown, at) => entryOfJson(one, at + 1));
  return entries.every((entry) => entry !== undefined) ? entries : undefined;
};

const entryOfJson = (one: unknown, line: number): Entry | undefined => {
  if (typeof one === 'string') {
    const [, key = '', before = '', after = '', value = ''] = /^\s*(.*?)(\s*)=(\s*)([^]*)$/.exec(one) ?? [];
    if (key === '') return undefined;
    // Spaces on both sides belong to the equals sign, as in a `.env` file. After it alone, they belong to the value.
    if (before === '') return { line, key, value: `${after}${value}` };
    return { line, key, value, note: 'the spaces around = are left out' };
  }
  if (!Array.isArray(one) || one.length !== 2) return undefined;
  const [key, value] = one as [unknown, unknown];
  const isText = ['string', 'number', 'boolean'].includes(typeof value);
  return typeof key === 'string' && isText ? { line, key, value: String(value) } : undefined;
};

/** The text is not split into lines first, because a quoted value may span several lines. */
const BLANK = /[^\S\n]*(?:#[^\n]*)?(?:\n|$)/y;
const KEY = /[^\S\n]*(?:export[^\S\n]+)?([^\s=#'"`]+)[^\S\n]*=/y;
const QUOTED = /[^\S\n]*(?:"((?:\\[^]|[^"\\])*)"|'((?:\\'|[^'])*)'|`([^`]*)`)/y;
const BARE = /[^\n]*/y;

const entriesOfLines = (text: string): Entry[] => {
  const entries: Entry[] = [];
  let at = 0;
  let line = 1;
  const take = (form: RegExp): RegExpExecArray | null => {
    form.lastIndex = at;
    const match = form.exec(text);
    if (!match) return null;
    for (const char of match[0]) if (char === '\n') line += 1;
    at = form.lastIndex;
    return match;
  };
  while (at < text.length && entries.length <= MAX_IMPORT_LINES) {
    if (take(BLANK)) continue;
    const began = line;
    const key = take(KEY)?.[1];
    const skip = (problem: string) => {
      take(BARE);
      entries.push({ line: began, ...(key !== undefined && { key }), problem });
    };
    if (key === undefined) {
      skip('this is not key=value');
      continue;
    }
    const quoted = take(QUOTED);
    if (quoted) {
      if (take(BLANK)) entries.push({ line: began, key, ...ofQuoted(quoted) });
      else skip(`text follows the quote of ${key}`);
    } else {
      const bare = take(BARE)?.[0] ?? '';
      if (/^\s*["'`]/.test(bare)) skip(`the quote of ${key} is not closed`);
      else entries.push({ line: began, key, ...ofBare(bare) });
    }
  }
  return entries;
};

const ESCAPED: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };

/** Replaces known escapes only. A backslash before any other character is kept. */
const unescaped = (text: string): string =>
  text.replaceAll(/\\([nrt"\\$`])/g, (_, letter: string) => ESCAPED[letter] ?? letter);

type Value = Pick<ReadVariable, 'value' | 'note'>;

const noted = (value: string, notes: readonly (string | false)[]): Value => {
  const note = notes.filter((one) => one !== false).join('; ');
  return note === '' ? { value } : { value, note };
};

const MULTILINE = 'the value has several lines';
const NO_EXPANSION =
  'the $ is kept as it is; docker compose and some other readers would replace a name after it';

const ofQuoted = ([, double, single, backtick]: RegExpExecArray): Value => {
  const text = double ?? single ?? backtick ?? '';
  const value =
    double !== undefined
      ? unescaped(text)
      : single !== undefined
        ? text.replaceAll(String.raw`\'`, "'")
        : text;
  return noted(value, [
    text.includes('\n') && MULTILINE,
    double !== undefined &&
      /\\[rt"\\$`]/.test(text) &&
      'escapes such as \\" are replaced; dotenv would keep them',
    single !== undefined && text !== value && "\\' is read as a quote; dotenv would keep the backslash",
    backtick !== undefined && 'only dotenv and Node read backticks as quotes',
    double !== undefined && /(^|[^\\])\$[\w{]/.test(text) && NO_EXPANSION,
  ]);
};

const ofBare = (text: string): Value => {
  const value = text.replace(/\s#[^]*$/, '').trim();
  return noted(value, [
    /\s#/.test(text) && 'the text after # is a comment',
    value.includes('#') && '# belongs to the value; dotenv and Node would begin a comment there',
    /\$[\w{]/.test(value) && NO_EXPANSION,
  ]);
};
