/** Searches, filters, sorts and pages a list, by the same rules in the browser and the back end. Pure. */
import { z } from 'zod';

export type CellValue = string | number | boolean | null | undefined;

/** `select` filters by one of the occurring values, `category` by several. */
export type FilterKind = 'text' | 'number' | 'select' | 'category';

export interface ListColumn<Row> {
  id: string;
  /** The value to sort, search and filter by. */
  value: (row: Row) => CellValue;
  filter?: FilterKind;
  /** The text search ignores this column, such as dates, whose digits would match searches for names. */
  unsearched?: true;
}

type ColumnsById<Columns extends readonly { id: string }[]> = {
  [Each in Columns[number] as Each['id']]: Each;
};

/** `const { alias, host } = columnsById(serverColumns)`: an id that the list does not have does not compile. */
export const columnsById = <const Columns extends readonly { id: string }[]>(
  columns: Columns,
): ColumnsById<Columns> =>
  Object.fromEntries(columns.map((column) => [column.id, column])) as ColumnsById<Columns>;

export const textOf = (value: CellValue): string => {
  if (value === null || value === undefined) return '';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return String(value);
};

/** `10..20`, `10..`, `..20` or `10`. */
export const parseRange = (written: string): { min?: number; max?: number } => {
  const [from = '', to] = written.split('..');
  const number = (part: string): number | undefined =>
    part.trim() === '' || Number.isNaN(Number(part)) ? undefined : Number(part);
  const min = number(from);
  const max = to === undefined ? min : number(to);
  return { ...(min !== undefined && { min }), ...(max !== undefined && { max }) };
};

/** Values may contain commas, so each value is percent-encoded separately. */
export const parseCategories = (written: string): string[] =>
  written.split(',').flatMap((part) => {
    try {
      return part === '' ? [] : [decodeURIComponent(part)];
    } catch {
      return [part];
    }
  });

/** Parses the filter once and returns a predicate for values. */
export const filterOf = (kind: FilterKind, written: string): ((value: CellValue) => boolean) => {
  if (kind === 'text') {
    const part = written.toLowerCase();
    return (value) => textOf(value).toLowerCase().includes(part);
  }
  if (kind === 'select') return (value) => textOf(value) === written;
  if (kind === 'category') {
    const chosen = new Set(parseCategories(written));
    return (value) => chosen.has(textOf(value));
  }
  const { min, max } = parseRange(written);
  return (value) => {
    const number = Number(value);
    return (
      !Number.isNaN(number) && (min === undefined || number >= min) && (max === undefined || number <= max)
    );
  };
};

const DIGITS = 16;
const accents = /[\u0300-\u036f]+/g;

/** `web-2` before `web-10`, whatever the case and the accents. */
const orderOf = (value: CellValue): number | string =>
  typeof value === 'number'
    ? value
    : textOf(value)
        .normalize('NFD')
        .replaceAll(accents, '')
        .toLowerCase()
        .replaceAll(/\d+/g, (digits) => digits.padStart(DIGITS, '0'));

const compareOrder = (a: number | string, b: number | string): number => {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  const [left, right] = [String(a), String(b)];
  return left < right ? -1 : Number(left > right);
};

/** Numbers as numbers, words as people sort them. */
export const compareValues = (a: CellValue, b: CellValue): number => compareOrder(orderOf(a), orderOf(b));

/** The distinct values of a column, as filter options. */
export const occurring = <Row>(rows: readonly Row[], column: ListColumn<Row>): string[] =>
  [...new Set(rows.map((row) => textOf(column.value(row))))]
    .filter((value) => value !== '')
    .sort(compareValues);

export interface ListAsked {
  search?: string | undefined;
  /** `alias`, or `-alias` for descending. */
  sort?: string | undefined;
  filters?: Readonly<Record<string, string>> | undefined;
  page?: number | undefined;
  size?: number | undefined;
}

const PAGE_SIZE = 25;

/** The answer of every call about one page of a list. */
export const listPageOf = <S extends z.ZodType>(row: S) =>
  z.strictObject({
    rows: z.array(row),
    found: z.int(),
    total: z.int(),
    options: z.record(z.string(), z.array(z.string())),
  });

/** One page of a list. */
export interface ListPage<Row> {
  rows: Row[];
  /** How many rows pass the search and the filters. */
  found: number;
  /** How many rows the list has. */
  total: number;
  /** Filter options by column. */
  options: Record<string, string[]>;
}

const isChoice = ({ filter }: ListColumn<never>): boolean => filter === 'select' || filter === 'category';

/**
 * The rows that match the search and the filters, in the requested order. Unknown columns in the sort or the filters
 * are ignored.
 *
 * @param rows in their default order
 */
export const foundOf = <Row>(
  rows: readonly Row[],
  columns: readonly ListColumn<Row>[],
  { search = '', sort, filters = {} }: ListAsked,
): readonly Row[] => {
  const tests = columns.flatMap(({ id, value, filter }) => {
    const written = Object.hasOwn(filters, id) ? filters[id] : undefined;
    if (filter === undefined || written === undefined) return [];
    const passes = filterOf(filter, written);
    return [(row: Row) => passes(value(row))];
  });
  if (search !== '') {
    const part = search.toLowerCase();
    const searched = columns.filter(({ unsearched }) => !unsearched);
    tests.push((row) => searched.some(({ value }) => textOf(value(row)).toLowerCase().includes(part)));
  }
  const found = tests.length === 0 ? rows : rows.filter((row) => tests.every((test) => test(row)));
  return sortedBy(found, columns, sort);
};

/** One page of these rows. If the page number is too high, the last page. */
export const pageOf = <Row>(
  rows: readonly Row[],
  columns: readonly ListColumn<Row>[],
  asked: ListAsked,
): ListPage<Row> => {
  const { page = 1, size = PAGE_SIZE } = asked;
  const found = foundOf(rows, columns, asked);
  const last = Math.max(1, Math.ceil(found.length / size));
  const from = (Math.min(page, last) - 1) * size;
  return {
    rows: found.slice(from, from + size),
    found: found.length,
    total: rows.length,
    options: Object.fromEntries(
      columns.filter(isChoice).map((column) => [column.id, occurring(rows, column)]),
    ),
  };
};

/** Rows without a value come last in both directions. */
const sortedBy = <Row>(
  rows: readonly Row[],
  columns: readonly ListColumn<Row>[],
  sort: string | undefined,
): readonly Row[] => {
  const column = columns.find(({ id }) => id === sort?.replace(/^-/, ''));
  if (sort === undefined || !column) return rows;
  const sign = sort.startsWith('-') ? -1 : 1;
  return rows
    .map((row) => ({ row, value: column.value(row) }))
    .map(({ row, value }) => ({ row, order: value === undefined ? undefined : orderOf(value) }))
    .sort((a, b) => {
      if (a.order === undefined || b.order === undefined)
        return Number(a.order === undefined) - Number(b.order === undefined);
      return sign * compareOrder(a.order, b.order);
    })
    .map(({ row }) => row);
};
