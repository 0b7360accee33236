/** Asks before unsaved changes are lost by following a link, going back, or closing the tab. */
import { useEffect, useRef } from 'react';
import { useBlocker } from 'react-router';
import { confirmAction } from '../confirm';

export const useLeaveGuard = (dirty: boolean): void => {
  const blocker = useBlocker(({ currentLocation, nextLocation }) => {
    const elsewhere =
      currentLocation.pathname !== nextLocation.pathname || currentLocation.search !== nextLocation.search;
    return dirty && elsewhere;
  });
  // Pressing Back again is another attempt to leave; the open question answers it too.
  const latest = useRef(blocker);
  const asking = useRef(false);
  useEffect(() => {
    latest.current = blocker;
    if (blocker.state !== 'blocked' || asking.current) return;
    asking.current = true;
    void confirmAction({
      title: 'Leave without saving?',
      body: 'Your changes on this form are not saved and will be lost.',
      confirmLabel: 'Leave',
      dismissLabel: 'Stay',
      danger: true,
    }).then((leave) => {
      asking.current = false;
      const attempt = latest.current;
      if (attempt.state !== 'blocked') return;
      if (leave) attempt.proceed();
      else attempt.reset();
    });
  }, [blocker]);
  useEffect(() => {
    if (!dirty) return;
    const warn = (event: BeforeUnloadEvent): void => event.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [dirty]);
};
