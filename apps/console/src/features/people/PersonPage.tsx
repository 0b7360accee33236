/** One person: role and details, and the history of the person and of their credentials. */
import { Box } from '@mantine/core';
import { people as personCalls } from '@quarterdeck/contract';
import { proofNames } from '@quarterdeck/events';
import { IconUserOff } from '@tabler/icons-react';
import { personName, type PersonView } from '@quarterdeck/projections';
import { Link, useParams } from 'react-router';
import { useAnswer } from '../../core/calls';
import type { ApiError } from '../../core/http';
import { paths } from '../../core/paths';
import { useAsOf } from '../../core/as-of/as-of-state';
import { useSession } from '../../core/session';
import { count } from '../../ui/count';
import { DetailPage } from '../../ui/DetailPage';
import { HistoryOf } from '../../records/history';
import { PageView } from '../../records/PageView';
import { RelativeTime } from '../../ui/RelativeTime';
import { ActionFailure } from '../../records/runs';
import { StateBadge } from '../../ui/StateBadge';
import { formerActions, memberActions } from './member-actions';
import { RoleBadge } from './people-words';
import { useMemberActions } from './use-member-actions';

const unknown: ApiError = { status: 404, msg: 'No member of this workspace has this id.' };

export const PersonPage = () => {
  const { id = '' } = useParams();
  const { currentData, error, refetch } = useAnswer(personCalls.detail, { id });
  return (
    <PageView
      query={{ data: currentData, error: error?.status === 404 ? unknown : error, refetch }}
      what="Person"
    >
      {(person) => <Person key={id} person={person} />}
    </PageView>
  );
};

const factorWords = ({ secondFactors, recoveryCodesLeft }: PersonView): string =>
  secondFactors.length === 0
    ? 'none'
    : `${secondFactors.map(({ kind }) => proofNames[kind]).join(', ')}; ${count(recoveryCodesLeft, 'recovery code')} left`;

const factsOf = (person: PersonView) => {
  const { email, joinedAt, lastSignInAt, removedAt, forgottenAt } = person;
  return [
    ...(email === undefined ? [] : [{ label: 'E-mail', value: email }]),
    { label: 'Joined', value: <RelativeTime at={joinedAt} /> },
    { label: 'Last sign-in', value: lastSignInAt ? <RelativeTime at={lastSignInAt} /> : 'never' },
    ...(removedAt === undefined ? [{ label: 'Second factor', value: factorWords(person) }] : []),
    ...(removedAt === undefined ? [] : [{ label: 'Removed', value: <RelativeTime at={removedAt} /> }]),
    ...(forgottenAt === undefined ? [] : [{ label: 'Forgotten', value: <RelativeTime at={forgottenAt} /> }]),
  ];
};

const Person = ({ person }: { person: PersonView }) => {
  const { profile } = useSession();
  const past = useAsOf();
  const actions = useMemberActions();
  const { id, role, removedAt } = person;
  const name = personName(person);
  return (
    <DetailPage
      back={
        removedAt === undefined
          ? { to: paths.members(), label: 'Members' }
          : { to: paths.members('former'), label: 'Former members' }
      }
      name={name}
      badge={
        <>
          {removedAt === undefined ? (
            <RoleBadge role={role} />
          ) : (
            <StateBadge state="removed" tone="quiet" icon={IconUserOff} />
          )}
          {id === profile.id && (
            <Box component="span" ml={6} c="dimmed">
              (you)
            </Box>
          )}
        </>
      }
      facts={[
        ...factsOf(person),
        // The number of open sessions is not known for the past.
        ...(past === undefined && removedAt === undefined
          ? [{ label: 'Sessions', value: person.sessions ?? 0 }]
          : []),
      ]}
      actions={removedAt === undefined ? memberActions(person, actions) : formerActions(person, actions)}
      tabs={[
        {
          id: 'history',
          label: 'History',
          content: () => <HistoryOf category="person" id={id} name={name} />,
        },
        {
          id: 'credentials',
          label: 'Credentials',
          content: () => (
            <HistoryOf category="credentials" id={id} name={`the credentials of ${name}`} alone />
          ),
        },
      ]}
    >
      <ActionFailure failure={actions.failure} onClose={actions.dismiss} />
      <p>
        <Link to={paths.history({ actor: id })}>Everything that {name} did</Link>
      </p>
    </DetailPage>
  );
};
