/** The door to everything under /app: knows who is signed in, keeps the live connection while somebody is. */
import { useEffect, useState, type ReactNode } from 'react';
import { useStore } from 'react-redux';
import { Navigate, useLocation } from 'react-router';
import { AfterAWhile, Loading } from '../ui/Loading';
import { clearNotices } from '../ui/toast';
import { useAppSelector } from './hooks';
import { startLive } from './live';
import { usePast } from './past/use-past';
import { paths } from './paths';
import { sessionApi } from './session.endpoints';
import { sessionEnded, sessionKey, sessionStarted } from './session-state';
import type { AppStore } from './store';

export function RequireSession({ children }: { children: ReactNode }) {
  const store = useStore() as AppStore;
  const location = useLocation();
  const signedIn = useAppSelector((state) => state.session.value !== undefined);
  const person = useAppSelector((state) => state.session.value?.profile.id);
  // News of the present would only change a past that stands still.
  const inPast = usePast() !== undefined;
  const [asked, setAsked] = useState(false);

  // What this browser remembers is shown at once; the server has the last word.
  useEffect(() => {
    const question = store.dispatch(sessionApi.endpoints.session.initiate(undefined, { forceRefetch: true }));
    void question.then(({ data }) => {
      if (data) store.dispatch(sessionStarted(data));
      setAsked(true);
      question.unsubscribe();
    });
  }, [store]);

  useEffect(() => {
    if (person === undefined || inPast) return;
    const stop = startLive(store);
    return () => {
      stop();
      clearNotices();
    };
  }, [store, person, inPast]);

  // Signing out in one tab signs out all of them.
  useEffect(() => {
    const onStorage = (event: StorageEvent): void => {
      if (event.key === sessionKey && event.newValue === null) store.dispatch(sessionEnded());
    };
    window.addEventListener('storage', onStorage);
    return () => window.removeEventListener('storage', onStorage);
  }, [store]);

  if (signedIn) return children;
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
