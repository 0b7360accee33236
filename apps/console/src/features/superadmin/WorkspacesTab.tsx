import { superadmin } from '@quarterdeck/contract';
import { IconBuilding } from '@tabler/icons-react';
import { allWorkspacesColumns, columnsById, type WorkspaceSummary } from '@quarterdeck/projections';
import { DataTable, type Column } from '../../ui/DataTable';
import { EmptyState } from '../../ui/EmptyState';
import { RelativeTime } from '../../ui/RelativeTime';
import { useListPage } from '../../ui/table/use-list-page';

const LOOK_MS = 10_000;

const { name, lastUsedAt, people, servers, domains, runs, createdAt } = columnsById(allWorkspacesColumns);

const columns: readonly Column<WorkspaceSummary>[] = [
  { ...name, header: 'Workspace', priority: 1 },
  {
    ...lastUsedAt,
    header: 'Last used',
    cell: (workspace) => <RelativeTime at={workspace.lastUsedAt} />,
    priority: 2,
  },
  { ...people, header: 'People', align: 'right', priority: 3 },
  { ...servers, header: 'Servers', align: 'right' },
  { ...domains, header: 'Domains', align: 'right' },
  { ...runs, header: 'Runs', align: 'right' },
  { ...createdAt, header: 'Created', cell: (workspace) => <RelativeTime at={workspace.createdAt} /> },
];

export const WorkspacesTab = () => {
  const { table } = useListPage(superadmin.workspaces, { pollingInterval: LOOK_MS });
  return (
    <DataTable
      label="Workspaces"
      {...table}
      columns={columns}
      rowKey={({ id }) => id}
      searchable
      empty={
        <EmptyState title="No workspaces yet" icon={IconBuilding}>
          The first one is created when somebody signs up or opens a sign-in link.
        </EmptyState>
      }
    />
  );
};
