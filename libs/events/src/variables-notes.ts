/**
 * What is unusual about a line of a `.env` file: what our import makes of it, or which readers would read it otherwise.
 * Notes never quote a value, which may be a secret. Pure.
 */

export interface Written {
  /** White space before the name. */
  before: string;
  isExported: boolean;
  /** White space around the equals sign. */
  around: string;
  /** `bare`: without quotes. */
  form: 'double' | 'single' | 'backtick' | 'bare';
  /** What is between the quotes. */
  text: string;
  value: string;
  /** White space between the value and its comment or the end of the line. */
  after: string;
  hasComment: boolean;
  /** The line ends with a carriage return and nothing else. */
  hasLoneReturn: boolean;
  /** Last line of the value, if that is not the one of the name. */
  lastLine?: number;
}

const ODD_NAMES: Readonly<Record<string, string>> = {
  '\t': 'a tab',
  '\u00A0': 'a no-break space',
  '\u200B': 'a zero-width space',
  '\uFEFF': 'a byte order mark',
  '\uFFFD': 'a character that was lost, perhaps because the file is not UTF-8',
};
/** White space and control characters that nobody sees. Joiners are left out: scripts and emoji need them. */
const ODD =
  /[^\S\n\r ]|(?![\n\r])[\p{Cc}\u00AD\u061C\u180E\u200B\u200E\u200F\u202A-\u202E\u2060-\u2064\u2066-\u206F\uFEFF\uFFF9-\uFFFB\uFFFD]/u;
const MAX_NAMED = 3;

const codeOf = (char: string): string =>
  `U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;

const oddIn = (text: string): string | undefined => {
  const found: string[] = [];
  for (let rest = text; found.length < MAX_NAMED;) {
    const [char] = ODD.exec(rest) ?? [];
    if (char === undefined) break;
    found.push(ODD_NAMES[char] ? `${ODD_NAMES[char]} (${codeOf(char)})` : codeOf(char));
    rest = rest.replaceAll(char, '');
  }
  return found.length === 0 ? undefined : found.join(', ');
};

/** Shows what nobody sees in a name. */
export const withOddShown = (text: string): string =>
  text.replaceAll(new RegExp(ODD, 'gu'), (char) => `<${codeOf(char)}>`);

type Note = string | false | undefined;

/** @returns each note on a line of its own */
export const notesOf = (written: Written): string | undefined => {
  const notes = [...aroundValue(written), ...inQuotes(written), ...inBare(written), ...inValue(written)];
  return joined(notes);
};

/** @returns notes on a value that was not read from a line */
export const notesOfValue = (value: string, more: readonly Note[] = []): string | undefined =>
  joined([...more, ...inValue({ value })]);

const joined = (notes: readonly Note[]): string | undefined => {
  const all = notes.filter((note) => note !== false && note !== undefined);
  return all.length === 0 ? undefined : all.join('\n');
};

const aroundValue = ({ before, isExported, around, after, hasComment, hasLoneReturn }: Written): Note[] => {
  const [oddBefore, oddBeside] = [
    oddIn(before.replaceAll('\t', '')),
    oddIn(`${around}${after}`.replaceAll('\t', '')),
  ];
  return [
    oddBefore && `${oddBefore} before the name is left out`,
    isExported && '"export" is left out',
    oddBeside && `${oddBeside} beside the value is left out`,
    around !== '' && 'the spaces around = are left out; bash would not read this line',
    after !== '' && !hasComment && !oddBeside && 'the spaces after the value are left out',
    hasComment && 'the text after # is a comment',
    hasLoneReturn && 'a carriage return alone ends this line; Node, docker compose and bash would read on',
  ];
};

/** A command that shells would run. */
const COMMAND = /\$\(|`/;
const AS_TEXT = {
  command: 'the command in it is kept as text; bash would run it',
  dollar: 'the $ is kept as it is; docker compose, bash and some other readers would replace a name after it',
};

/** What the text of double quotes contains, apart from escapes that are replaced. */
const withoutEscapes = (text: string): string => text.replaceAll(/\\[nrt"\\$`]/g, '');

const inQuotes = ({ form, text, value, lastLine }: Written): Note[] => {
  if (form === 'bare') return [];
  const isDouble = form === 'double';
  const rest = isDouble ? withoutEscapes(text) : '';
  const escape = isDouble ? /\\[rt"\\$`]/.exec(text)?.[0] : undefined;
  return [
    lastLine !== undefined && `the value goes on to line ${lastLine}`,
    text.includes('\r') && 'its line ends become \\n',
    escape !== undefined && `escapes such as ${escape} are replaced; dotenv would keep them`,
    isDouble && /\\n/.test(text) && '\\n becomes a line end; bash would keep it',
    /\\[\r\n]/.test(rest) &&
      'a backslash before a line end is kept, as the line end is; bash would join the lines',
    /\\[abfv'0]/.test(rest) &&
      'its other escapes are kept; python-dotenv and docker compose would replace some',
    form === 'single' && text.includes("\\'") && "\\' is read as a quote; dotenv would keep the backslash",
    form === 'single' &&
      text.endsWith('\\') &&
      'the backslash at its end belongs to the value; dotenv, python-dotenv and docker compose would read on',
    form === 'single' &&
      text.includes('${') &&
      'the $ is kept as it is; python-dotenv would replace a name after it',
    form === 'single' && value.includes('\\\\') && 'both backslashes are kept; python-dotenv would read one',
    form === 'backtick' &&
      'the backticks are quotes, as in dotenv and Node; bash would run the text as a command',
    COMMAND.test(rest) ? AS_TEXT.command : rest.includes('$') && AS_TEXT.dollar,
  ];
};

const inBare = ({ form, value }: Written): Note[] => {
  if (form !== 'bare') return [];
  const isCommand = COMMAND.test(value);
  return [
    value.includes('#') && '# belongs to the value; dotenv and Node would begin a comment there',
    /^[\u2018-\u201F\u00AB\u2039]/.test(value) &&
      'curly quotes belong to the value: type straight ones to quote it',
    isCommand ? AS_TEXT.command : value.includes('$') && AS_TEXT.dollar,
    /["']/.test(value) && 'the quotes in it belong to the value',
    value.endsWith('\\') && 'the backslash at its end belongs to the value; bash would join the next line',
    !isCommand &&
      /[\s"'\\;&|<>()]|^~|:~/.test(value.replace(/\\$/, '')) &&
      'bash would need quotes around this value',
  ];
};

const inValue = ({ value }: Pick<Written, 'value'>): Note[] => {
  const odd = oddIn(value);
  return [/^ | $/.test(value) && 'the value begins or ends with a space', odd && `the value contains ${odd}`];
};
