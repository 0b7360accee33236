import { Button } from '@mantine/core';
import { invitations } from '@quarterdeck/contract';
import { IconClockPause, IconMail, IconMailOpened } from '@tabler/icons-react';
import { roleWords, type InvitationView } from '@quarterdeck/projections';
import { useMemo, type ReactNode } from 'react';
import { useAnswer, useChange } from '../../core/calls';
import { DisabledInPast } from '../../core/as-of/in-past';
import { useNow } from '../../core/as-of/clock';
import { useActorName } from '../../records/actor';
import { DataTable, type Column } from '../../ui/DataTable';
import { EmptyState } from '../../ui/EmptyState';
import { RelativeTime } from '../../ui/RelativeTime';
import { ActionFailure } from '../../records/runs';
import { StateBadge } from '../../ui/StateBadge';
import { useAction } from '../../ui/use-action';
import { RoleBadge, wayWords } from './people-words';

const toWhom = ({ to }: InvitationView): string => to ?? 'Anyone with the link';
const isOver = ({ expiresAt }: InvitationView, now: number): boolean => Date.parse(expiresAt) <= now;

export const InvitationsTab = ({ invite }: { invite: ReactNode }) => {
  const query = useAnswer(invitations.list);
  const [withdrawInvitation] = useChange(invitations.withdraw);
  const { act, failure, dismiss } = useAction();
  const nameOf = useActorName();
  const now = useNow();

  const withdraw = (invitation: InvitationView) =>
    act({
      ask: {
        title: 'Withdraw this invitation?',
        body: `${toWhom(invitation)}: nobody can accept it any more. People who already accepted stay members.`,
        confirmLabel: 'Withdraw invitation',
        danger: true,
      },
      send: () => withdrawInvitation({ id: invitation.id }).unwrap(),
      done: 'The invitation was withdrawn.',
      failed: 'The invitation was not withdrawn',
    });

  const columns = useMemo(
    (): Column<InvitationView>[] => [
      { id: 'to', header: 'For', value: toWhom, priority: 1 },
      { id: 'via', header: 'Way', value: ({ via }) => wayWords[via], filter: 'category' },
      {
        id: 'role',
        header: 'Role',
        value: ({ role }) => roleWords[role],
        cell: ({ role }) => <RoleBadge role={role} />,
        filter: 'category',
        priority: 2,
      },
      { id: 'by', header: 'Invited by', value: ({ issuedBy }) => nameOf(issuedBy), filter: 'category' },
      {
        id: 'state',
        header: 'State',
        value: (invitation) => (isOver(invitation, now) ? 'expired' : 'open'),
        cell: (invitation) =>
          isOver(invitation, now) ? (
            <StateBadge state="expired" tone="warn" icon={IconClockPause} />
          ) : (
            <StateBadge state="open" tone="busy" icon={IconMailOpened} />
          ),
        filter: 'category',
      },
      {
        id: 'expires',
        header: 'Expires',
        value: ({ expiresAt }) => expiresAt,
        cell: ({ expiresAt }) => <RelativeTime at={expiresAt} />,
        priority: 3,
      },
    ],
    [nameOf, now],
  );

  return (
    <>
      <ActionFailure failure={failure} onClose={dismiss} />
      <DataTable
        label="Invitations"
        query={query}
        columns={columns}
        rowKey={({ id }) => id}
        urlKey="i"
        actions={(invitation) => (
          <DisabledInPast>
            <Button
              variant="default"
              aria-label={`Withdraw the invitation for ${toWhom(invitation)}`}
              onClick={() => void withdraw(invitation)}
            >
              Withdraw
            </Button>
          </DisabledInPast>
        )}
        defaultSort="-expires"
        empty={
          <EmptyState
            title="No open invitations"
            icon={IconMail}
            action={<DisabledInPast>{invite}</DisabledInPast>}
          >
            Open invitations will appear here. Each invites one person and expires in 7 days.
          </EmptyState>
        }
      />
    </>
  );
};
