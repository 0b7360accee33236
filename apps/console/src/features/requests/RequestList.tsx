/** All saved requests. */
import { Group } from '@mantine/core';
import { callsOf } from '@quarterdeck/contract';
import { request, requestCollection, requestSecret, requestVariable } from '@quarterdeck/events';
import { plainColumns } from '@quarterdeck/projections';
import { IconArrowsExchange, IconPlus } from '@tabler/icons-react';
import { useMemo } from 'react';
import { Link, useNavigate } from 'react-router';
import { paths, plainPath } from '../../core/paths';
import { useShortcut } from '../../core/shortcuts';
import { Action } from '../../ui/Action';
import { DataTable, type Column } from '../../ui/DataTable';
import { EmptyState } from '../../ui/EmptyState';
import { Mono } from '../../ui/Note';
import { PageHeader } from '../../ui/PageHeader';
import type { QueryLike } from '../../ui/query';
import { useListPage } from '../../ui/table/use-list-page';
import { methodOf, ProductLink, type RequestView } from './request-words';

const known = new Map(plainColumns(request).map((column) => [column.id, column]));
const column = (id: string, more: Partial<Column<RequestView>>): Column<RequestView> =>
  ({ ...known.get(id), id, ...more }) as Column<RequestView>;

const add = (
  <Action icon={IconPlus} does={`${paths.requests()}/add`}>
    Add new
  </Action>
);
const others = (
  <Group component="nav" aria-label="What requests use" gap={16}>
    <Link to={plainPath(requestCollection)}>Collections</Link>
    <Link to={plainPath(requestVariable)}>Variables</Link>
    <Link to={plainPath(requestSecret)}>Secrets</Link>
    <Link to={`${paths.requests()}/import`}>Import</Link>
  </Group>
);

export const RequestList = () => {
  const navigate = useNavigate();
  const { total, table } = useListPage(callsOf(request).page, { defaultSort: 'name' });
  useShortcut('n', () => void navigate(`${paths.requests()}/add`));
  const columns = useMemo(
    (): Column<RequestView>[] => [
      column('name', { header: 'Name', priority: 1 }),
      column('collection', { header: 'Collection', priority: 3 }),
      column('product', { header: 'Product', cell: (row) => <ProductLink request={row} /> }),
      column('method', { header: 'Method', cell: (row) => <Mono>{methodOf(row)}</Mono>, priority: 2 }),
      column('host', { header: 'Host', cell: ({ host }) => <Mono>{host}</Mono> }),
    ],
    [],
  );
  const detail = ({ id }: RequestView): string => plainPath(request, id);
  return (
    <>
      <PageHeader
        title="Requests"
        count={total}
        description="Saved requests to other systems. Each answer is kept and can be compared."
        actions={add}
        reading={others}
      />
      <DataTable
        label="Requests"
        {...(table as unknown as { query: QueryLike<RequestView[]> })}
        columns={columns}
        rowKey={({ id }) => id}
        href={detail}
        onOpen={(row) => void navigate(detail(row))}
        searchable
        empty={
          <EmptyState title="No requests yet" icon={IconArrowsExchange} action={add}>
            Save a request to another system, and send it from here whenever you need it.
          </EmptyState>
        }
      />
    </>
  );
};
