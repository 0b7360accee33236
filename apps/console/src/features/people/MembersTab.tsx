import { Box } from '@mantine/core';
import { columnsById, memberColumns, personName, type PersonView } from '@quarterdeck/projections';
import { useMemo } from 'react';
import { useNavigate } from 'react-router';
import { useAsOf } from '../../core/as-of/as-of-state';
import { paths } from '../../core/paths';
import { useSession } from '../../core/session';
import { DataTable, type Column } from '../../ui/DataTable';
import { ActionMenu } from '../../ui/DetailPage';
import { RelativeTime } from '../../ui/RelativeTime';
import type { useListPage } from '../../ui/table/use-list-page';
import { memberActions } from './member-actions';
import { RoleBadge } from './people-words';
import type { useMemberActions } from './use-member-actions';

interface MembersTabProps {
  table: ReturnType<typeof useListPage<PersonView>>['table'];
  actions: ReturnType<typeof useMemberActions>;
}

const { name, email, role, joined, signedIn, secondFactor, sessions } = columnsById(memberColumns);

export const MembersTab = ({ table, actions }: MembersTabProps) => {
  const { profile } = useSession();
  const past = useAsOf();
  const navigate = useNavigate();
  const columns = useMemo(
    (): Column<PersonView>[] => [
      {
        ...name,
        header: 'Name',
        cell: (person) => (
          <>
            {personName(person)}
            {person.id === profile.id && (
              <Box component="span" ml={6} c="dimmed">
                (you)
              </Box>
            )}
          </>
        ),
        priority: 1,
      },
      { ...email, header: 'E-mail', copy: true },
      { ...role, header: 'Role', cell: (person) => <RoleBadge role={person.role} />, priority: 2 },
      { ...joined, header: 'Joined', cell: ({ joinedAt }) => <RelativeTime at={joinedAt} /> },
      {
        ...signedIn,
        header: 'Last sign-in',
        cell: ({ lastSignInAt }) => (lastSignInAt ? <RelativeTime at={lastSignInAt} /> : 'never'),
        priority: 3,
      },
      { ...secondFactor, header: 'Second factor', width: '1%' },
      // The number of open sessions is not known for the past.
      ...(past === undefined
        ? [{ ...sessions, header: 'Sessions', align: 'right', width: '1%' } as const]
        : []),
    ],
    [profile.id, past],
  );
  return (
    <DataTable
      label="Members"
      {...table}
      columns={columns}
      rowKey={(person) => person.id}
      href={(person) => paths.member(person.id)}
      onOpen={(person) => void navigate(paths.member(person.id))}
      actions={(person) => (
        <ActionMenu label={`Actions for ${personName(person)}`} actions={memberActions(person, actions)} />
      )}
      searchable
    />
  );
};
