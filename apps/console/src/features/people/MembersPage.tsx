/** Members, invitations and former members of the workspace. */
import { invitations as invitationCalls, people as personCalls } from '@quarterdeck/contract';
import { IconUserPlus } from '@tabler/icons-react';
import { useNavigate } from 'react-router';
import { useAnswer } from '../../core/calls';
import { paths } from '../../core/paths';
import { useSession } from '../../core/session';
import { useShortcut } from '../../core/shortcuts';
import { Action } from '../../ui/Action';
import { AddressTabs } from '../../ui/DetailPage';
import { PageHeader } from '../../ui/PageHeader';
import { useListPage } from '../../ui/table/use-list-page';
import { ActionFailure } from '../../records/runs';
import { FormerTab } from './FormerTab';
import { InvitationsTab } from './InvitationsTab';
import { MembersTab } from './MembersTab';
import { useMemberActions } from './use-member-actions';

const counted = (label: string, count: number | undefined): string =>
  count === undefined ? label : `${label} (${count})`;

const those = { members: { former: false }, former: { former: true } };

export const MembersPage = () => {
  const navigate = useNavigate();
  const { instance } = useSession();
  const members = useListPage(personCalls.page, { within: those.members, defaultSort: 'name' });
  const former = useListPage(personCalls.page, {
    within: those.former,
    defaultSort: '-removed',
    urlKey: 'former',
  });
  const { data: invitations } = useAnswer(invitationCalls.list);
  const { failure, dismiss, ...actions } = useMemberActions();
  useShortcut('n', () => void navigate(paths.invite()));
  const invite = (
    <Action icon={IconUserPlus} does={paths.invite()}>
      Invite
    </Action>
  );
  return (
    <>
      <PageHeader
        title="Members"
        count={members.total}
        description={`Who can sign in to ${instance.name}, and with which role.`}
        actions={invite}
      />
      <ActionFailure failure={failure} onClose={dismiss} />
      <AddressTabs
        tabs={[
          {
            id: 'members',
            label: counted('Members', members.total),
            content: () => <MembersTab table={members.table} actions={{ ...actions, failure, dismiss }} />,
          },
          {
            id: 'invitations',
            label: counted('Invitations', invitations?.length),
            content: () => <InvitationsTab invite={invite} />,
          },
          {
            id: 'former',
            label: counted('Former members', former.total),
            content: () => (
              <FormerTab
                table={former.table}
                onForget={(person) => void actions.forget(person)}
                onOpen={(person) => void navigate(paths.member(person.id))}
              />
            ),
          },
        ]}
      />
    </>
  );
};
