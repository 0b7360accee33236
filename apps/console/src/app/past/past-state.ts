/** The instant that is looked at. It stands in the address (`?at=`), which the store follows; unset: the present. */
import { createSlice, type PayloadAction } from '@reduxjs/toolkit';

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
