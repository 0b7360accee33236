/**
 * Prevents a delayed change of the address from undoing a navigation that began before it. This can happen because the
 * current page stays rendered until the next one has loaded.
 */
import { useCallback, useContext } from 'react';
import { UNSAFE_DataRouterContext as DataRouterContext, useLocation } from 'react-router';

/** Returns a function that says whether the router is still at this address and not navigating to another. */
export const useStillHere = (): (() => boolean) => {
  // Asks the router itself, since `useNavigation` reflects the last render, which lags behind a click.
  const router = useContext(DataRouterContext)?.router;
  const { key } = useLocation();
  return useCallback(
    () => !router || (router.state.navigation.state === 'idle' && router.state.location.key === key),
    [router, key],
  );
};
