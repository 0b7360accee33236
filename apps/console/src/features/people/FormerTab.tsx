import { Button } from '@mantine/core';
import { IconUserOff } from '@tabler/icons-react';
import { columnsById, formerColumns, personName, type PersonView } from '@quarterdeck/projections';
import { DisabledInPast } from '../../core/as-of/in-past';
import { paths } from '../../core/paths';
import { DataTable, type Column } from '../../ui/DataTable';
import { EmptyState } from '../../ui/EmptyState';
import { RelativeTime } from '../../ui/RelativeTime';
import type { useListPage } from '../../ui/table/use-list-page';

const { name, email, role, removed, forgotten } = columnsById(formerColumns);

const columns: Column<PersonView>[] = [
  { ...name, header: 'Name', priority: 1 },
  { ...email, header: 'E-mail' },
  { ...role, header: 'Was', priority: 2 },
  {
    ...removed,
    header: 'Removed',
    cell: ({ removedAt }) => removedAt && <RelativeTime at={removedAt} />,
    priority: 3,
  },
  {
    ...forgotten,
    header: 'Forgotten',
    cell: ({ forgottenAt }) => (forgottenAt ? <RelativeTime at={forgottenAt} /> : 'no'),
  },
];

interface FormerTabProps {
  table: ReturnType<typeof useListPage<PersonView>>['table'];
  onForget: (person: PersonView) => void;
  onOpen: (person: PersonView) => void;
}

export const FormerTab = ({ table, onForget, onOpen }: FormerTabProps) => (
  <DataTable
    label="Former members"
    {...table}
    columns={columns}
    rowKey={(person) => person.id}
    href={(person) => paths.member(person.id)}
    onOpen={onOpen}
    actions={(person) =>
      person.forgottenAt === undefined && (
        <DisabledInPast>
          <Button
            variant="default"
            aria-label={`Forget ${personName(person)}`}
            onClick={() => onForget(person)}
          >
            Forget…
          </Button>
        </DisabledInPast>
      )
    }
    searchable
    empty={
      <EmptyState title="No former members" icon={IconUserOff}>
        Removed members will appear here. Their actions stay in the history, under their name until you forget
        them.
      </EmptyState>
    }
  />
);
