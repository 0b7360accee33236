/** Writes filters for the address and describes them in words. Pure. */
import { parseCategories, parseRange } from '@quarterdeck/projections';
import type { Column } from './columns';

export const writeRange = (min?: number, max?: number): string =>
  min === undefined && max === undefined ? '' : `${min ?? ''}..${max ?? ''}`;

export const writeCategories = (values: readonly string[]): string =>
  values.map((value) => encodeURIComponent(value)).join(',');

export const inWords = (column: Pick<Column<never>, 'header' | 'filter'>, written: string): string => {
  if (column.filter === 'text') return `${column.header} contains ${written}`;
  if (column.filter === 'category') return `${column.header} is ${parseCategories(written).join(' or ')}`;
  if (column.filter !== 'number') return `${column.header} is ${written}`;
  const { min, max } = parseRange(written);
  if (min !== undefined && min === max) return `${column.header} is ${min}`;
  if (min === undefined) return `${column.header} up to ${max ?? ''}`;
  return max === undefined ? `${column.header} from ${min}` : `${column.header} ${min} to ${max}`;
};
