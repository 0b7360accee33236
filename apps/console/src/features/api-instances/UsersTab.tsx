/** The users of an instance, read from the database of the product. */
import type { ApiUser } from '@quarterdeck/contract';
import { IconLock, IconUserCheck, IconUsers } from '@tabler/icons-react';
import { useMemo } from 'react';
import { PresentOnly } from '../../core/as-of/in-past';
import { ActionFailure } from '../../records/runs';
import { DataTable, type Column } from '../../ui/DataTable';
import { ActionMenu } from '../../ui/DetailPage';
import { EmptyState } from '../../ui/EmptyState';
import { Dim, Note } from '../../ui/Note';
import { RelativeTime } from '../../ui/RelativeTime';
import { StateBadge } from '../../ui/StateBadge';
import { useTableAddress } from '../../ui/table/table-address';
import { useCursorPages } from '../../ui/table/use-cursor-pages';
import type { InstanceView } from './instance-view';
import { useUserActions } from './use-user-actions';
import { useApiUsersInfiniteQuery } from './user.endpoints';

const State = ({ lockedAt }: Pick<ApiUser, 'lockedAt'>) =>
  lockedAt === null ? (
    <StateBadge state="active" tone="good" icon={IconUserCheck} />
  ) : (
    <StateBadge state="locked" tone="warn" icon={IconLock} />
  );

const inOrder: readonly Column<ApiUser>[] = [
  { id: 'email', header: 'E-mail', value: ({ email }) => email, copy: true, priority: 1 },
  { id: 'permission', header: 'Permission', value: ({ permission }) => permission, priority: 2 },
  {
    id: 'state',
    header: 'State',
    value: ({ lockedAt }) => (lockedAt === null ? 'active' : 'locked'),
    cell: (user) => <State {...user} />,
    priority: 3,
  },
  { id: 'tenant', header: 'Tenant', value: ({ tenant }) => tenant ?? '' },
  {
    id: 'added',
    header: 'Signed up',
    value: ({ addedAt }) => addedAt,
    cell: ({ addedAt }) => <RelativeTime at={addedAt} />,
  },
  {
    id: 'signedIn',
    header: 'Last sign-in',
    value: ({ signedInAt }) => signedInAt ?? '',
    cell: ({ signedInAt }) => (signedInAt === null ? <Dim>never</Dim> : <RelativeTime at={signedInAt} />),
  },
  { id: 'sessions', header: 'Sessions', value: ({ sessions }) => sessions, align: 'right', width: '1%' },
];

/** The database sorts by e-mail address and by nothing else. */
const columnsFor = (multiTenant: boolean): readonly Column<ApiUser>[] =>
  inOrder
    .filter(({ id }) => multiTenant || id !== 'tenant')
    .map((column) => ({ ...column, sortable: false }));

const Users = ({ view: { id, multiTenant } }: { view: InstanceView }) => {
  const { search } = useTableAddress();
  const query = useApiUsersInfiniteQuery(
    { instance: { uuid: id }, ...(search !== '' && { search }) },
    { refetchOnMountOrArgChange: true },
  );
  const rows = useMemo(() => query.data?.pages.flatMap(({ users }) => users), [query.data]);
  const columns = useMemo(() => columnsFor(multiTenant), [multiTenant]);
  const { actionsOf, failure, dismiss } = useUserActions(id);
  return (
    <>
      <Note mb={12}>
        They are stored in the database of the product. The history has changes of operators, with the ids of
        the users.
      </Note>
      <ActionFailure failure={failure} onClose={dismiss} />
      <DataTable
        label="Users"
        {...useCursorPages(rows, query)}
        columns={columns}
        rowKey={(user) => user.id}
        actions={(user) => <ActionMenu label={`Actions for ${user.email}`} actions={actionsOf(user)} />}
        empty={
          <EmptyState title="No users yet" icon={IconUsers}>
            People who sign up with POST /auth/sign-up will appear here.
          </EmptyState>
        }
      />
    </>
  );
};

export const UsersTab = (props: { view: InstanceView }) => (
  <PresentOnly what="Users">
    <Users {...props} />
  </PresentOnly>
);
