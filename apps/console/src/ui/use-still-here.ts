/**
 * For a change of address that comes some time after what caused it: a link that was followed meanwhile must not be
 * undone by it. The next page may take its time to arrive, and until then this one is still shown.
 */
import { useCallback, useContext } from 'react';
import { UNSAFE_DataRouterContext as DataRouterContext, useLocation } from 'react-router';

/** Whether the address is still the one that is shown, and nobody is on the way to another. */
export const useStillHere = (): (() => boolean) => {
  // The router itself: `useNavigation` tells what was rendered, which lags behind a click.
  const router = useContext(DataRouterContext)?.router;
  const { key } = useLocation();
  return useCallback(
    () => !router || (router.state.navigation.state === 'idle' && router.state.location.key === key),
    [router, key],
  );
};
