import { superadmin } from '@quarterdeck/contract';
import { IconUsers } from '@tabler/icons-react';
import type { Membership, PersonSummary } from '@quarterdeck/projections';
import { Link } from 'react-router';
import { useAnswer } from '../../core/calls';
import { toApiError } from '../../core/http';
import { paths } from '../../core/paths';
import { useSession } from '../../core/session';
import { DataTable, type Column } from '../../ui/DataTable';
import { EmptyState } from '../../ui/EmptyState';
import { RelativeTime } from '../../ui/RelativeTime';
import classes from './superadmin.module.css';

const LOOK_MS = 10_000;

const lastSignIn = ({ memberships }: PersonSummary): string | undefined =>
  memberships.map(({ lastSignInAt }) => lastSignInAt ?? '').reduce((a, b) => (a > b ? a : b), '') ||
  undefined;

const inWords = ({ workspace, role }: Membership): string => `${workspace.name} as ${role}`;

/** What happened to somebody is read in the workspace that one is signed in to, and in no other. */
const WorkspaceOf = ({ membership: { person, workspace } }: { membership: Membership }) => {
  const { instance } = useSession();
  return workspace.id === instance.uuid ? (
    <Link to={paths.member(person)}>{workspace.name}</Link>
  ) : (
    workspace.name
  );
};

const columns: readonly Column<PersonSummary>[] = [
  {
    id: 'name',
    header: 'Person',
    value: ({ name, email, id }) => name ?? email ?? id,
    priority: 1,
  },
  { id: 'email', header: 'E-mail', value: ({ email }) => email, priority: 3 },
  {
    id: 'memberships',
    header: 'Workspaces',
    value: ({ memberships }) => memberships.map(inWords).join(', '),
    cell: ({ memberships }) => (
      <ul className={classes.memberships}>
        {memberships.map((membership) => (
          <li key={membership.person}>
            <WorkspaceOf membership={membership} />{' '}
            <span className={classes.dimmed}>as {membership.role}</span>
          </li>
        ))}
      </ul>
    ),
    sortable: false,
    priority: 2,
  },
  {
    id: 'lastSignInAt',
    header: 'Last sign-in',
    value: lastSignIn,
    cell: (person) => <RelativeTime at={lastSignIn(person)} />,
  },
];

export const PeopleTab = () => {
  const { data, error, refetch } = useAnswer(superadmin.people, {}, { pollingInterval: LOOK_MS });
  return (
    <DataTable
      label="People"
      rows={data}
      columns={columns}
      rowKey={({ id }) => id}
      searchable
      error={error === undefined ? undefined : toApiError(error)}
      onRetry={() => void refetch()}
      empty={
        <EmptyState title="No people yet" icon={IconUsers}>
          People who join a workspace will appear here with their roles.
        </EmptyState>
      }
    />
  );
};
