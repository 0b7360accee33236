/** The instant that is looked at. It is in the address (`?at=`), which the store follows; unset: the present. */
import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import { useCallback } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { useAppSelector } from '../hooks';

/** Why nothing can be changed while the past is looked at. */
export const NO_CHANGES = 'The past is read-only. Go back to now first.';

export interface PastState {
  /** An ISO instant, or a position of the history. */
  at?: string;
}

export const AT = 'at';

/** Only what stands below `/app`: signing in and the installation have none. */
export const hasPast = (pathname: string): boolean => pathname.startsWith('/app');

export const instantIn = ({ pathname, search }: { pathname: string; search: string }): PastState => {
  const at = hasPast(pathname) ? new URLSearchParams(search).get(AT) : null;
  return at ? { at } : {};
};

const slice = createSlice({
  name: 'past',
  initialState: (): PastState => instantIn(window.location),
  reducers: {
    instantChosen: (_state, { payload }: PayloadAction<PastState>): PastState => payload,
  },
});

export const { instantChosen } = slice.actions;
export const pastReducer = slice.reducer;

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
