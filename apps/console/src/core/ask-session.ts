/**
 * The server has the last word on who is signed in and what they may do. It is asked when a page is loaded, after a lost
 * connection, and when it refuses what the page offers: somebody may have been given another role meanwhile.
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
