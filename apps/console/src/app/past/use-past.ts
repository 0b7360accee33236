import { useCallback } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { useAppSelector } from '../hooks';
import { AT } from './past-state';

/** The instant that is looked at; undefined: the present. */
export const usePast = (): string | undefined => useAppSelector((state) => state.past.at);

/** Stays on the page and goes to another instant, or to now. */
export const useTravel = (): ((at: string | undefined) => void) => {
  const navigate = useNavigate();
  const { pathname, search, hash } = useLocation();
  return useCallback(
    (at) => {
      const params = new URLSearchParams(search);
      params.set(AT, at ?? '');
      void navigate({ pathname, search: `?${params.toString()}`, hash }, { preventScrollReset: true });
    },
    [navigate, pathname, search, hash],
  );
};
