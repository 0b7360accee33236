/** Page behind an invitation link: shows the workspace and role, and lets the person with the link join. */
import { Alert } from '@mantine/core';
import { auth, invitations, type Answer } from '@quarterdeck/contract';
import { personName } from '@quarterdeck/events/inputs';
import { roleWords } from '@quarterdeck/projections';
import { Link, useLocation, useNavigate } from 'react-router';
import { useAnswer, useChange } from '../../core/calls';
import { useAppDispatch, useAppSelector } from '../../core/hooks';
import { paths } from '../../core/paths';
import { sessionStarted } from '../../core/session-state';
import { nameField } from '../../records/sign-in/name-field';
import { ProviderStep } from '../../records/sign-in/ProviderStep';
import { DataView } from '../../ui/DataView';
import { ErrorState } from '../../ui/ErrorState';
import { usePageTitle } from '../../ui/page-title';
import { absoluteTime } from '../../ui/RelativeTime';
import { ResourceForm } from '../../ui/ResourceForm';
import styles from './people.module.css';
import { Fact, Facts } from '../../ui/Facts';

export const InvitationPage = () => {
  usePageTitle('Invitation');
  const code = useLocation().hash.slice(1);
  const query = useAnswer(invitations.look, { code: code });
  return (
    <main className={styles.outside}>
      <DataView
        query={query}
        what="Invitation"
        error={(error) =>
          error.status === 404 || error.status === 400 ? (
            <Spent />
          ) : (
            <ErrorState error={error} what="Invitation" onRetry={() => void query.refetch()} />
          )
        }
      >
        {(invitation) => <Accept code={code} invitation={invitation} />}
      </DataView>
    </main>
  );
};

const Spent = () => (
  <>
    <h1>Invitation</h1>
    <Alert color="red" role="alert" title="This invitation is no longer valid">
      It was already used or withdrawn, or it has expired. Ask the sender for a new one.
    </Alert>
    <p>
      <Link to={paths.login()}>Sign in</Link>
    </p>
  </>
);

const Accept = ({ code, invitation }: { code: string; invitation: Answer<typeof invitations.look> }) => {
  const { instance, role, expiresAt } = invitation;
  const providers = useAnswer(auth.providers);
  const signedIn = useAppSelector(({ session }) => session.value);
  return (
    <>
      <h1>You are invited</h1>
      <Facts my="lg">
        <Fact label="Workspace">{instance.name}</Fact>
        <Fact label="Role">{roleWords[role]}</Fact>
        <Fact label="Expires">{absoluteTime(expiresAt)}</Fact>
      </Facts>
      {signedIn && (
        <Alert color="yellow" mb="md">
          You are signed in to {signedIn.instance.name}. Accepting signs you in to {instance.name} instead.
        </Alert>
      )}
      <DataView query={providers} what="Ways to sign in">
        {(known) =>
          known.length === 0 ? (
            <ByName code={code} workspace={instance.name} />
          ) : (
            <ProviderStep
              providers={known}
              way={{ instance: instance.name, intent: 'in', invitation: code }}
              words={`Join ${instance.name}`}
            />
          )
        }
      </DataView>
    </>
  );
};

const fields = [{ ...nameField, label: 'Your name', help: 'Shown to the others in the workspace.' }];

const ByName = ({ code, workspace }: { code: string; workspace: string }) => {
  const navigate = useNavigate();
  const dispatch = useAppDispatch();
  const [accept] = useChange(auth.invitation);
  return (
    <ResourceForm
      schema={personName}
      fields={fields}
      submitLabel={`Join ${workspace}`}
      dirtyGuard={false}
      onSubmit={async ({ name }) => {
        const session = await accept({ code, name }).unwrap();
        dispatch(sessionStarted(session));
        await navigate(paths.home(), { replace: true });
      }}
    />
  );
};
