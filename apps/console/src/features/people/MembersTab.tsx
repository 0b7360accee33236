import type { PersonView } from '@quarterdeck/projections';
import { useMemo } from 'react';
import { useNavigate } from 'react-router';
import type { ApiError } from '../../core/http';
import { usePast } from '../../core/past/past-state';
import { paths } from '../../core/paths';
import { useSession } from '../../core/session';
import { personName } from '../../records/actor';
import { DataTable, type Column } from '../../ui/DataTable';
import { ActionMenu } from '../../ui/DetailPage';
import { RelativeTime } from '../../ui/RelativeTime';
import { memberActions } from './member-actions';
import styles from './people.module.css';
import { RoleBadge, roleWords } from './people-words';
import type { useMemberActions } from './use-member-actions';

interface MembersTabProps {
  members: PersonView[] | undefined;
  actions: ReturnType<typeof useMemberActions>;
  error: ApiError | undefined;
  onRetry: () => void;
}

const sessions: Column<PersonView> = {
  id: 'sessions',
  header: 'Sessions',
  value: (person) => person.sessions ?? 0,
  align: 'right',
  width: '1%',
};

export const MembersTab = ({ members, actions, error, onRetry }: MembersTabProps) => {
  const { profile } = useSession();
  const past = usePast();
  const navigate = useNavigate();
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
      // How many were open then, nobody keeps.
      ...(past === undefined ? [sessions] : []),
    ],
    [profile.id, past],
  );
  return (
    <DataTable
      label="Members"
      rows={members}
      columns={columns}
      rowKey={(person) => person.id}
      href={(person) => paths.member(person.id)}
      onOpen={(person) => void navigate(paths.member(person.id))}
      actions={(person) => (
        <ActionMenu
          label={`Actions for ${personName(person)}`}
          actions={memberActions(person, members, actions)}
        />
      )}
      error={error}
      onRetry={onRetry}
      defaultSort="name"
      searchable
    />
  );
};
