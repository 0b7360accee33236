/**
 * Reads environment variables from text: a JSON array of pairs or of `key=value` strings, or the lines of a `.env`
 * file. Line ends become `\n`, and a byte order mark at the beginning is ignored. Pure.
 */
import { notesOf, notesOfValue, withOddShown, type Written } from './variables-notes';

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

/** But not the first section of an INI file, such as `[database]`. */
const JSON_BEGINS = /^\s*(?:\{|\[(?!\w[\w .-]*\][^\S\r\n]*(?:[\r\n]|$)))/;

/** @param leaveOut lines that set no name: another line may set the same one */
export const readVariables = (text: string, leaveOut: readonly number[] = []): ReadVariables => {
  const isJson = JSON_BEGINS.test(text);
  const unit = isJson ? 'entry' : 'line';
  const entries = isJson ? entriesOfJson(text.replace(/^\uFEFF/, '')) : entriesOfLines(text);
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
    if (!VARIABLE_NAME.test(key))
      unread.push({ line, key, problem: `"${withOddShown(key)}" is not a name: ${NAME_RULE}` });
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
    const equals = one.indexOf('=');
    const [name, rest] = [one.slice(0, Math.max(0, equals)), one.slice(equals + 1)];
    const key = name.trim();
    if (key === '') return undefined;
    // Spaces on both sides belong to the equals sign, as in a `.env` file. After it alone, they belong to the value.
    const isSpaced = name !== name.trimEnd();
    const value = isSpaced ? rest.trimStart() : rest;
    const note = notesOfValue(value, [
      name !== name.trimStart() && 'the spaces before the name are left out',
      isSpaced && 'the spaces around = are left out',
    ]);
    return { line, key, ...withNote(value, note) };
  }
  if (!Array.isArray(one) || one.length !== 2) return undefined;
  const [key, value] = one as [unknown, unknown];
  if (typeof key !== 'string') return undefined;
  if (typeof value === 'string') return { line, key, ...withNote(value, notesOfValue(value)) };
  if (typeof value !== 'number' && typeof value !== 'boolean') return undefined;
  return { line, key, value: String(value), note: `the ${typeof value} becomes text` };
};

const withNote = (value: string, note: string | undefined): Pick<ReadVariable, 'value' | 'note'> =>
  note === undefined ? { value } : { value, note };

/** The text is not split into lines first, because a quoted value may span several lines. */
const LINE_ENDS = /\r\n?|\n/g;
const BLANK = /([^\S\r\n]*)(#[^\r\n]*)?(?:\r\n?|\n|$)/y;
const KEY = /([^\S\r\n]*)(export[^\S\r\n]+)?([^\s=#'"`]+)([^\S\r\n]*)=/y;
const QUOTED = /([^\S\r\n]*)(?:"((?:\\[^]|[^"\\])*)"|'((?:\\'|[^'])*)'|`([^`]*)`)/y;
const BARE = /[^\r\n]*/y;

const entriesOfLines = (text: string): Entry[] => {
  const entries: Entry[] = [];
  const reader = readerOf(text);
  while (!reader.isDone() && entries.length <= MAX_IMPORT_LINES) {
    if (!reader.take(BLANK)) entries.push(entryOfLine(reader));
  }
  return entries;
};

const readerOf = (text: string) => {
  let now = { at: 0, line: 1 };
  return {
    isDone: () => now.at >= text.length,
    now: () => now,
    back: (to: typeof now): void => void (now = to),
    /** Moves past the form, if it comes next. */
    take(form: RegExp): RegExpExecArray | null {
      form.lastIndex = now.at;
      const match = form.exec(text);
      if (match) now = { at: form.lastIndex, line: now.line + (match[0].match(LINE_ENDS)?.length ?? 0) };
      return match;
    },
  };
};

const entryOfLine = (reader: ReturnType<typeof readerOf>): Entry => {
  const { line } = reader.now();
  const [, before = '', exported, key, beforeEquals = ''] = reader.take(KEY) ?? [];
  if (key === undefined) {
    const hasColon = /^\s*[\w.-]+\s*:/.test(reader.take(BARE)?.[0] ?? '');
    return { line, problem: `this is not key=value${hasColon ? ': write = instead of the colon' : ''}` };
  }
  const mark = reader.now();
  const quoted = reader.take(QUOTED);
  const value = quoted ? ofQuoted(quoted) : ofBare(reader.take(BARE)?.[0] ?? '');
  const lastLine = reader.now().line;
  const end = reader.take(BLANK);
  const isOpen = lastLine > line ? !end : value.form === 'bare' && /^["'`]/.test(value.value);
  if (isOpen || !end) {
    // The lines after it are read, because the quote may be closed in none of them.
    reader.back(mark);
    reader.take(BARE);
    return {
      line,
      key,
      problem: isOpen ? `the quote of ${key} is not closed` : `text follows the quote of ${key}`,
    };
  }
  const [whole, after = '', comment] = end;
  const note = notesOf({
    before,
    isExported: exported !== undefined,
    after,
    hasComment: comment !== undefined,
    ...value,
    around: `${beforeEquals}${value.leading}`,
    hasLoneReturn: whole.endsWith('\r'),
    ...(lastLine > line && { lastLine }),
  });
  return { line, key, ...withNote(value.value, note) };
};

const ESCAPED: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };

/** Replaces known escapes only. A backslash before any other character is kept. */
const unescaped = (text: string): string =>
  text.replaceAll(/\\([nrt"\\$`])/g, (_, letter: string) => ESCAPED[letter] ?? letter);

type Value = Pick<Written, 'form' | 'text' | 'value'> &
  Partial<Pick<Written, 'after' | 'hasComment'>> & { leading: string };

const ofQuoted = ([, leading = '', double, single, backtick]: RegExpExecArray): Value => {
  const text = double ?? single ?? backtick ?? '';
  const lines = text.replaceAll(LINE_ENDS, '\n');
  if (double !== undefined) return { leading, form: 'double', text, value: unescaped(lines) };
  if (single === undefined) return { leading, form: 'backtick', text, value: lines };
  return { leading, form: 'single', text, value: lines.replaceAll(String.raw`\'`, "'") };
};

const ofBare = (text: string): Value => {
  const kept = text.replace(/\s#[^]*$/, '');
  const value = kept.trim();
  const leading = value === '' ? '' : kept.slice(0, kept.length - kept.trimStart().length);
  const after = kept.slice(leading.length + value.length);
  return { leading, form: 'bare', text, value, after, hasComment: kept.length < text.length };
};
