/** Leaving with changes asks, whether by a link, by the back button or by closing the tab. */
import { useEffect } from 'react';
import { useBlocker } from 'react-router';
import { confirmAction } from '../confirm';

export const useLeaveGuard = (dirty: boolean): void => {
  const blocker = useBlocker(({ currentLocation, nextLocation }) => {
    const elsewhere =
      currentLocation.pathname !== nextLocation.pathname || currentLocation.search !== nextLocation.search;
    return dirty && elsewhere;
  });
  useEffect(() => {
    if (blocker.state !== 'blocked') return;
    void confirmAction({
      title: 'Leave without saving?',
      body: 'What you changed on this form is not saved yet and will be lost.',
      confirmLabel: 'Leave',
      danger: true,
    }).then((leave) => (leave ? blocker.proceed() : blocker.reset()));
  }, [blocker]);
  useEffect(() => {
    if (!dirty) return;
    const warn = (event: BeforeUnloadEvent): void => event.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [dirty]);
};
