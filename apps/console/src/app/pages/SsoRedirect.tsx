/**
 * The page to which a provider redirects the browser: exchanges the provider's parameters for a session and opens the
 * page for the person's role, or connects the account to the person already signed in.
 */
import { Alert, Button, Flex, Loader } from '@mantine/core';
import { auth, accounts } from '@quarterdeck/contract';
import { IconAlertCircle } from '@tabler/icons-react';
import { providerNames, type SignInDenial, type SignInProvider } from '@quarterdeck/events';
import { useEffect, useRef, useState } from 'react';
import { Link, useNavigate, useParams, useSearchParams } from 'react-router';
import { usePageTitle } from '../../ui/page-title';
import { toast } from '../../ui/toast';
import { send } from '../../core/calls';
import { useAppDispatch } from '../../core/hooks';
import { toApiError, type ApiError } from '../../core/http';
import { paths } from '../../core/paths';
import { sessionStarted } from '../../core/session-state';
import { landingOf } from './landing-path';
import { forgetWay, recallWay, type OnTheWay } from '../../records/sign-in/on-the-way';
import styles from './Pages.module.css';

/** States already sent: each works only once. */
const used = new Set<string>();

const denied: ApiError = { status: 401, msg: 'Access Denied! Wrong access credentials.' };
const usedUp: ApiError = { ...denied, code: 'expired' };
const usedToConnect: ApiError = { status: 400, msg: 'This was already used. Start again from your profile.' };

export default function SsoRedirect() {
  const { ssoProvider = '' } = useParams();
  const [address] = useSearchParams();
  const dispatch = useAppDispatch();
  const navigate = useNavigate();
  const [way] = useState(recallWay);
  const [error, setError] = useState<ApiError>();
  const begun = useRef<string>(undefined);
  const connects = way?.intent === 'connect';
  usePageTitle(connects ? 'Connect an account' : 'Sign in');

  useEffect(() => {
    const state = address.get('state') ?? '';
    // React may run an effect twice.
    if (begun.current === state) return;
    // The back button may return to this page.
    if (used.has(state)) return setError(connects ? usedToConnect : usedUp);
    begun.current = state;
    used.add(state);
    // Empty or missing parameters are omitted.
    const given = (name: string): string | undefined => address.get(name) || undefined;
    const callback = {
      provider: ssoProvider,
      state,
      code: given('code'),
      iss: given('iss'),
      error: given('error'),
    };
    const signIn = async (): Promise<void> => {
      const invitation = way?.invitation || undefined;
      const value = await dispatch(send(auth.redirect, { ...callback, invitation })).unwrap();
      forgetWay();
      const landing = landingOf(value, way?.returnTo);
      if (landing === undefined) {
        await dispatch(send(auth.signOut)).unwrap();
        throw denied;
      }
      dispatch(sessionStarted(value));
      await navigate(landing, { replace: true });
    };
    const connect = async (): Promise<void> => {
      const provider = ssoProvider as SignInProvider;
      await dispatch(send(accounts.connected, { ...callback, provider })).unwrap();
      forgetWay();
      toast.success(`Your ${labels[ssoProvider] ?? ssoProvider} account was connected.`);
      await navigate(paths.profile(), { replace: true });
    };
    (connects ? connect() : signIn()).catch((thrown: unknown) => setError(toApiError(thrown)));
  }, [address, connects, dispatch, navigate, ssoProvider, way]);

  return (
    <main className={styles.outside}>
      {error && connects && <NotConnected error={error} provider={ssoProvider} />}
      {error && !connects && <Refused error={error} provider={ssoProvider} way={way} />}
      {!error && (
        <Flex component="p" role="status" gap={10} align="center">
          <Loader size="sm" /> {connects ? 'Connecting…' : 'Signing in…'}
        </Flex>
      )}
    </main>
  );
}

const labels: Record<string, string> = providerNames;

/** Shown below the message from the specification: the reason, and what to do. */
const reasons: Record<SignInDenial, (provider: string, workspace: string) => string> = {
  refused: (provider) => `You did not give your consent at ${provider}. Nothing was changed.`,
  expired: () =>
    'This sign-in was already used, took longer than ten minutes, or was started in another browser or at another address. Start again.',
  'no-member': (provider, workspace) =>
    `Your ${provider} account does not belong to ${workspace} and is not invited to it. Ask one of its administrators for an invitation.`,
  'other-provider': (provider, workspace) =>
    `${workspace} knows your e-mail by another account than this one at ${provider}. Sign in with that one.`,
  'links-off': () => 'People sign in by a provider here.',
  'no-sign-up': (provider) =>
    `Your ${provider} account may not make a new workspace here. Ask whoever runs this installation, or ask an administrator of an existing workspace for an invitation.`,
};

const isDenial = (code: string | undefined): code is SignInDenial =>
  code !== undefined && Object.hasOwn(reasons, code);

function NotConnected({ error, provider }: { error: ApiError; provider: string }) {
  const label = labels[provider] ?? 'the provider';
  return (
    <>
      <h1>Connect your {label} account</h1>
      <Alert
        color="red"
        icon={<IconAlertCircle size={18} />}
        title="The account was not connected"
        role="alert"
      >
        <div>{error.msg}</div>
        {error.correlationId && <div>Reference: {error.correlationId}</div>}
      </Alert>
      <Button component={Link} to={paths.profile()} variant="default" mt="md">
        Back to the profile
      </Button>
    </>
  );
}

function Refused({ error, provider, way }: { error: ApiError; provider: string; way: OnTheWay | undefined }) {
  const label = labels[provider] ?? 'the provider';
  const instance = way?.instance;
  const workspace = instance ?? 'the workspace';
  const code = error.status === 401 ? error.code : undefined;
  // An address without the provider's parameters was typed or bookmarked.
  const title = error.status === 400 && !error.data?.instance ? denied.msg : error.msg;
  return (
    <>
      <h1>{way?.intent === 'up' ? 'Sign up to your account' : 'Sign in to your account'}</h1>
      <Alert color="red" icon={<IconAlertCircle size={18} />} title={title} role="alert">
        {isDenial(code) && reasons[code](label, workspace)}
        {typeof error.status === 'number' && error.status > 401 && (
          <>
            You are not signed in. Try again in a moment. If the problem persists, tell whoever runs this
            installation.
            {error.correlationId && <> Reference: {error.correlationId}</>}
          </>
        )}
      </Alert>
      <Button
        component={Link}
        to={paths.login(instance === undefined ? {} : { instance })}
        variant="default"
        mt="md"
      >
        Back to sign-in
      </Button>
    </>
  );
}
