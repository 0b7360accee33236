/**
 * gettext PO. The key is the context, the English text the id. A reader of our own, because the libraries neither say
 * the line of an entry nor that there are two of it.
 */
import {
  TextFileError,
  byKey,
  decoded,
  type FoundText,
  type FoundTexts,
  type LeftOut,
  type TextEntry,
} from './file';
import { pluralOf } from './icu-plural';
import { NO_LANGUAGE } from './json';
import { languageOf, type Language } from './languages';

export const writePo = (entries: readonly TextEntry[], language: Language): string => {
  const header = [
    'msgid ""',
    'msgstr ""',
    `"Language: ${language}\\n"`,
    '"MIME-Version: 1.0\\n"',
    '"Content-Type: text/plain; charset=UTF-8\\n"',
    '"Content-Transfer-Encoding: 8bit\\n"',
  ].join('\n');
  const blocks = entries.toSorted(byKey).flatMap(({ key, texts }) => {
    const text = texts[language];
    // Without an English text the key says at least which one is meant.
    const id = texts.en ?? key;
    return text === undefined && texts.en === undefined
      ? []
      : [`msgctxt ${quoted(key)}\nmsgid ${quoted(id)}\nmsgstr ${quoted(text ?? '')}`];
  });
  return `${[header, ...blocks].join('\n\n')}\n`;
};

const escapes: Record<string, string> = { '\n': '\\n', '\t': '\\t', '\r': '\\r', '"': '\\"', '\\': '\\\\' };
const quoted = (text: string): string => `"${text.replaceAll(/[\n\t\r"\\]/g, (one) => escapes[one] ?? one)}"`;

interface Entry {
  line: number;
  isFuzzy: boolean;
  context?: string;
  id?: string;
  plural?: string;
  forms: string[];
  /** The line of each form. */
  formLines: number[];
}

/** As many as a language can have. */
const MAX_FORMS = 6;

export const readPo = (bytes: Uint8Array, language: Language | undefined): FoundTexts => {
  const charset = charsetOf(bytes);
  const [header, ...entries] = withHeader(entriesOf(decoded(bytes, charset), charset));
  const to = language ?? languageOf(/^Language:\s*([\w@-]+)/im.exec(header)?.[1] ?? '');
  if (!to) throw new TextFileError(NO_LANGUAGE);
  const texts: FoundText[] = [];
  const leftOut: LeftOut[] = [];
  const lines = new Map<string, number>();
  for (const { line, isFuzzy, context, id, plural, forms } of entries) {
    const key = context ?? id ?? '';
    const name = JSON.stringify([context, id]);
    const first = lines.get(name);
    if (first) throw new TextFileError(`The text "${id}" exists twice. The first is in line ${first}.`, line);
    lines.set(name, line);
    if (forms.every((form) => form === '')) continue;
    const text = plural === undefined ? forms[0] : pluralOf(forms, to);
    if (text === undefined) {
      leftOut.push({ line, key, why: `It has ${forms.length} plural forms, which ${to} does not.` });
      continue;
    }
    texts.push({
      key,
      language: to,
      text,
      line,
      // An id that repeats the key is the stand-in for a missing English text.
      ...(id !== key && plural === undefined && { source: id }),
      ...(context === undefined && { isKeySource: true, source: id }),
      ...(isFuzzy && { needsReview: true }),
    });
  }
  return { texts, leftOut };
};

/** The header is the entry with an empty id and no context. */
const withHeader = (entries: readonly Entry[]): [header: string, ...entries: Entry[]] => {
  const isHeader = ({ context, id }: Entry): boolean => context === undefined && id === '';
  return [entries.find(isHeader)?.forms[0] ?? '', ...entries.filter((one) => !isHeader(one))];
};

/** The header names the character set in plain letters, whatever the set is. */
const charsetOf = (bytes: Uint8Array): string => {
  const start = new TextDecoder('latin1').decode(bytes.subarray(0, 4000));
  const charset = /charset=([\w.:-]+)/i.exec(start)?.[1] ?? 'utf-8';
  return charset.toUpperCase() === 'CHARSET' ? 'utf-8' : charset.toLowerCase();
};

