/** Texts of imported parts: how they name columns, how they are written in SQL, and which are accepted. */
import type { Dialect, NativePart } from './model';

interface Piece {
  readonly kind: 'name' | 'string' | 'other';
  readonly text: string;
}

const PIECES: Record<Dialect, RegExp> = {
  mysql: /(`(?:[^`]|``)*`)|('(?:[^'\\]|''|\\[\s\S])*'|"(?:[^"\\]|""|\\[\s\S])*")|([^`'"]+)|([\s\S])/g,
  postgresql:
    /("(?:[^"]|"")*")|((?<![\w$\u0080-\uFFFF])[eE]'(?:[^'\\]|''|\\[\s\S])*'|'(?:[^']|'')*')|((?:(?!(?<![\w$\u0080-\uFFFF])[eE]')[^"'])+)|([\s\S])/g,
};

/** @returns undefined if a quote is open at the end */
const piecesOf = (text: string, dialect: Dialect): Piece[] | undefined => {
  const pieces: Piece[] = [];
  for (const [whole, name, string, other] of text.matchAll(PIECES[dialect])) {
    if (name === undefined && string === undefined && other === undefined) return undefined;
    pieces.push({
      kind: name !== undefined ? 'name' : string !== undefined ? 'string' : 'other',
      text: whole,
    });
  }
  return pieces;
};

/** Marks the quoted names in a text that are names of columns. Brackets that the text itself contains are escaped. */
export const withNames = (
  text: string,
  dialect: Dialect,
  idOf: (name: string) => string | undefined,
): string =>
  (piecesOf(text, dialect) ?? [{ kind: 'other' as const, text }])
    .map((piece) => {
      if (piece.kind !== 'name') return unmarked(piece.text);
      const quote = dialect === 'mysql' ? '`' : '"';
      const id = idOf(piece.text.slice(1, -1).replaceAll(quote + quote, quote));
      return id === undefined ? unmarked(piece.text) : placeOf(id);
    })
    .join('');

/** How a text of a structure names a column of its table. */
export const placeOf = (columnId: string): string => `⟦${columnId}⟧`;

/** A mark without an id stands for the bracket itself, which comments and defaults may have. */
const BRACKET = placeOf('');

/** A text of a structure that names no column, whatever it has. */
export const unmarked = (text: string): string => text.replaceAll('⟦', BRACKET);

const MARK = /⟦([^⟧]*)⟧/g;

/** The text of a structure as SQL or words, with something instead of each column. */
export const withPlaces = (text: string, of: (columnId: string) => string): string =>
  text.includes('⟦') ? text.replaceAll(MARK, (_, id: string) => (id === '' ? '⟦' : of(id))) : text;

/** The text of another structure, in which the columns have other ids. */
export const withOtherPlaces = (text: string, of: (columnId: string) => string): string =>
  text.includes('⟦')
    ? text.replaceAll(MARK, (mark, id: string) => (id === '' ? mark : placeOf(of(id))))
    : text;

/** The name of a comment marks its column. All other names are what people call something. */
export const withOtherName = (
  { kind, name }: Pick<NativePart, 'kind' | 'name'>,
  of: (columnId: string) => string,
): string => (kind === 'comment' ? withOtherPlaces(name, of) : name);

const COMMENT = 'it has a comment or a quote of dollars';

/** Before a quote, in PostgreSQL: a word that says how to read the text. After any other word, engines disagree. */
const PREFIX = /(?:^|[^\w$\u0080-\uFFFF])(?:[bnx]|u&)$/i;
const WORD = /[\w$\u0080-\uFFFF]$/;

/**
 * Why a text cannot be part of a statement; undefined if it can. A text that closes a bracket of ours, or that begins
 * something new after a comma or a semicolon, could do anything. A server may leave
 * out what a comment holds for certain versions, so that has to be whole.
 */
export function textProblem(text: string, dialect: Dialect): string | undefined {
  const pieces = piecesOf(text, dialect);
  if (!pieces) return 'a quote is not closed';
  let depth = 0;
  /** The depth at which a part for some servers began. */
  let began: number | undefined;
  for (const [at, { kind, text: piece }] of pieces.entries()) {
    if (kind !== 'other') {
      if (began !== undefined && piece.includes('*/')) return COMMENT;
      continue;
    }
    if (dialect === 'postgresql' && pieces[at + 1] && WORD.test(piece) && !PREFIX.test(piece))
      return 'a quote follows a word';
    for (const [token] of piece.matchAll(/--|\/\*M?!|\/\*|\*\/|\$[^\s$]*\$|[#();,]/g)) {
      if (token === '(') depth += 1;
      else if (token === ')') {
        depth -= 1;
        if (depth < (began ?? 0)) return 'a bracket is closed that is not open';
      } else if (token === ';' || token === ',') {
        if (token === ';' || depth === (began ?? 0)) return `it has a ${token} outside of brackets`;
      } else if (token.endsWith('!') && dialect === 'mysql' && began === undefined) began = depth;
      else if (token === '*/' && began !== undefined) {
        if (depth > began) return 'a bracket is not closed';
        began = undefined;
      } else return COMMENT;
    }
  }
  if (began !== undefined) return COMMENT;
  return depth > 0 ? 'a bracket is not closed' : undefined;
}

/** A part that both engines have can be written for the other one too. */
export const isPortable = ({ kind, columns }: Pick<NativePart, 'kind' | 'columns'>): boolean =>
  columns !== undefined &&
  (kind === 'key' ||
    kind === 'unique' ||
    kind === 'index' ||
    kind === 'foreignKey' ||
    kind === 'uniqueIndex');
