/**
 * The one table of the console: sort, search, filters, pages, keyboard, live changes, cards on a narrow screen.
 * Everything it shows is in the address.
 */
import { useMediaQuery } from '@mantine/hooks';
import {
  columnFilteringFeature,
  createFilteredRowModel,
  createPaginatedRowModel,
  createSortedRowModel,
  globalFilteringFeature,
  rowPaginationFeature,
  rowSortingFeature,
  tableFeatures,
  useTable,
  type ColumnDef,
} from '@tanstack/react-table';
import { useMemo, type ReactNode } from 'react';
import type { ApiError } from '../core/http';
import styles from './DataTable.module.css';
import { ErrorState } from './ErrorState';
import { TableSkeleton } from './Loading';
import around from './table/around-table.module.css';
import { CardList } from './table/CardList';
import type { CellValue, Column } from './table/columns';
import { compareValues, passes, textOf } from './table/filters';
import { PageStrip } from './table/PageStrip';
import { matchedTo } from './table/matched';
import { RowTable } from './table/RowTable';
import { SelectionNote } from './table/SelectBoxes';
import { stillThere, type TableSelection } from './table/chosen-rows';
import { TableToolbar } from './table/TableToolbar';
import { Unmatched } from './table/Unmatched';
import { useTableAddress } from './table/table-address';
import { useFlash } from './table/use-flash';

export type { Column } from './table/columns';
export type { TableSelection } from './table/chosen-rows';

export interface DataTableProps<Row> {
  /** `undefined` while there is nothing yet. Keep the array stable between renders. */
  rows: readonly Row[] | undefined;
  /** At module scope or memoized. */
  columns: readonly Column<Row>[];
  rowKey: (row: Row) => string;
  /** What is in the table, for those who do not see it: "Servers". */
  label: string;
  onOpen?: (row: Row) => void;
  /** Address of a row; makes the first column a link that opens in another tab too. */
  href?: (row: Row) => string | undefined;
  loading?: boolean;
  error?: ApiError | undefined;
  onRetry?: () => void;
  /** What will appear here and the first step, below 'No rows found' while there are no rows at all. */
  empty?: ReactNode;
  searchable?: boolean;
  pageSize?: number;
  /** Tells two tables on one page apart in the address. */
  urlKey?: string;
  /** Order while the address names none: `alias` or `-at`. */
  defaultSort?: string;
  /** Buttons at the end of each row. */
  actions?: (row: Row) => ReactNode;
  /** Further controls beside search and filters. */
  tools?: ReactNode;
  /** Rows can be chosen; by whom they are remembered is the page's business. */
  selection?: TableSelection<Row>;
}

const features = tableFeatures({
  columnFilteringFeature,
  globalFilteringFeature,
  rowSortingFeature,
  rowPaginationFeature,
  filteredRowModel: createFilteredRowModel(),
  sortedRowModel: createSortedRowModel(),
  paginatedRowModel: createPaginatedRowModel(),
});

const noRows: never[] = [];
const NO_ROWS = 'No rows found';
const NARROW = '(max-width: 47.99em)';

const definitionOf = <Row extends object>(column: Column<Row>): ColumnDef<typeof features, Row> => ({
  id: column.id,
  accessorFn: column.value,
  header: column.header,
  enableSorting: column.sortable !== false,
  sortUndefined: 'last',
  sortFn: (a, b, id) => compareValues(a.getValue<CellValue>(id), b.getValue<CellValue>(id)),
  filterFn: (row, id, written: string) =>
    passes(column.filter ?? 'text', row.getValue<CellValue>(id), written),
});

export function DataTable<Row extends object>(props: DataTableProps<Row>) {
  const { rows, columns, rowKey, label, error, empty, pageSize = 25, urlKey, defaultSort } = props;
  const view = useTableAddress(urlKey);
  const narrow = useMediaQuery(NARROW) ?? false;
  const flashing = useFlash(rows, rowKey);
  const definitions = useMemo(() => columns.map((column) => definitionOf(column)), [columns]);
  const matched = useMemo(() => matchedTo(columns, view), [columns, view]);
  const sort =
    matched.sort ??
    (defaultSort ? { id: defaultSort.replace(/^-/, ''), desc: defaultSort.startsWith('-') } : undefined);

  const table = useTable({
    features,
    columns: definitions,
    data: (rows ?? noRows) as Row[],
    getRowId: rowKey,
    globalFilterFn: (row, id, written: string) =>
      textOf(row.getValue<CellValue>(id)).toLowerCase().includes(written.toLowerCase()),
    getColumnCanGlobalFilter: () => true,
    autoResetPageIndex: false,
    state: {
      globalFilter: view.search,
      sorting: sort ? [sort] : [],
      columnFilters: matched.filters,
      pagination: { pageIndex: view.page - 1, pageSize },
    },
  });

  // What one may not see any more does not stay on the page.
  const gone = error?.status === 403 || error?.status === 404;
  if (error && (!rows || gone))
    return <ErrorState error={error} what={label} onRetry={gone ? undefined : props.onRetry} />;
  if (!rows) return <TableSkeleton columns={columns.length} />;
  const unmatched = (
    <Unmatched
      unmatched={matched.unmatched}
      onRemove={() => view.change({ sort: matched.sort, filters: matched.filters })}
    />
  );
  if (rows.length === 0 && empty) {
    return (
      <div className={styles.root}>
        {unmatched}
        <div className={around.nothing}>
          <p>{NO_ROWS}</p>
          {empty}
        </div>
      </div>
    );
  }

  const found = table.getSortedRowModel().rows;
  const pages = Math.max(1, Math.ceil(found.length / pageSize));
  const page = Math.min(view.page, pages);
  const shown = (page === view.page ? table.getRowModel().rows : found.slice((page - 1) * pageSize)).map(
    (row) => row.original,
  );
  const selection = props.selection && {
    ...props.selection,
    chosen: stillThere(props.selection.chosen, table.getCoreRowModel().rowsById),
  };
  const body = {
    ...props,
    ...(selection && { selection }),
    rows: shown,
    foundKeys: selection ? found.map((row) => row.id) : [],
    sort,
    flashing,
    change: view.change,
  };

  return (
    <section className={styles.root} aria-label={label}>
      {error && <ErrorState error={error} what={label} onRetry={props.onRetry} inline />}
      {unmatched}
      <TableToolbar
        columns={columns}
        rows={rows}
        view={view}
        narrow={narrow}
        label={label}
        searchable={props.searchable ?? false}
        tools={
          <>
            {props.tools}
            {selection && <SelectionNote selection={selection} foundKeys={body.foundKeys} narrow={narrow} />}
          </>
        }
        bare={props.tools === undefined && !selection}
      />
      {shown.length === 0 ? (
        <p className={styles.none}>{NO_ROWS}</p>
      ) : narrow ? (
        <CardList {...body} />
      ) : (
        <RowTable {...body} />
      )}
      <PageStrip
        page={page}
        pageSize={pageSize}
        found={found.length}
        all={rows.length}
        onPage={(to) => view.change({ page: to })}
      />
    </section>
  );
}
