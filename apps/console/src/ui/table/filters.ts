/** How filters are written in the address, read in words, and applied. Pure. */
import type { CellValue, Column } from './columns';

export const textOf = (value: CellValue): string =>
  value === null || value === undefined
    ? ''
    : typeof value === 'boolean'
      ? value
        ? 'yes'
        : 'no'
      : String(value);

/** `10..20`, `10..`, `..20` or `10`. */
export const parseRange = (written: string): { min?: number; max?: number } => {
  const [from = '', to] = written.split('..');
  const number = (part: string): number | undefined =>
    part.trim() === '' || Number.isNaN(Number(part)) ? undefined : Number(part);
  const min = number(from);
  const max = to === undefined ? min : number(to);
  return { ...(min !== undefined && { min }), ...(max !== undefined && { max }) };
};

export const writeRange = (min?: number, max?: number): string =>
  min === undefined && max === undefined ? '' : `${min ?? ''}..${max ?? ''}`;

/** Values may hold commas, so each is percent-encoded on its own. */
export const parseCategories = (written: string): string[] =>
  written.split(',').flatMap((part) => {
    try {
      return part === '' ? [] : [decodeURIComponent(part)];
    } catch {
      return [part];
    }
  });

export const writeCategories = (values: readonly string[]): string =>
  values.map((value) => encodeURIComponent(value)).join(',');

export const passes = (
  kind: NonNullable<Column<never>['filter']>,
  value: CellValue,
  written: string,
): boolean => {
  if (kind === 'text') return textOf(value).toLowerCase().includes(written.toLowerCase());
  if (kind === 'select') return textOf(value) === written;
  if (kind === 'category') return parseCategories(written).includes(textOf(value));
  const { min, max } = parseRange(written);
  const number = Number(value);
  return (
    !Number.isNaN(number) && (min === undefined || number >= min) && (max === undefined || number <= max)
  );
};

export const inWords = (column: Pick<Column<never>, 'header' | 'filter'>, written: string): string => {
  if (column.filter === 'text') return `${column.header} contains ${written}`;
  if (column.filter === 'category') return `${column.header} is ${parseCategories(written).join(' or ')}`;
  if (column.filter !== 'number') return `${column.header} is ${written}`;
  const { min, max } = parseRange(written);
  if (min !== undefined && min === max) return `${column.header} is ${min}`;
  if (min === undefined) return `${column.header} up to ${max ?? ''}`;
  return max === undefined ? `${column.header} from ${min}` : `${column.header} ${min} to ${max}`;
};

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/** Numbers as numbers, words as people sort them (`web-2` before `web-10`). */
export const compareValues = (a: CellValue, b: CellValue): number =>
  typeof a === 'number' && typeof b === 'number' ? a - b : collator.compare(textOf(a), textOf(b));

/** The values that occur, for a choice. */
export const occurring = <Row>(rows: readonly Row[], column: Column<Row>): string[] =>
  [...new Set(rows.map((row) => textOf(column.value(row))))]
    .filter((value) => value !== '')
    .sort(collator.compare);