const entriesOf = (text: string, charset: string): Entry[] => {
  const entries: Entry[] = [];
  let entry: Entry | undefined;
  let isFuzzy = false;
  let append: ((more: string) => void) | undefined;
  const begin = (line: number): Entry => {
    entry = { line, isFuzzy, forms: [], formLines: [] };
    isFuzzy = false;
    entries.push(entry);
    return entry;
  };
  const keywords: Record<string, (line: number, form: number) => (more: string) => void> = {
    msgctxt: (line) => {
      const one = begin(line);
      one.context = '';
      return (more) => (one.context += more);
    },
    msgid: (line) => {
      const one = entry && entry.id === undefined ? entry : begin(line);
      one.id = '';
      return (more) => (one.id += more);
    },
    msgid_plural: (line) => {
      const one = entry ?? refuse('"msgid_plural" comes after "msgid".', line);
      one.plural = '';
      return (more) => (one.plural += more);
    },
    msgstr: (line, form) => {
      const one = entry ?? refuse('"msgstr" comes after "msgid".', line);
      if (one.id === undefined) refuse('"msgstr" comes after "msgid".', line);
      const first = one.formLines[form];
      if (first !== undefined) refuse(`"msgstr[${form}]" exists twice. The first is in line ${first}.`, line);
      if (form >= MAX_FORMS) refuse(`A text has at most ${MAX_FORMS} plural forms.`, line);
      [one.forms[form], one.formLines[form]] = ['', line];
      return (more) => (one.forms[form] += more);
    },
  };
  for (const [index, raw] of text.split(/\r\n|\r|\n/).entries()) {
    const line = index + 1;
    const trimmed = raw.trim();
    if (trimmed === '') continue;
    if (trimmed.startsWith('#')) {
      // The flags of an entry come before it, in one line or several. `#~` is an entry that the program no longer has.
      if (trimmed.startsWith('#,')) isFuzzy ||= /\bfuzzy\b/.test(trimmed);
      else if (trimmed.startsWith('#~')) isFuzzy = false;
      continue;
    }
    const [, keyword, form = '0', rest = ''] = /^([a-z_]+)(?:\[(\d+)\])?\s*(.*)$/s.exec(trimmed) ?? [
      '',
      undefined,
      undefined,
      trimmed,
    ];
    if (keyword) {
      const start = Object.hasOwn(keywords, keyword) ? keywords[keyword] : undefined;
      append = (start ?? refuse(`"${keyword}" is none of msgctxt, msgid, msgid_plural and msgstr.`, line))(
        line,
        Number(form),
      );
    }
    const column = raw.length - raw.trimStart().length + (trimmed.length - rest.length) + 1;
    if (!append) refuse('Expected "msgid".', line, column);
    append?.(unquoted(rest, charset, line, column));
  }
  for (const { id, forms, line } of entries) {
    if (id === undefined || forms.length === 0)
      refuse('The entry that begins here is not complete: it needs msgid and msgstr.', line);
    const lacking = forms.findIndex((form) => (form as string | undefined) === undefined);
    if (lacking >= 0) refuse(`The entry that begins here lacks "msgstr[${lacking}]".`, line);
  }
  return entries;
};

const refuse = (why: string, line: number, column = 1): never => {
  throw new TextFileError(why, line, column);
};

const STRING = /^"([^"\\]*(?:\\.[^"\\]*)*)"$/s;

const NAMED: Record<string, string> = {
  n: '\n',
  t: '\t',
  r: '\r',
  a: '\u0007',
  b: '\b',
  f: '\f',
  v: '\v',
};

/** One escaped character, or bytes of the file's character set in a row: several may be one character. */
const ESCAPED = /(?:\\(?:x[\da-fA-F]{1,2}|[0-7]{1,3}))+|\\(.)/gs;

const unquoted = (text: string, charset: string, line: number, column: number): string => {
  const inner = STRING.exec(text)?.[1];
  if (inner === undefined)
    return refuse('Expected a text in quotes. A quote within needs a backslash before it.', line, column);
  return inner.replaceAll(ESCAPED, (run: string, one: string | undefined) => {
    if (one !== undefined) return NAMED[one] ?? one;
    const bytes = run
      .split('\\')
      .slice(1)
      .map((code) => (code.startsWith('x') ? Number.parseInt(code.slice(1), 16) : Number.parseInt(code, 8)));
    try {
      return new TextDecoder(charset, { fatal: true }).decode(new Uint8Array(bytes));
    } catch {
      return refuse(`The escaped bytes here are not ${charset.toUpperCase()}.`, line, column);
    }
  });
};
