import { Button } from '@mantine/core';
import { IconUserOff } from '@tabler/icons-react';
import type { PersonView } from '@quarterdeck/projections';
import { DisabledInPast } from '../../core/past/in-past';
import type { ApiError } from '../../core/http';
import { paths } from '../../core/paths';
import { personName } from '../../records/actor';
import { DataTable, type Column } from '../../ui/DataTable';
import { EmptyState } from '../../ui/EmptyState';
import { RelativeTime } from '../../ui/RelativeTime';
import { roleWords } from './people-words';

const columns: Column<PersonView>[] = [
  { id: 'name', header: 'Name', value: personName, priority: 1 },
  { id: 'email', header: 'E-mail', value: (person) => person.email },
  { id: 'role', header: 'Was', value: (person) => roleWords[person.role], filter: 'category', priority: 2 },
  {
    id: 'removed',
    header: 'Removed',
    value: (person) => person.removedAt,
    cell: (person) => person.removedAt && <RelativeTime at={person.removedAt} />,
    priority: 3,
  },
  {
    id: 'forgotten',
    header: 'Forgotten',
    value: (person) => person.forgottenAt,
    cell: (person) => (person.forgottenAt ? <RelativeTime at={person.forgottenAt} /> : 'no'),
  },
];

interface FormerTabProps {
  former: PersonView[] | undefined;
  onForget: (person: PersonView) => void;
  onOpen: (person: PersonView) => void;
  error: ApiError | undefined;
  onRetry: () => void;
}

export const FormerTab = ({ former, onForget, onOpen, error, onRetry }: FormerTabProps) => (
  <DataTable
    label="Former members"
    rows={former}
    columns={columns}
    rowKey={(person) => person.id}
    href={(person) => paths.member(person.id)}
    onOpen={onOpen}
    urlKey="f"
    actions={(person) =>
      person.forgottenAt === undefined && (
        <DisabledInPast>
          <Button
            size="compact-sm"
            variant="default"
            aria-label={`Forget ${personName(person)}`}
            onClick={() => onForget(person)}
          >
            Forget…
          </Button>
        </DisabledInPast>
      )
    }
    error={error}
    onRetry={onRetry}
    defaultSort="-removed"
    empty={
      <EmptyState title="No former members" icon={IconUserOff}>
        Removed members will appear here. Their actions stay in the history, under their name until you forget
        them.
      </EmptyState>
    }
  />
);
