/** State of the connection to the server, for the dot in the top bar. */
import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import type { Position } from '@quarterdeck/events';
import { useEffect, useRef } from 'react';
import { useAppSelector } from './hooks';

export interface ConnectionState {
  state: 'live' | 'reconnecting' | 'offline';
  /** Log position of the newest event that this tab knows of. */
  position?: Position;
  /** Round trip time of the last `resume`, in milliseconds. */
  lagMs?: number;
  /** When the connection was lost. */
  since?: string;
}

const slice = createSlice({
  name: 'connection',
  initialState: { state: 'offline' } as ConnectionState,
  reducers: {
    connectionChanged: (state, { payload }: PayloadAction<Partial<ConnectionState>>) => ({
      ...state,
      ...payload,
    }),
  },
});

export const { connectionChanged } = slice.actions;
export const connectionReducer = slice.reducer;

export const useConnection = (): ConnectionState => useAppSelector((state) => state.connection);

/** Fetches data that only the socket delivers, because messages missed during a lost connection are not resent. */
export const useWhenBack = (askAgain: () => unknown): void => {
  const { state } = useConnection();
  const before = useRef(state);
  useEffect(() => {
    const isBack = state === 'live' && before.current !== 'live';
    before.current = state;
    if (isBack) askAgain();
  }, [state, askAgain]);
};
