/** Checks the sort and filters of an address against the columns: an old link may name a removed one. Pure. */
import type { Column } from './columns';
import type { TableView } from './table-address';

type Matching<Row> = Pick<Column<Row>, 'id' | 'sortable' | 'filter'>;

export interface MatchedView extends Pick<TableView, 'sort' | 'filters'> {
  /** Message, as worded in the specification, and the attribute it is about. */
  unmatched: readonly { message: string; attribute: string }[];
}

export const matchedTo = <Row>(
  columns: readonly Matching<Row>[],
  { sort, filters }: Pick<TableView, 'sort' | 'filters'>,
): MatchedView => {
  const sortable = (id: string) => columns.some((column) => column.id === id && column.sortable !== false);
  const filterable = (id: string) =>
    columns.some((column) => column.id === id && column.filter !== undefined);
  const sorts = sort === undefined || sortable(sort.id);
  return {
    ...(sorts && { sort }),
    filters: filters.filter(({ id }) => filterable(id)),
    unmatched: [
      ...(sorts ? [] : [{ message: 'sort attribute could not be matched', attribute: sort.id }]),
      ...filters
        .filter(({ id }) => !filterable(id))
        .map(({ id }) => ({ message: 'filter attribute could not be matched', attribute: id })),
    ],
  };
};
