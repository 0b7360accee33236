/** Sign-in: a one-time link signs in at once; otherwise there are two steps, the workspace and the provider. */
import { Alert, Badge, Button, Flex, Group, Loader, TextInput } from '@mantine/core';
import { auth } from '@quarterdeck/contract';
import { IconAlertCircle } from '@tabler/icons-react';
import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState, type FormEvent } from 'react';
import { Navigate, useSearchParams } from 'react-router';
import { DataView } from '../../ui/DataView';
import { usePageTitle } from '../../ui/page-title';
import { send, useAnswer, useAsk } from '../../core/calls';
import { useAppDispatch, useAppSelector } from '../../core/hooks';
import { toApiError, type ApiError } from '../../core/http';
import { paths } from '../../core/paths';
import { sessionStarted } from '../../core/session-state';
import { landingOf } from './landing-path';
import type { OnTheWay } from '../../records/sign-in/on-the-way';
import { ProviderStep } from '../../records/sign-in/ProviderStep';
import styles from './Pages.module.css';
import { TextBlock } from '../../ui/Note';

export default function Login() {
  usePageTitle('Sign in');
  const [params] = useSearchParams();
  const session = useAppSelector((state) => state.session);
  const code = params.get('code');
  // A link has precedence over the stored session, which may have ended or belong to somebody else.
  const [replaced] = useState(() => (code && !used.has(code) ? session.value : undefined));
  if (session.value && session.value !== replaced)
    return <Navigate to={landingOf(session.value, params.get('return')) ?? paths.home()} replace />;
  return (
    <main className={styles.outside}>
      {code ? (
        <ByLink code={code} />
      ) : (
        <ByWorkspace
          ended={session.endedBecause}
          named={params.get('instance') ?? ''}
          returnTo={params.get('return') ?? undefined}
        />
      )}
    </main>
  );
}

/** A code works once, and React may run an effect twice. */
const used = new Set<string>();

function ByLink({ code }: { code: string }) {
  const dispatch = useAppDispatch();
  const [error, setError] = useState<ApiError>();
  useEffect(() => {
    if (used.has(code)) return;
    used.add(code);
    dispatch(send(auth.link, { code }))
      .unwrap()
      .then((value) => dispatch(sessionStarted(value)))
      .catch((thrown: unknown) => {
        const failed = toApiError(thrown);
        // The server has not checked the code, so it is still valid.
        if (failed.status === 'offline' || failed.status === 503 || failed.status === 429) used.delete(code);
        setError(failed);
      });
  }, [code, dispatch]);

  if (!error) {
    return (
      <Flex component="p" role="status" gap={10} align="center">
        <Loader size="sm" /> Signing in…
      </Flex>
    );
  }
  const spent = error.status === 400 || error.status === 401 || error.status === 404;
  return (
    <>
      <h1>Sign in to your account</h1>
      <Alert
        color="red"
        icon={<IconAlertCircle size={18} />}
        title={spent ? 'This sign-in link is no longer valid' : error.msg}
        role="alert"
      >
        {error.code === 'links-off' ? (
          'Sign in with a provider. Links work only if they were created on the command line of the installation.'
        ) : spent ? (
          <>
            Each link works once and only for a short time. This one was already used or has expired. Create a
            new one on the terminal of the installation: <code>npm run sign-in-link</code>
          </>
        ) : (
          'The link was not used up. Try again in a moment.'
        )}
      </Alert>
      <Group mt="md">
        {!spent && <Button onClick={() => window.location.reload()}>Try again</Button>}
        <Button component="a" href={paths.login()} variant="default">
          Sign in another way
        </Button>
      </Group>
    </>
  );
}

interface ByWorkspaceProps {
  ended: string | undefined;
  named: string;
  returnTo: string | undefined;
}

function ByWorkspace({ ended, named, returnTo }: ByWorkspaceProps) {
  const [name, setName] = useState(named);
  const [step, setStep] = useState<OnTheWay>();
  const [checking, setChecking] = useState<OnTheWay['intent']>();
  const [message, setMessage] = useState<string>();
  const [find] = useAsk(auth.exists);
  const input = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => input.current?.focus(), []);

  const enter = async (intent: OnTheWay['intent']): Promise<void> => {
    const workspace = name.trim();
    if (workspace === '') {
      setMessage(intent === 'in' ? 'Please insert an instance name' : 'Enter an instance name');
      return;
    }
    setChecking(intent);
    const answer = await find({ instance: workspace });
    setChecking(undefined);
    const error = answer.error === undefined ? undefined : toApiError(answer.error);
    const unknown = error?.msg.includes('could not be found') ?? false;
    if (intent === 'up' && !error) setMessage('This instance name already exists, please choose another one');
    else if (intent === 'up' ? unknown : !error)
      setStep({ instance: answer.data?.name ?? workspace, intent, returnTo });
    else setMessage(error?.data?.instance || error?.msg || 'something went wrong');
  };

  // A workspace named in the link is entered at once.
  const enterNamed = useEffectEvent(() => {
    if (named !== '') void enter('in');
  });
  useEffect(() => enterNamed(), []);

  if (step) return <SecondStep way={step} onBack={() => setStep(undefined)} />;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    void enter('in');
  };
  return (
    <>
      <h1>Sign in to your account</h1>
      {ended && (
        <Alert color="yellow" mb="md" role="status">
          {ended}
        </Alert>
      )}
      <form onSubmit={submit} noValidate>
        <TextInput
          label="Workspace"
          value={name}
          error={message}
          autoComplete="organization"
          ref={input}
          onChange={(event) => {
            setName(event.currentTarget.value);
            setMessage(undefined);
          }}
        />
        <Group mt="md" grow>
          <Button type="submit" loading={checking === 'in'}>
            Login
          </Button>
          <Button variant="default" loading={checking === 'up'} onClick={() => void enter('up')}>
            Signup
          </Button>
        </Group>
      </form>
    </>
  );
}

function SecondStep({ way, onBack }: { way: OnTheWay; onBack: () => void }) {
  const query = useAnswer(auth.providers);
  return (
    <>
      <h1>{way.intent === 'in' ? 'Sign in to your account' : 'Sign up to your account'}</h1>
      <Badge variant="light" size="lg">
        {way.instance}
      </Badge>
      <DataView query={query} what="Providers">
        {(providers) =>
          providers.length === 0 ? <NoProvider way={way} /> : <ProviderStep providers={providers} way={way} />
        }
      </DataView>
      <Button variant="default" mt="md" onClick={onBack}>
        Back
      </Button>
    </>
  );
}

/** Explains sign-in without a provider, by a link that the installation prints. */
function NoProvider({ way: { instance, intent } }: { way: OnTheWay }) {
  return (
    <>
      <p>
        This installation has no sign-in provider configured. Your administrator gets a one-time sign-in link
        {intent === 'up' && ' for the new workspace'} on the terminal of the installation:
      </p>
      <TextBlock fz={13}>npm run sign-in-link -- --workspace {shellWord(instance)}</TextBlock>
      <p>Open the link in this browser.</p>
    </>
  );
}

/** Quotes text as a single word for a shell command, so that nothing in it is executed. Pure. */
const shellWord = (text: string): string =>
  /^[\w.-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
