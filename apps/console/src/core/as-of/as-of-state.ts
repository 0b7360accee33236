/** The chosen instant of the past. It is in the address (`?at=`), which the store follows; unset means the present. */
import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import { useCallback } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { useAppSelector } from '../hooks';

/** Shown where a change is refused while the past is shown. */
export const NO_CHANGES = 'The past is read-only. Go back to now first.';

export interface AsOfState {
  /** An ISO timestamp or an event log position. */
  at?: string;
}

export const AT = 'at';

/** Only pages below `/app` can show the past, not the sign-in pages or `/superadmin`. */
export const hasAsOf = (pathname: string): boolean => pathname.startsWith('/app');

export const instantIn = ({ pathname, search }: { pathname: string; search: string }): AsOfState => {
  const at = hasAsOf(pathname) ? new URLSearchParams(search).get(AT) : null;
  return at ? { at } : {};
};

const slice = createSlice({
  name: 'past',
  initialState: (): AsOfState => instantIn(window.location),
  reducers: {
    instantChosen: (_state, { payload }: PayloadAction<AsOfState>): AsOfState => payload,
  },
});

export const { instantChosen } = slice.actions;
export const asOfReducer = slice.reducer;

/** The chosen instant; undefined in the present. */
export const useAsOf = (): string | undefined => useAppSelector((state) => state.past.at);

/** Switches the current page to another instant, or to the present if `at` is undefined. */
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
