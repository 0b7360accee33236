/**
 * The server decides who is signed in and what they may do. The console asks it when a page loads, after a lost
 * connection, and when the server refuses something the page offers, since the person's role may have changed.
 */
import { sessions } from '@quarterdeck/contract';
import {
  isRejectedWithValue,
  type Middleware,
  type ThunkDispatch,
  type UnknownAction,
} from '@reduxjs/toolkit';
import { ask } from './calls';
import { isApiError } from './http';
import { sessionStarted } from './session-state';

type Dispatch = ThunkDispatch<unknown, unknown, UnknownAction>;

export const askSession = async (dispatch: Dispatch): Promise<void> => {
  const question = dispatch(ask(sessions.session));
  const { data } = await question;
  if (data) dispatch(sessionStarted(data));
  question.unsubscribe();
};

const isAboutSession = (meta: unknown): boolean =>
  (meta as { arg?: { endpointName?: string } }).arg?.endpointName === sessions.session.id;

export const refusalListener: Middleware<object, unknown, Dispatch> =
  ({ dispatch }) =>
  (next) =>
  (action) => {
    const result = next(action);
    if (!isRejectedWithValue(action) || isAboutSession(action.meta)) return result;
    if (isApiError(action.payload) && action.payload.status === 403) void askSession(dispatch);
    return result;
  };
