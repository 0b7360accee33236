/** CSV: one row for each key, one column for each language. */
import { CsvError, parse } from 'csv-parse/sync';
import {
  TextFileError,
  byKey,
  decoded,
  type FoundText,
  type FoundTexts,
  type LeftOut,
  type TextEntry,
} from './file';
import { NO_LANGUAGE } from './json';
import { languageOf, type Language } from './languages';

/** In the variant for spreadsheets an apostrophe keeps a cell from being a formula. The one before `key` marks the file. */
const GUARD = "'";
const GUARDED_HEADER = `${GUARD}key`;
const MAY_BE_FORMULA = /^['=+\-@\t\r]/;

export const writeCsv = (
  entries: readonly TextEntry[],
  languages: readonly Language[],
  isForSpreadsheet: boolean,
): string => {
  const cell = (text: string): string =>
    quoted(isForSpreadsheet && MAY_BE_FORMULA.test(text) ? GUARD + text : text);
  const rows = entries
    .toSorted(byKey)
    .map(({ key, texts }) => [cell(key), ...languages.map((one) => cell(texts[one] ?? ''))].join(','));
  const header = [isForSpreadsheet ? GUARDED_HEADER : 'key', ...languages].join(',');
  return [header, ...rows, ''].join('\r\n');
};

const quoted = (text: string): string =>
  /[",;\s]|^$/.test(text) && text !== '' ? `"${text.replaceAll('"', '""')}"` : text;

export const readCsv = (bytes: Uint8Array, language: Language | undefined): FoundTexts => {
  const rows = rowsOf(decoded(bytes));
  const found = headerIn(rows, language);
  if (!found) throw new TextFileError(NO_HEADER, rows[0]?.line);
  const { columns, header } = found;
  const texts: FoundText[] = [];
  const leftOut: LeftOut[] = [];
  const isGuarded = header.cells[columns.key] === GUARDED_HEADER;
  const plain = (cell: string): string =>
    isGuarded && cell.startsWith(GUARD) ? cell.slice(GUARD.length) : cell;
  for (const { line, cells } of rows.slice(rows.indexOf(header) + 1)) {
    const at = (column: number | undefined): string =>
      plain((column === undefined ? undefined : cells[column]) ?? '');
    const source = at(columns.source);
    const key = at(columns.key) || at(columns.spare) || source;
    const filled = columns.languages.filter(([column]) => at(column) !== '');
    if (key === '' && filled.length > 0) leftOut.push({ line, why: 'The row has no key.' });
    if (key === '') continue;
    const needsReview = /^(true|1|yes|fuzzy)$/i.test(at(columns.fuzzy));
    for (const [column, of] of filled) {
      texts.push({
        key,
        language: of,
        text: at(column),
        line,
        ...(source !== '' && { source }),
        ...(key === source && { isKeySource: true }),
        ...(needsReview && { needsReview }),
      });
    }
  }
  return { texts, leftOut };
};

const NO_HEADER =
  'Expected a header row with a column "key" and a column for each language, such as key,en,fr (or source,target and a chosen language).';

interface Row {
  line: number;
  cells: readonly string[];
}

/** Rows with any of the usual delimiters. A quote within quotes is doubled, or after a backslash in files of some tools. */
const rowsOf = (text: string): Row[] => {
  const delimiter = delimiterOf(text);
  try {
    return parsed(text, delimiter, '"');
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    try {
      return parsed(text, delimiter, '\\');
    } catch {
      const { lines, column, records = 0 } = error as CsvError & Partial<ParserStop>;
      const cell = typeof column === 'number' ? ` (cell ${column + 1})` : '';
      const line = error.code === 'CSV_QUOTE_NOT_CLOSED' ? lineAfter(text, delimiter, records) : lines;
      throw new TextFileError(`${inWords[error.code] ?? 'The row is not CSV'}${cell}.`, line);
    }
  }
};

/** Where the parser stopped. */
interface ParserStop {
  lines: number;
  column: number;
  /** Rows before. */
  records: number;
}

/** The parser stops at the end of the file. What is to be mended is in the row after those that it has read. */
const lineAfter = (text: string, delimiter: string, rows: number): number => {
  const before = rows === 0 ? [] : parsed(text, delimiter, '"', rows);
  const last = before.at(-1);
  const start = last ? last.line + last.cells.join('').split('\n').length : 1;
  const lines = text.split(/\r\n|\r|\n/);
  const row = lines.findIndex((line, index) => index + 1 >= start && line !== '');
  return row < 0 ? start : row + 1;
};

const inWords: Partial<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: 'A cell of the row that begins here has no closing quote',
  CSV_INVALID_CLOSING_QUOTE: 'Expected a delimiter or the end of the line after the closing quote',
  INVALID_OPENING_QUOTE: 'A quote within a cell needs quotes around the whole cell',
};

const parsed = (text: string, delimiter: string, escape: string, to?: number): Row[] =>
  parse(text, {
    delimiter,
    escape,
    bom: true,
    relaxColumnCount: true,
    skipEmptyLines: true,
    info: true,
    ...(to !== undefined && { to }),
  }).map((each) => {
    const { record, info } = each as unknown as { record: string[]; info: { lines: number } };
    // The count includes the lines within the row.
    const within = record.reduce((sum, cell) => sum + cell.split('\n').length - 1, 0);
    return { line: info.lines - within, cells: record };
  });

/** The one that is most frequent outside of quotes in the first lines. */
const delimiterOf = (text: string): string => {
  const start = text.slice(0, 4000).replaceAll(/"(?:[^"]|"")*"/g, '');
  const count = (one: string): number => start.split(one).length;
  return [',', ';', '\t'].reduce((most, one) => (count(one) > count(most) ? one : most));
};

interface Columns {
  key: number;
  /** Has the key, if the key column is empty. */
  spare?: number;
  source?: number;
  fuzzy?: number;
  languages: readonly (readonly [column: number, language: Language])[];
}

/** Spreadsheets often have a title and empty rows above their header. */
const HEADER_WITHIN = 5;

const headerIn = (
  rows: readonly Row[],
  language: Language | undefined,
): { header: Row; columns: Columns } | undefined => {
  for (const header of rows.slice(0, HEADER_WITHIN)) {
    const columns = columnsOf(header, language);
    if (columns) return { header, columns };
  }
  return undefined;
};

const columnsOf = ({ cells, line }: Row, language: Language | undefined): Columns | undefined => {
  const names = cells.map((cell) => cell.trim().toLowerCase());
  const place = (...wanted: string[]): number | undefined => {
    const column = wanted.map((name) => names.indexOf(name)).find((at) => at >= 0);
    return column;
  };
  const target = place('target', 'translation');
  const source = place('source');
  const key = place(GUARDED_HEADER, 'key', 'id', 'identifier', 'name', 'context') ?? source;
  if (key === undefined) return undefined;
  if (target !== undefined) {
    if (!language) throw new TextFileError(NO_LANGUAGE, line);
    return {
      key,
      spare: place('context'),
      source,
      fuzzy: place('fuzzy'),
      languages: [[target, language]],
    };
  }
  const found = names.flatMap((name, column) => {
    const of = column === key ? undefined : languageOf(name);
    return of ? [[column, of] as const] : [];
  });
  const twice = found.find(([column, of]) => found.some(([other, same]) => other !== column && same === of));
  if (twice) throw new TextFileError(`Two columns are of the same language: ${cells[twice[0]]}.`, line);
  return found.length > 0 ? { key, languages: found } : undefined;
};
