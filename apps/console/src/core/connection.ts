/** State of the connection to the server, for the dot in the top bar. */
import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import type { Position } from '@quarterdeck/events';
import { useEffect, useRef } from 'react';
import { useAppSelector } from './hooks';

export interface ConnectionState {
  state: 'live' | 'reconnecting' | 'offline';
  /** How often it was made. A move to another server process is not shown, but is a new connection. */
  times?: number;
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
  const { state, times } = useConnection();
  const before = useRef({ state, times });
  useEffect(() => {
    const { current: last } = before;
    const isBack = state === 'live' && (last.state !== 'live' || last.times !== times);
    before.current = { state, times };
    if (isBack) askAgain();
  }, [state, times, askAgain]);
};
