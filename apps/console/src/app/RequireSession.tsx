/** Guards everything under /app: redirects to login without a session, and keeps the live connection during one. */
import { Fragment, useEffect, useState, type ReactNode } from 'react';
import { useStore } from 'react-redux';
import { Navigate, useLocation } from 'react-router';
import { AfterAWhile, Loading } from '../ui/Loading';
import { clearNotices } from '../ui/toast';
import { askSession } from '../core/ask-session';
import { useAppSelector } from '../core/hooks';
import { startLive } from '../core/live';
import { useAsOf } from '../core/as-of/as-of-state';
import { paths } from '../core/paths';
import { recallSession, sessionEnded, sessionKey, sessionStarted, whoOf } from '../core/session-state';
import type { AppStore } from './store';

export function RequireSession({ children }: { children: ReactNode }) {
  const store = useStore() as AppStore;
  const location = useLocation();
  const signedIn = useAppSelector((state) => state.session.value !== undefined);
  const person = useAppSelector(({ session: { value } }) => value && whoOf(value));
  const lacks = useAppSelector(({ session }) => session.value?.lacks);
  // The past does not change, so it has no live connection.
  const inPast = useAsOf() !== undefined;
  const [asked, setAsked] = useState(false);

  // The session stored in the browser is used at once, but the server decides.
  useEffect(() => {
    void askSession(store.dispatch).then(() => setAsked(true));
  }, [store]);

  useEffect(() => {
    if (person === undefined || inPast || lacks) return;
    const stop = startLive(store);
    return () => {
      stop();
      clearNotices();
    };
  }, [store, person, inPast, lacks]);

  // All tabs share one cookie, so signing out or in in one tab does so in all of them.
  useEffect(() => {
    const onStorage = ({ key, newValue }: StorageEvent): void => {
      if (key !== sessionKey) return;
      if (newValue === null) return void store.dispatch(sessionEnded());
      // Reads the current value, since the events of two tabs that write at once may cross.
      const { value } = recallSession();
      const known = JSON.stringify(store.getState().session.value);
      if (value && JSON.stringify(value) !== known) store.dispatch(sessionStarted(value));
    };
    window.addEventListener('storage', onStorage);
    return () => window.removeEventListener('storage', onStorage);
  }, [store]);

  const here = location.pathname + location.search + location.hash;
  const wanted = here === paths.home() ? {} : { return: here };
  if (lacks) return <Navigate to={paths.secondFactor(wanted)} replace />;
  // The key discards the input of the previous person.
  if (signedIn) return <Fragment key={person}>{children}</Fragment>;
  if (asked) return <Navigate to={paths.login(wanted)} replace />;
  return (
    <AfterAWhile>
      <Loading label="Loading the console" />
    </AfterAWhile>
  );
}
