import { Box } from '@mantine/core';
import { superadmin } from '@quarterdeck/contract';
import { IconUsers } from '@tabler/icons-react';
import { allPeopleColumns, columnsById, type Membership, type PersonSummary } from '@quarterdeck/projections';
import { Link } from 'react-router';
import { paths } from '../../core/paths';
import { useSession } from '../../core/session';
import { DataTable, type Column } from '../../ui/DataTable';
import { EmptyState } from '../../ui/EmptyState';
import { RelativeTime } from '../../ui/RelativeTime';
import { useListPage } from '../../ui/table/use-list-page';
import { List } from '../../ui/List';

const LOOK_MS = 10_000;

/** Links only to the workspace of the current session: member pages of other workspaces cannot be opened. */
const WorkspaceOf = ({ membership: { person, workspace } }: { membership: Membership }) => {
  const { instance } = useSession();
  return workspace.id === instance.uuid ? (
    <Link to={paths.member(person)}>{workspace.name}</Link>
  ) : (
    workspace.name
  );
};

const { name, email, memberships, lastSignInAt } = columnsById(allPeopleColumns);

const columns: readonly Column<PersonSummary>[] = [
  { ...name, header: 'Person', priority: 1 },
  { ...email, header: 'E-mail', priority: 3 },
  {
    ...memberships,
    header: 'Workspaces',
    cell: (person) => (
      <List>
        {person.memberships.map((membership) => (
          <li key={membership.person}>
            <WorkspaceOf membership={membership} />{' '}
            <Box component="span" c="dimmed">
              as {membership.role}
            </Box>
          </li>
        ))}
      </List>
    ),
    sortable: false,
    priority: 2,
  },
  {
    ...lastSignInAt,
    header: 'Last sign-in',
    cell: (person) => <RelativeTime at={lastSignInAt.value(person)} />,
  },
];

export const PeopleTab = () => {
  const { table } = useListPage(superadmin.people, { pollingInterval: LOOK_MS });
  return (
    <DataTable
      label="People"
      {...table}
      columns={columns}
      rowKey={({ id }) => id}
      searchable
      empty={
        <EmptyState title="No people yet" icon={IconUsers}>
          People who join a workspace will appear here with their roles.
        </EmptyState>
      }
    />
  );
};
