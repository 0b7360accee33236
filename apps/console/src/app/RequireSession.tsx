/** The door to everything under /app: knows who is signed in, keeps the live connection while somebody is. */
import { Fragment, useEffect, useState, type ReactNode } from 'react';
import { useStore } from 'react-redux';
import { Navigate, useLocation } from 'react-router';
import { AfterAWhile, Loading } from '../ui/Loading';
import { clearNotices } from '../ui/toast';
import { askSession } from '../core/ask-session';
import { useAppSelector } from '../core/hooks';
import { startLive } from '../core/live';
import { usePast } from '../core/past/past-state';
import { paths } from '../core/paths';
import { recallSession, sessionEnded, sessionKey, sessionStarted, whoOf } from '../core/session-state';
import type { AppStore } from './store';

export function RequireSession({ children }: { children: ReactNode }) {
  const store = useStore() as AppStore;
  const location = useLocation();
  const signedIn = useAppSelector((state) => state.session.value !== undefined);
  const person = useAppSelector(({ session: { value } }) => value && whoOf(value));
  // News of the present would only change a past that stands still.
  const inPast = usePast() !== undefined;
  const [asked, setAsked] = useState(false);

  // What this browser remembers is shown at once; the server has the last word.
  useEffect(() => {
    void askSession(store.dispatch).then(() => setAsked(true));
  }, [store]);

  useEffect(() => {
    if (person === undefined || inPast) return;
    const stop = startLive(store);
    return () => {
      stop();
      clearNotices();
    };
  }, [store, person, inPast]);

  // Signing out in one tab signs out all of them, and whoever signs in in one is in all of them: they send one cookie.
  useEffect(() => {
    const onStorage = ({ key, newValue }: StorageEvent): void => {
      if (key !== sessionKey) return;
      if (newValue === null) return void store.dispatch(sessionEnded());
      // As it stands there now: what two tabs write may cross on its way.
      const { value } = recallSession();
      const known = JSON.stringify(store.getState().session.value);
      if (value && JSON.stringify(value) !== known) store.dispatch(sessionStarted(value));
    };
    window.addEventListener('storage', onStorage);
    return () => window.removeEventListener('storage', onStorage);
  }, [store]);

  // What one person began to type is not the next one's.
  if (signedIn) return <Fragment key={person}>{children}</Fragment>;
  if (asked) {
    const here = location.pathname + location.search + location.hash;
    return <Navigate to={paths.login(here === paths.home() ? {} : { return: here })} replace />;
  }
  return (
    <AfterAWhile>
      <Loading label="Loading the console" />
    </AfterAWhile>
  );
}
