/**
 * The console's table component: sort, search, filters, pages, keyboard, live changes, cards on a narrow screen.
 * Search, filters, order and page are in the address.
 */
import { useMediaQuery } from '@mantine/hooks';
import { foundOf, occurring, type ListPage } from '@quarterdeck/projections';
import { useMemo, type ReactNode } from 'react';
import { ErrorState } from './ErrorState';
import { TableSkeleton } from './Loading';
import { PAGE_SIZE } from './page-size';
import { usePrinting } from './printing';
import { loaded, type QueryLike } from './query';
import around from './table/around-table.module.css';
import { CardList } from './table/CardList';
import type { Column } from './table/columns';
import { PageStrip } from './table/PageStrip';
import { matchedTo } from './table/matched';
import { RowTable } from './table/RowTable';
import { SelectionNote } from './table/SelectBoxes';
import { stillThere, type TableSelection } from './table/chosen-rows';
import { TableToolbar } from './table/TableToolbar';
import { Unmatched } from './table/Unmatched';
import { filtersById, sortIn, sortWritten, useTableAddress } from './table/table-address';
import { useChosenColumns } from './table/use-chosen-columns';
import { useFlash } from './table/use-flash';
import { Box } from '@mantine/core';
import { Note } from './Note';
import look from './look.module.css';

export type { Column } from './table/columns';
export type { TableSelection } from './table/chosen-rows';

export interface Paged extends Omit<ListPage<never>, 'rows' | 'total'> {
  /** `undefined` if unknown. */
  total: number | undefined;
  /** More rows exist than were fetched so far: see `useCursorPages`. */
  more?: boolean;
}

export interface DataTableProps<Row> {
  /** The query that fetches the rows. Its error is shown with a button to retry. */
  query?: QueryLike<readonly Row[]>;
  /** Instead of `query`: rows that the page already has. Keep the array stable between renders. */
  rows?: readonly Row[] | undefined;
  /** The rows are one page that the back end searched, filtered and sorted: see `useListPage`. */
  paged?: Paged;
  /** Keep the array stable between renders: at module scope or memoized. */
  columns: readonly Column<Row>[];
  rowKey: (row: Row) => string;
  /** Accessible name: "Servers". */
  label: string;
  onOpen?: (row: Row) => void;
  /** Address of a row; turns the first column into a link, which can also be opened in another tab. */
  href?: (row: Row) => string | undefined;
  /** Empty state instead of 'No rows found' if there are no rows at all. Explains the list and the first step. */
  empty?: ReactNode;
  searchable?: boolean;
  pageSize?: number;
  /** Prefix in the address that separates two tables on one page. */
  urlKey?: string;
  /** Lets people choose the columns; their browser remembers the choice under this name. */
  chooser?: string;
  /** Order if the address has none: `alias` or `-at`. */
  defaultSort?: string;
  /** Buttons at the end of each row. */
  actions?: (row: Row) => ReactNode;
  /** Shown below a row that is expanded. Only for tables of up to 100 rows a page. */
  expanded?: (row: Row) => ReactNode;
  /** Further controls beside search and filters. */
  tools?: ReactNode;
  /** Lets people select rows. The page keeps the selection. */
  selection?: TableSelection<Row>;
}

const noRows: never[] = [];
const NO_ROWS = 'No rows found';
const NARROW = '(max-width: 47.99em)';

export function DataTable<Row extends object>(props: DataTableProps<Row>) {
  const { paged, columns, rowKey, label, empty, pageSize = PAGE_SIZE, urlKey, defaultSort } = props;
  const { data: rows, error, retry } = loaded(props.query ?? { data: props.rows });
  const view = useTableAddress(urlKey);
  const printing = usePrinting();
  // Paper has room for all columns.
  const narrow = (useMediaQuery(NARROW) ?? false) && !printing;
  const chosenColumns = useChosenColumns(props.chooser, columns);
  const matched = useMemo(() => matchedTo(columns, view), [columns, view]);
  const sort = matched.sort ?? sortIn(defaultSort);
  const sortedBy = sortWritten(sort);
  const { search } = view;
  const asked = useMemo(
    () => ({ search, sort: sortedBy, filters: filtersById(matched.filters) }),
    [search, sortedBy, matched.filters],
  );
  const here = useMemo(
    () => (paged ? undefined : foundOf(rows ?? noRows, columns, asked)),
    [paged, rows, columns, asked],
  );
  const flashing = useFlash(rows, rowKey, paged && JSON.stringify([asked, view.page]));

  // Rows that became forbidden or were deleted do not stay on the page.
  const gone = error?.status === 403 || error?.status === 404;
  if (error && (!rows || gone))
    return <ErrorState error={error} what={label} onRetry={gone ? undefined : retry} />;
  if (!rows) return <TableSkeleton columns={chosenColumns.shown.length} narrow={narrow} />;
  const unmatched = (
    <Unmatched
      unmatched={matched.unmatched}
      onRemove={() => view.change({ sort: matched.sort, filters: matched.filters })}
    />
  );
  const total = paged ? paged.total : rows.length;
  if (total === 0 && empty) {
    return (
      <Box miw={0}>
        {unmatched}
        <div className={around.nothing}>{empty}</div>
      </Box>
    );
  }

  const found = paged?.found ?? here?.length ?? 0;
  const pages = Math.max(1, Math.ceil(found / pageSize));
  const page = Math.min(view.page, pages);
  const isWhole = printing && here !== undefined;
  const shown = isWhole ? here : (here?.slice((page - 1) * pageSize, page * pageSize) ?? rows);
  const selection = props.selection && {
    ...props.selection,
    // With back-end paging, rows selected on other pages are unknown here, so none is dropped.
    chosen: paged ? props.selection.chosen : stillThere(props.selection.chosen, new Set(rows.map(rowKey))),
  };
  const body = {
    ...props,
    ...(selection && { selection }),
    rows: shown,
    columns: chosenColumns.shown,
    foundKeys: selection ? (here ?? rows).map(rowKey) : [],
    sort,
    flashing,
    change: view.change,
  };

  return (
    <Box component="section" miw={0} aria-label={label}>
      {error && <ErrorState error={error} what={label} onRetry={retry} inline />}
      {unmatched}
      <TableToolbar
        columns={columns}
        choicesOf={(column) => paged?.options[column.id] ?? occurring(rows, column)}
        view={view}
        narrow={narrow}
        label={label}
        searchable={props.searchable ?? false}
        {...(props.chooser !== undefined && !narrow && { chosenColumns })}
        tools={
          <>
            {props.tools}
            {selection && (
              <SelectionNote selection={selection} foundKeys={body.foundKeys} found={found} narrow={narrow} />
            )}
          </>
        }
        bare={props.tools === undefined && !selection}
      />
      {shown.length === 0 ? (
        <Note className={look.framed} p="32px 16px" ta="center">
          {NO_ROWS}
        </Note>
      ) : narrow ? (
        <CardList {...body} />
      ) : (
        <RowTable {...body} />
      )}
      <PageStrip
        page={isWhole ? 1 : page}
        pageSize={isWhole ? Math.max(1, found) : pageSize}
        found={found}
        all={total}
        more={paged?.more ?? false}
        onPage={(to) => view.change({ page: to })}
      />
    </Box>
  );
}
