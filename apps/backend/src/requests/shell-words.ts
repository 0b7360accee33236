/** The words of a pasted command, as the shell that it was copied for sees them, without expansions. Pure. */
import { refuseImport } from './import-words';

const ESCAPES: Record<string, string> = { n: '\n', r: '\r', t: '\t', '0': '\0' };

const unescaped = (text: string): string =>
  text.replaceAll(
    /\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|(.))/gs,
    (_, unicode?: string, hex?: string, one = '') => {
      const code = unicode ?? hex;
      return code === undefined
        ? (ESCAPES[one as string] ?? (one as string))
        : String.fromCharCode(parseInt(code, 16));
    },
  );

/** `until` in `source`, past what a backslash escapes. @throws DomainError on an open quote */
const endOf = (source: string, from: number, until: (at: number) => boolean, escapes: boolean): number => {
  let end = from;
  while (end < source.length && !until(end)) end += escapes && source.charAt(end) === '\\' ? 2 : 1;
  if (end >= source.length) throw refuseImport('a quote is not closed: paste the whole command');
  return end;
};

interface Quoted {
  text: string;
  /** Where the closing quote is. */
  end: number;
}

/** What begins at this place, if it is a quote. */
type Quotes = (source: string, at: number) => Quoted | undefined;

const posixQuotes: Quotes = (source, at) => {
  const letter = source.charAt(at);
  const isAnsi = letter === '$' && source.charAt(at + 1) === "'";
  if (letter === "'" || isAnsi) {
    const from = at + (isAnsi ? 2 : 1);
    const end = endOf(source, from, (one) => source.charAt(one) === "'", isAnsi);
    const inside = source.slice(from, end);
    return { text: isAnsi ? unescaped(inside) : inside, end };
  }
  if (letter !== '"') return undefined;
  const end = endOf(source, at + 1, (one) => source.charAt(one) === '"', true);
  return { text: source.slice(at + 1, end).replaceAll(/\\(["\\$`])/g, '$1'), end };
};

/** Of programs on Windows: in quotes, `""` and `\"` are a quote. */
const windowsQuotes: Quotes = (source, at) => {
  if (source.charAt(at) !== '"') return undefined;
  let end = at;
  do end = endOf(source, end === at ? at + 1 : end + 2, (one) => source.charAt(one) === '"', true);
  while (source.charAt(end + 1) === '"');
  return {
    text: source.slice(at + 1, end).replaceAll(/\\(["\\])|""/g, (_, one?: string) => one ?? '"'),
    end,
  };
};

/** For cmd.exe, browsers write `^` before each special character, and before a line end. */
const isForWindows = (text: string): boolean => /\^["\r\n]/.test(text);
const withoutCarets = (text: string): string =>
  text.replaceAll(/\^(?:\r?\n(\r?\n)?|([^\r\n]))/g, (_, second?: string, letter?: string) => {
    if (letter !== undefined) return letter;
    return second === undefined ? ' ' : '\n';
  });

/** Where the command ends and another one, or a file, follows. */
const ENDS = ['|', '||', '&', '&&', ';', '>', '>>', '2>', '<'];

/** @throws DomainError on an open quote */
export const shellWords = (text: string): string[] => {
  const isWindows = isForWindows(text);
  const source = isWindows ? withoutCarets(text) : text.replaceAll(/\\\r?\n/g, ' ');
  const quotesAt = isWindows ? windowsQuotes : posixQuotes;
  const words: string[] = [];
  let word: string | undefined;
  let isQuoted = false;
  const add = (part: string): void => void (word = (word ?? '') + part);
  /** @returns whether the command goes on */
  const close = (): boolean => {
    if (word !== undefined && !isQuoted && ENDS.includes(word)) return false;
    if (word !== undefined) words.push(word);
    [word, isQuoted] = [undefined, false];
    return true;
  };
  for (let at = 0; at < source.length; at += 1) {
    const letter = source.charAt(at);
    const quoted = quotesAt(source, at);
    if (quoted) {
      add(quoted.text);
      isQuoted = true;
      at = quoted.end;
    } else if (/\s/.test(letter)) {
      if (!close()) return words;
    } else if (letter === '\\' && !isWindows) {
      add(source.charAt(at + 1));
      at += 1;
    } else add(letter);
  }
  close();
  return words;
};
