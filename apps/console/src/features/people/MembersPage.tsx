/** Who belongs to the workspace, who is invited to it, and who did belong to it. */
import { Button } from '@mantine/core';
import { invitations as invitationCalls, people as personCalls } from '@quarterdeck/contract';
import { IconUserPlus } from '@tabler/icons-react';
import { useMemo } from 'react';
import { Link, useNavigate } from 'react-router';
import { useAnswer } from '../../core/calls';
import { toApiError } from '../../core/http';
import { paths } from '../../core/paths';
import { useSession } from '../../core/session';
import { useShortcut } from '../../core/shortcuts';
import { AddressTabs } from '../../ui/DetailPage';
import { PageHeader } from '../../ui/PageHeader';
import { ActionFailure } from '../../records/runs';
import { FormerTab } from './FormerTab';
import { InvitationsTab } from './InvitationsTab';
import { MembersTab } from './MembersTab';
import { useMemberActions } from './use-member-actions';

const counted = (label: string, count: number | undefined): string =>
  count === undefined ? label : `${label} (${count})`;

export const MembersPage = () => {
  const navigate = useNavigate();
  const { instance } = useSession();
  const { data: people, error: failed, refetch } = useAnswer(personCalls.list);
  const { data: invitations } = useAnswer(invitationCalls.list);
  const { failure, dismiss, ...actions } = useMemberActions();
  useShortcut('n', () => void navigate(paths.invite()));
  const members = useMemo(() => people?.filter(({ removedAt }) => removedAt === undefined), [people]);
  const former = useMemo(() => people?.filter(({ removedAt }) => removedAt !== undefined), [people]);
  const error = failed === undefined ? undefined : toApiError(failed);
  const onRetry = (): void => void refetch();
  const invite = (
    <Button component={Link} to={paths.invite()} leftSection={<IconUserPlus size={16} aria-hidden />}>
      Invite
    </Button>
  );
  return (
    <>
      <PageHeader
        title="Members"
        count={members?.length}
        description={`Who can sign in to ${instance.name}, and with which role.`}
        actions={invite}
      />
      <ActionFailure failure={failure} onClose={dismiss} />
      <AddressTabs
        tabs={[
          {
            id: 'members',
            label: counted('Members', members?.length),
            content: () => (
              <MembersTab
                members={members}
                actions={{ ...actions, failure, dismiss }}
                error={error}
                onRetry={onRetry}
              />
            ),
          },
          {
            id: 'invitations',
            label: counted('Invitations', invitations?.length),
            content: () => <InvitationsTab invite={invite} />,
          },
          {
            id: 'former',
            label: counted('Former members', former?.length),
            content: () => (
              <FormerTab
                former={former}
                onForget={(person) => void actions.forget(person)}
                onOpen={(person) => void navigate(paths.member(person.id))}
                error={error}
                onRetry={onRetry}
              />
            ),
          },
        ]}
      />
    </>
  );
};
