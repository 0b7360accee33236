import type { ListColumn } from '@quarterdeck/projections';
import type { ReactNode } from 'react';

/** A table column. Its `value` is also the text to copy, and the text shown unless `cell` is set. */
export interface Column<Row> extends ListColumn<Row> {
  header: string;
  cell?: (row: Row) => ReactNode;
  /** Default true. */
  sortable?: boolean;
  /** Monospaced, for hosts, names and hashes. */
  mono?: boolean;
  /** Offers to copy the value on hover. */
  copy?: boolean;
  /** Order on a card on narrow screens; 1 is its title. A card has all columns with a priority, and three at least. */
  priority?: 1 | 2 | 3;
  align?: 'right';
  /** Shown only to people who choose it. */
  onDemand?: true;
  /** CSS width, for columns that should not grow. */
  width?: string;
  /** CSS width beyond which the text is truncated; the tooltip has all of it. */
  maxWidth?: string;
}
