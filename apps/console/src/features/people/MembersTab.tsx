import { IconLogout, IconShieldCheck, IconUser, IconUserMinus } from '@tabler/icons-react';
import type { PersonView } from '@quarterdeck/projections';
import { useMemo } from 'react';
import { useSession } from '../../app/session';
import type { ApiError } from '../../app/http';
import { personName } from '../../ui/actor';
import { DataTable, type Column } from '../../ui/DataTable';
import { ActionMenu, type Action } from '../../ui/DetailPage';
import { RelativeTime } from '../../ui/RelativeTime';
import styles from './people.module.css';
import { RoleBadge, roleWords } from './people-words';
import type { useMemberActions } from './use-member-actions';

interface MembersTabProps {
  members: PersonView[] | undefined;
  actions: ReturnType<typeof useMemberActions>;
  error: ApiError | undefined;
  onRetry: () => void;
}

const superadmin = 'Superadministrators are made and unmade at the command line.';
const lastOne = 'The last administrator stays one. Make somebody else an administrator first.';

export const MembersTab = ({ members, actions, error, onRetry }: MembersTabProps) => {
  const { profile } = useSession();
  const columns = useMemo(
    (): Column<PersonView>[] => [
      {
        id: 'name',
        header: 'Name',
        value: personName,
        cell: (person) => (
          <>
            {personName(person)}
            {person.id === profile.id && <span className={styles.you}>(you)</span>}
          </>
        ),
        priority: 1,
      },
      { id: 'email', header: 'E-mail', value: (person) => person.email, copy: true },
      {
        id: 'role',
        header: 'Role',
        value: (person) => roleWords[person.role],
        cell: (person) => <RoleBadge role={person.role} />,
        filter: 'category',
        priority: 2,
      },
      {
        id: 'joined',
        header: 'Joined',
        value: (person) => person.joinedAt,
        cell: (person) => <RelativeTime at={person.joinedAt} />,
      },
      {
        id: 'signedIn',
        header: 'Last sign-in',
        value: (person) => person.lastSignInAt,
        cell: (person) => (person.lastSignInAt ? <RelativeTime at={person.lastSignInAt} /> : 'never'),
        priority: 3,
      },
      {
        id: 'sessions',
        header: 'Sessions',
        value: (person) => person.sessions ?? 0,
        align: 'right',
        width: '1%',
      },
    ],
    [profile.id],
  );
  const admins = members?.filter(({ role }) => role !== 'member').length ?? 0;

  const actionsOf = (person: PersonView): Action[] => {
    const out = person.role === 'superadmin' ? superadmin : undefined;
    const last = person.role === 'admin' && admins === 1 ? lastOne : undefined;
    const role =
      person.role === 'member'
        ? {
            label: 'Make administrator…',
            icon: <IconShieldCheck size={15} />,
            onClick: () => void actions.assign(person, 'admin'),
          }
        : {
            label: 'Make member…',
            icon: <IconUser size={15} />,
            onClick: () => void actions.assign(person, 'member'),
            disabledReason: out ?? last,
          };
    return [
      role,
      {
        label: 'Sign out everywhere…',
        icon: <IconLogout size={15} />,
        onClick: () => void actions.signOut(person),
        disabledReason: person.sessions ? undefined : 'There is no open session.',
      },
      {
        label: 'Remove…',
        icon: <IconUserMinus size={15} />,
        onClick: () => void actions.remove(person),
        danger: true,
        disabledReason: out ?? last,
      },
    ];
  };

  return (
    <DataTable
      label="Members"
      rows={members}
      columns={columns}
      rowKey={(person) => person.id}
      actions={(person) => (
        <ActionMenu label={`Actions for ${personName(person)}`} actions={actionsOf(person)} />
      )}
      error={error}
      onRetry={onRetry}
      defaultSort="name"
      searchable
    />
  );
};
