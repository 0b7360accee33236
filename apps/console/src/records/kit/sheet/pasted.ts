/** Reads cells that were copied from a spreadsheet. Pure. */
import type { InputField } from '../../../ui/form/fields';
import type { Cells, Change } from './rows';

/** More is no paste into a form. */
export const MAX_PASTED_ROWS = 200;

/** Ids by name, without case, for each field that points to other records. */
export type IdsByName = Readonly<Record<string, ReadonlyMap<string, string>>>;

export const nameKey = (name: string): string => name.trim().toLowerCase();

const unquoted = (cell: string): string =>
  /^".*"$/s.test(cell) ? cell.slice(1, -1).replaceAll('""', '"') : cell;

/** Spreadsheets copy lines of cells with tabs between them. @returns undefined for the text of one cell */
export const cellsOf = (text: string): readonly (readonly string[])[] | undefined => {
  const lines = text.replace(/\r?\n$/, '').split(/\r?\n/);
  if (lines.length === 1 && !text.includes('\t')) return undefined;
  return lines.map((line) => line.split('\t').map((cell) => unquoted(cell).trim()));
};

export interface Pasted {
  /** The field of each column; a column beyond the last field has none. */
  readonly fields: readonly (InputField | undefined)[];
  readonly lines: readonly (readonly string[])[];
}

const isWordOf = ({ options = [] }: InputField, text: string): boolean =>
  options.some(({ label }) => nameKey(label) === nameKey(text));

/**
 * The fields from the first on. Names are often pasted with their types alone: a field that may be left out is, if its
 * column has the words of the choice after it, and the column of that choice does not.
 */
const fieldsFrom = (lines: readonly (readonly string[])[], cells: Cells): readonly InputField[] => {
  const isColumnOf = (choice: InputField, at: number): boolean => {
    const texts = lines.map((line) => line[at] ?? '').filter((text) => text !== '');
    return texts.length > 0 && texts.every((text) => isWordOf(choice, text));
  };
  const left = cells.findIndex(({ type, optional }, at) => {
    const next = cells[at + 1];
    return (
      type === 'text' &&
      optional &&
      next?.type === 'select' &&
      isColumnOf(next, at) &&
      !isColumnOf(next, at + 1)
    );
  });
  return left < 0 ? cells : cells.toSpliced(left, 1);
};

/** The columns begin at a field, unless the first line has the names of fields. */
export const placed = (lines: readonly (readonly string[])[], cells: Cells, first: number): Pasted => {
  const named = (name: string) =>
    cells.find((cell) => [cell.label, cell.name].some((own) => nameKey(own) === nameKey(name)));
  const header = lines[0]?.map(named) ?? [];
  if (header.length > 0 && header.every((field) => field !== undefined))
    return { fields: header, lines: lines.slice(1) };
  const fields = fieldsFrom(lines, cells.slice(first));
  return { fields: (lines[0] ?? []).map((_, at) => fields[at]), lines };
};

const YES = new Set(['true', 'yes', 'y', '1', 'x', '✓']);
const NO = new Set(['', 'false', 'no', 'n', '0', '-']);

const read = (field: InputField, text: string, ids: IdsByName): string | boolean | undefined => {
  const key = nameKey(text);
  if (field.type === 'checkbox') return YES.has(key) ? true : NO.has(key) ? false : undefined;
  if (field.type === 'reference') return text === '' ? '' : ids[field.name]?.get(key);
  if (field.type !== 'select') return text;
  if (text === '') return '';
  const option = field.options?.find(({ value, label }) => [String(value), nameKey(label)].includes(key));
  return option && String(option.value);
};

const expected = (field: InputField, text: string): string => {
  if (field.type === 'checkbox') return `"${text}" is neither yes nor no`;
  if (field.type === 'reference') return `no ${field.from?.one ?? 'record'} is called "${text}"`;
  return `"${text}" is none of: ${(field.options ?? []).map(({ label }) => label).join(', ')}`;
};

const shortened = (text: string): string => (text.length > 40 ? `${text.slice(0, 40)}…` : text);

/** The values of one pasted line. What cannot be read stays empty, with a message. */
export const changeOf = ({ fields }: Pasted, line: readonly string[], ids: IdsByName): Change => {
  const values: Record<string, string | boolean> = {};
  const unread: Record<string, string> = {};
  for (const [at, text] of line.entries()) {
    const field = fields[at];
    if (!field) continue;
    const value = read(field, text, ids);
    values[field.name] = value ?? (field.type === 'checkbox' ? false : '');
    if (value === undefined) unread[field.name] = expected(field, shortened(text));
  }
  return { values, unread };
};

/** The names in the columns that point to other records, by field. */
export const namesIn = ({ fields, lines }: Pasted): readonly (readonly [InputField, readonly string[]])[] =>
  fields.flatMap((field, at) =>
    field?.type === 'reference'
      ? [[field, [...new Set(lines.map((line) => line[at] ?? '').filter(Boolean))]] as const]
      : [],
  );
