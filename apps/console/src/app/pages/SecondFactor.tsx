/** Between the sign-in and the console: gives the second factor, or sets one up if the workspace needs it. */
import { secondFactors } from '@quarterdeck/contract';
import { useState } from 'react';
import { Link, Navigate, useSearchParams } from 'react-router';
import { askSession } from '../../core/ask-session';
import { useAnswer } from '../../core/calls';
import { useAppDispatch, useAppSelector } from '../../core/hooks';
import { paths } from '../../core/paths';
import { AddFactor } from '../../records/second-factor/AddFactor';
import { GiveFactor } from '../../records/second-factor/GiveFactor';
import { DataView } from '../../ui/DataView';
import { usePageTitle } from '../../ui/page-title';
import { landingOf } from './landing-path';
import styles from './Pages.module.css';

export default function SecondFactor() {
  usePageTitle('Second factor');
  const [params] = useSearchParams();
  const dispatch = useAppDispatch();
  const session = useAppSelector((state) => state.session.value);
  const query = useAnswer(secondFactors.state, {}, { refetchOnMountOrArgChange: true });
  const [started] = useState(session?.lacks);
  if (!session) return <Navigate to={paths.login()} replace />;
  if (!session.lacks)
    return <Navigate to={landingOf(session, params.get('return')) ?? paths.home()} replace />;
  const over = (): Promise<void> => askSession(dispatch);
  return (
    <main className={styles.outside}>
      <DataView query={query} what="Second factor">
        {(state) =>
          started === 'missing' ? (
            <>
              <h1>Set up a second factor</h1>
              <p>
                {session.instance.name} needs a second factor from everybody. Add one to continue: an app on
                your phone that shows codes, or a passkey.
              </p>
              <AddFactor onAdded={() => void over()} />
            </>
          ) : (
            <>
              <h1>Give your second factor</h1>
              <GiveFactor state={state} onGiven={over} />
            </>
          )
        }
      </DataView>
      <p>
        <Link to={paths.logout()}>Sign out</Link>
      </p>
    </main>
  );
}
