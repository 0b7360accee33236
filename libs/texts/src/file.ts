import type { Language } from './languages';

/** A key with what it says in each language. */
export interface TextEntry {
  readonly key: string;
  readonly texts: Readonly<Partial<Record<Language, string>>>;
}

/** One text in a file. */
export interface FoundText {
  readonly key: string;
  readonly language: Language;
  readonly text: string;
  /** From 1. */
  readonly line: number;
  /** The English text that the translator saw, if the format has it. */
  readonly source?: string;
  /** The file has no key for it, so its English text serves as one. */
  readonly isKeySource?: true;
  /** The file calls it a guess or unfinished. */
  readonly needsReview?: true;
}

/** What could not be taken from a file that is otherwise well. */
export interface LeftOut {
  readonly line: number;
  readonly key?: string;
  readonly why: string;
}

export interface FoundTexts {
  readonly texts: readonly FoundText[];
  readonly leftOut: readonly LeftOut[];
}

/** The file cannot be read. Its message says why, and line and column (from 1) where. */
export class TextFileError extends Error {
  override readonly name = 'TextFileError';

  constructor(
    readonly why: string,
    readonly line = 1,
    readonly column = 1,
  ) {
    super(`Line ${line}, column ${column}: ${why}`);
  }
}

/** Reads bytes as UTF-8, or as UTF-16 if they begin with its byte order mark. `charset` is for files that name their own. */
export const decoded = (bytes: Uint8Array, charset = 'utf-8'): string => {
  const [first, second] = bytes;
  const marked =
    first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : charset;
  try {
    return new TextDecoder(marked, { fatal: true }).decode(bytes);
  } catch (error) {
    if (error instanceof RangeError) throw new TextFileError(`The character set "${marked}" is unknown.`);
    const [line, column] = lineAndColumn(new TextDecoder(marked).decode(bytes), '\uFFFD');
    throw new TextFileError(
      `The bytes here are not ${marked.toUpperCase()}. Save the file as UTF-8.`,
      line,
      column,
    );
  }
};

const lineAndColumn = (text: string, what: string): [line: number, column: number] => {
  const before = text.slice(0, text.indexOf(what)).split('\n');
  return [before.length, (before.at(-1)?.length ?? 0) + 1];
};

export const byKey = ({ key: a }: { key: string }, { key: b }: { key: string }): number =>
  a < b ? -1 : a > b ? 1 : 0;
