/** Where the link of an invitation leads: says to what, as what, and lets the one who has it in. */
import { Alert, Button, TextInput } from '@mantine/core';
import { auth, invitations, type Answer } from '@quarterdeck/contract';
import { personName } from '@quarterdeck/events/inputs';
import { useState, type FormEvent } from 'react';
import { Link, useLocation, useNavigate } from 'react-router';
import { useAnswer, useChange } from '../../core/calls';
import { useAppDispatch, useAppSelector } from '../../core/hooks';
import { toApiError } from '../../core/http';
import { paths } from '../../core/paths';
import { sessionStarted } from '../../core/session-state';
import { ProviderStep } from '../../records/sign-in/ProviderStep';
import { DataView } from '../../ui/DataView';
import { ErrorState } from '../../ui/ErrorState';
import { usePageTitle } from '../../ui/page-title';
import { absoluteTime } from '../../ui/RelativeTime';
import styles from './people.module.css';
import { roleWords } from './people-words';

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
    <Alert color="red" role="alert" title="This invitation does not work any more">
      It was used already, was withdrawn, or is older than seven days. Ask whoever sent it for a new one.
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
      <dl className={styles.facts}>
        <dt>Workspace</dt>
        <dd>{instance.name}</dd>
        <dt>Role</dt>
        <dd>{roleWords[role]}</dd>
        <dt>Good until</dt>
        <dd>{absoluteTime(expiresAt)}</dd>
      </dl>
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

const ByName = ({ code, workspace }: { code: string; workspace: string }) => {
  const navigate = useNavigate();
  const dispatch = useAppDispatch();
  const [accept, { isLoading }] = useChange(auth.invitation);
  const [name, setName] = useState('');
  const [message, setMessage] = useState<string>();

  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const checked = personName.safeParse({ name: name.trim() });
    if (!checked.success) return setMessage(checked.error.issues[0]?.message);
    try {
      const session = await accept({ code, name: checked.data.name }).unwrap();
      dispatch(sessionStarted(session));
      await navigate(paths.home(), { replace: true });
    } catch (thrown) {
      const error = toApiError(thrown);
      setMessage(error.data?.name ?? error.msg);
    }
  };

  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <TextInput
        label="Your name"
        description="As the others in the workspace will see it."
        size="md"
        autoComplete="name"
        value={name}
        error={message}
        onChange={(event) => {
          setName(event.currentTarget.value);
          setMessage(undefined);
        }}
      />
      <Button type="submit" size="md" mt="md" fullWidth loading={isLoading}>
        Join {workspace}
      </Button>
    </form>
  );
};
