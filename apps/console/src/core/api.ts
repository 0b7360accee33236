/** The cache of answers. `calls.ts` and features inject endpoints. Socket events make answers stale. */
import { createApi, type BaseQueryFn } from '@reduxjs/toolkit/query/react';
import { lackCodes, nounFacts, type FactorLack, type ReadModel } from '@quarterdeck/events';
import { send, type AnswerMeta, type ApiError, type ApiRequest } from './http';
import { NO_CHANGES, type AsOfState } from './as-of/as-of-state';
import { sessionEnded, sessionLacks } from './session-state';
import { wantsToWait } from './waiting';

export type { ApiError } from './http';

/**
 * The store deep-freezes its values, which takes a second for ten thousand rows, but skips frozen values. Freezing here
 * takes a few hundredths of that, since answers are plain JSON.
 */
const frozen = <T>(value: T): T => {
  if (typeof value !== 'object' || value === null) return value;
  for (const part of Object.values(value)) frozen(part);
  return Object.freeze(value);
};

/** The instant to send with a call, or an error if the call cannot be made while the past is shown. */
const instantOf = (
  { past }: ApiRequest,
  type: 'query' | 'mutation',
  state: unknown,
): { at?: string } | ApiError => {
  const { at } = (state as { past: AsOfState }).past;
  if (at === undefined || past === 'timeless') return {};
  // Some reads, such as a page of output, are mutations to the cache. They change nothing.
  return type === 'query' || past === 'asOf' ? { at } : { status: 400, msg: NO_CHANGES };
};

const baseQuery: BaseQueryFn<ApiRequest | string, unknown, ApiError, object, AnswerMeta> = async (
  args,
  call,
) => {
  const request = typeof args === 'string' ? { url: args } : args;
  const instant = instantOf(request, call.type, call.getState());
  if ('status' in instant) return { error: instant };
  const first = await send({ signal: call.signal, ...instant, ...request });
  const waits = 'error' in first && (await wantsToWait(first.error));
  const answer = waits ? await send({ signal: call.signal, ...request, waits }) : first;
  // A 401 from calls under /auth/ is about the input, not about the session.
  if ('error' in answer && answer.error.status === 401 && !request.url.startsWith('/auth/')) {
    call.dispatch(sessionEnded('Your session has ended. Sign in again.'));
  }
  const code = 'error' in answer ? answer.error.code : undefined;
  const lack = (Object.keys(lackCodes) as FactorLack[]).find((one) => lackCodes[one] === code);
  if (lack) call.dispatch(sessionLacks(lack));
  return 'data' in answer ? { ...answer, data: frozen(answer.data) } : answer;
};

export const api = createApi({
  reducerPath: 'api',
  baseQuery,
  tagTypes: nounFacts.readModels,
  // The default waits until no call is pending, but a command over SSH can be pending for minutes.
  invalidationBehavior: 'immediately',
  endpoints: () => ({}),
});

const LIST = 'LIST';

export type Tag = { type: ReadModel; id?: string };

/**
 * `tagsOf('servers')` is what a list provides, `tagOf('servers', id)` what a detail provides. An event of one server
 * makes `tagsOf('servers', [id])` stale: the lists and that server's detail, nothing more. A list has no tags for its
 * rows, since ten thousand tags cost more than the list.
 */
export const tagsOf = (model: ReadModel, ids: readonly string[] = []): Tag[] => [
  { type: model, id: LIST },
  ...ids.map((id) => ({ type: model, id })),
];

export const tagOf = (model: ReadModel, id: string): Tag[] => [{ type: model, id }];
