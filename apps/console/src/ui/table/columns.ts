import type { ReactNode } from 'react';

export type CellValue = string | number | boolean | null | undefined;

export interface Column<Row> {
  id: string;
  header: string;
  /** What is sorted, searched, filtered and copied; shown as it is unless there is a `cell`. */
  value: (row: Row) => CellValue;
  cell?: (row: Row) => ReactNode;
  /** `select` takes one of the values that occur, `category` several. */
  filter?: 'text' | 'number' | 'select' | 'category';
  /** Default true. */
  sortable?: boolean;
  /** Hosts, names, hashes. */
  mono?: boolean;
  /** Offers to copy the value on hover. */
  copy?: boolean;
  /** Columns with a priority stay on a narrow screen, 1 as the title of the card. */
  priority?: 1 | 2 | 3;
  align?: 'right';
  /** CSS width, for columns that should not grow. */
  width?: string;
}
