/** The part of the store that the core layer knows. Records and features select their own state themselves. */
import type { ThunkDispatch, UnknownAction } from '@reduxjs/toolkit';
import { useDispatch, useSelector } from 'react-redux';
import type { ConnectionState } from './connection';
import type { AsOfState } from './as-of/as-of-state';
import type { SessionState } from './session-state';

export interface CoreState {
  session: SessionState;
  connection: ConnectionState;
  past: AsOfState;
}

export type CoreDispatch = ThunkDispatch<unknown, unknown, UnknownAction>;

export const useAppDispatch = useDispatch.withTypes<CoreDispatch>();
export const useAppSelector = useSelector.withTypes<CoreState>();
