import { superadmin } from '@quarterdeck/contract';
import { IconBuilding } from '@tabler/icons-react';
import type { WorkspaceSummary } from '@quarterdeck/projections';
import { useAnswer } from '../../core/calls';
import { toApiError } from '../../core/http';
import { DataTable, type Column } from '../../ui/DataTable';
import { EmptyState } from '../../ui/EmptyState';
import { RelativeTime } from '../../ui/RelativeTime';

const LOOK_MS = 10_000;

const counted = (
  id: 'people' | 'servers' | 'domains' | 'runs',
  header: string,
): Column<WorkspaceSummary> => ({
  id,
  header,
  value: (workspace) => workspace[id],
  filter: 'number',
  align: 'right',
});

const columns: readonly Column<WorkspaceSummary>[] = [
  { id: 'name', header: 'Workspace', value: ({ name }) => name, priority: 1 },
  {
    id: 'lastUsedAt',
    header: 'Last used',
    value: ({ lastUsedAt }) => lastUsedAt,
    cell: ({ lastUsedAt }) => <RelativeTime at={lastUsedAt} />,
    priority: 2,
  },
  { ...counted('people', 'People'), priority: 3 },
  counted('servers', 'Servers'),
  counted('domains', 'Domains'),
  counted('runs', 'Runs'),
  {
    id: 'createdAt',
    header: 'Created',
    value: ({ createdAt }) => createdAt,
    cell: ({ createdAt }) => <RelativeTime at={createdAt} />,
  },
];

export const WorkspacesTab = () => {
  const { data, error, refetch } = useAnswer(superadmin.workspaces, {}, { pollingInterval: LOOK_MS });
  return (
    <DataTable
      label="Workspaces"
      rows={data}
      columns={columns}
      rowKey={({ id }) => id}
      searchable
      error={error === undefined ? undefined : toApiError(error)}
      onRetry={() => void refetch()}
      empty={
        <EmptyState title="No workspaces yet" icon={IconBuilding}>
          The first one is created when somebody signs up or opens a sign-in link.
        </EmptyState>
      }
    />
  );
};
