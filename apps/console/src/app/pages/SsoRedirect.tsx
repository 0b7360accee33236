/** Where a provider sends the browser back to: exchanges what it sent for the session, then leads on by permission. */
import { Alert, Button, Loader } from '@mantine/core';
import { IconAlertCircle } from '@tabler/icons-react';
import type { SignInDenial } from '@quarterdeck/events';
import { useEffect, useState } from 'react';
import { Link, useNavigate, useParams, useSearchParams } from 'react-router';
import { usePageTitle } from '../../ui/page-title';
import { useAppDispatch } from '../hooks';
import { toApiError, type ApiError } from '../http';
import { paths } from '../paths';
import { sessionApi } from '../session.endpoints';
import { sessionStarted } from '../session-state';
import { landingOf } from '../sign-in/landing';
import { forgetWay, recallWay, type OnTheWay } from '../sign-in/on-the-way';
import styles from './Pages.module.css';

/** The rest of what providers put behind the address concerns nobody. */
const told = ['state', 'code', 'iss', 'error'] as const;

/** A state works once, and React may run an effect twice. */
const used = new Set<string>();

const denied: ApiError = { status: 401, msg: 'Access Denied! Wrong access credentials.' };

export default function SsoRedirect() {
  usePageTitle('Sign in');
  const { ssoProvider = '' } = useParams();
  const [address] = useSearchParams();
  const dispatch = useAppDispatch();
  const navigate = useNavigate();
  const [way] = useState(recallWay);
  const [error, setError] = useState<ApiError>();

  useEffect(() => {
    const state = address.get('state') ?? '';
    if (used.has(state)) return;
    used.add(state);
    const params = new URLSearchParams();
    for (const name of told) {
      const value = address.get(name);
      if (value) params.set(name, value);
    }
    if (way?.invitation) params.set('invitation', way.invitation);
    const signIn = sessionApi.endpoints.signInByProvider.initiate({ provider: ssoProvider, params });
    dispatch(signIn)
      .unwrap()
      .then(async (value) => {
        forgetWay();
        const landing = landingOf(value, way?.returnTo);
        if (landing === undefined) {
          await dispatch(sessionApi.endpoints.signOut.initiate()).unwrap();
          throw denied;
        }
        dispatch(sessionStarted(value));
        await navigate(landing, { replace: true });
      })
      .catch((thrown: unknown) => setError(toApiError(thrown)));
  }, [address, dispatch, navigate, ssoProvider, way]);

  return (
    <main className={styles.outside}>
      {error ? (
        <Refused error={error} provider={ssoProvider} way={way} />
      ) : (
        <p role="status" className={styles.waiting}>
          <Loader size="sm" /> Signing in…
        </p>
      )}
    </main>
  );
}

const labels: Record<string, string> = { github: 'GitHub', google: 'Google' };

/** The specification's words stand above; these say what was the matter and what can be done. */
const reasons: Record<SignInDenial, (provider: string, workspace: string) => string> = {
  refused: (provider) => `You did not agree at ${provider} to be signed in here. Nothing was changed.`,
  expired: () =>
    'This sign-in was used already, took longer than ten minutes, or was begun in another browser or at another address of this console. Begin again.',
  'no-member': (provider, workspace) =>
    `Your ${provider} account does not belong to ${workspace} and is not invited to it. Ask one of its administrators for an invitation.`,
  'other-provider': (provider, workspace) =>
    `${workspace} knows your e-mail by another account than this one at ${provider}. Sign in with that one.`,
  'links-off': () => 'People sign in by a provider here.',
};

const isDenial = (code: string | undefined): code is SignInDenial =>
  code !== undefined && Object.hasOwn(reasons, code);

function Refused({ error, provider, way }: { error: ApiError; provider: string; way: OnTheWay | undefined }) {
  const label = labels[provider] ?? 'the provider';
  const instance = way?.instance;
  const workspace = instance ?? 'the workspace';
  const code = error.status === 401 ? error.code : undefined;
  // An address without what a provider sends was typed, or kept.
  const title = error.status === 400 && !error.data?.instance ? denied.msg : error.msg;
  return (
    <>
      <h1>{way?.intent === 'up' ? 'Sign up to your account' : 'Sign in to your account'}</h1>
      <Alert color="red" icon={<IconAlertCircle size={18} />} title={title} role="alert">
        {isDenial(code) && reasons[code](label, workspace)}
        {typeof error.status === 'number' && error.status > 401 && (
          <>
            Nobody was signed in. Try again in a moment; if it stays so, tell whoever runs this installation.
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
