/** All workflows. */
import { callsOf } from '@quarterdeck/contract';
import { workflow } from '@quarterdeck/events';
import { plainColumns, type ViewOf } from '@quarterdeck/projections';
import { IconPlus, IconSitemap } from '@tabler/icons-react';
import { Link, useNavigate } from 'react-router';
import { DisabledInPast } from '../../core/as-of/in-past';
import { paths } from '../../core/paths';
import { useShortcut } from '../../core/shortcuts';
import { Action } from '../../ui/Action';
import { DataTable, type Column } from '../../ui/DataTable';
import { EmptyState } from '../../ui/EmptyState';
import { PageHeader } from '../../ui/PageHeader';
import type { QueryLike } from '../../ui/query';
import { RelativeTime } from '../../ui/RelativeTime';
import { useListPage } from '../../ui/table/use-list-page';

type WorkflowView = ViewOf<typeof workflow>;

const known = new Map(plainColumns(workflow).map((column) => [column.id, column]));
const column = (id: string, more: Partial<Column<WorkflowView>>): Column<WorkflowView> =>
  ({ ...known.get(id), id, ...more }) as Column<WorkflowView>;

const columns: readonly Column<WorkflowView>[] = [
  column('name', { header: 'Name', priority: 1 }),
  column('product', { header: 'Product', priority: 3 }),
  {
    id: 'changedAt',
    header: 'Last changed',
    value: ({ changedAt }) => changedAt,
    cell: ({ changedAt }) => <RelativeTime at={changedAt} />,
    // The back end sorts by the fields of the noun alone.
    sortable: false,
    priority: 2,
  },
];

const add = (
  <DisabledInPast>
    <Action icon={IconPlus} does={`${paths.workflows()}/add`}>
      Add new
    </Action>
  </DisabledInPast>
);

export const WorkflowList = () => {
  const navigate = useNavigate();
  const { total, table } = useListPage(callsOf(workflow).page, { defaultSort: 'name' });
  useShortcut('n', () => void navigate(`${paths.workflows()}/add`));
  return (
    <>
      <PageHeader
        title="Workflows"
        count={total}
        description="Steps that wait, ask people, send requests and run scripts, each recorded."
        actions={add}
        reading={<Link to={paths.waiting()}>Waits for me</Link>}
      />
      <DataTable
        label="Workflows"
        {...(table as unknown as { query: QueryLike<WorkflowView[]> })}
        columns={columns}
        rowKey={({ id }) => id}
        href={({ id }) => paths.workflow(id)}
        onOpen={({ id }) => void navigate(paths.workflow(id))}
        searchable
        empty={
          <EmptyState title="No workflows yet" icon={IconSitemap} action={add}>
            Draw what happens step by step, publish it, and start it by hand, by a schedule or by an event.
          </EmptyState>
        }
      />
    </>
  );
};
