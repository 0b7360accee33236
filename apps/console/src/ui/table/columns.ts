import type { ListColumn } from '@quarterdeck/projections';
import type { ReactNode } from 'react';

/** Its value is also what is copied, and what is shown unless there is a `cell`. */
export interface Column<Row> extends ListColumn<Row> {
  header: string;
  cell?: (row: Row) => ReactNode;
  /** Default true. */
  sortable?: boolean;
  /** Hosts, names, hashes. */
  mono?: boolean;
  /** Offers to copy the value on hover. */
  copy?: boolean;
  /** Columns with a priority stay on a narrow screen, 1 as the title of the card. */
  priority?: 1 | 2 | 3;
  align?: 'right';
  /** Shown only to people who choose it. */
  onDemand?: true;
  /** CSS width, for columns that should not grow. */
  width?: string;
  /** CSS width from which the text is cut; the whole of it is in the tooltip. */
  maxWidth?: string;
}
