/**
 * Every call of the contract as an endpoint of the cache, with hooks that take their types from the call:
 * `useAnswer(scripts.detail, { id })`, `useChange(scripts.insert)`. A call with one input is one entry in the cache.
 *
 * The endpoints are injected without types. Mapping the contract into RTK's generated names doubles type checking.
 */
import { contract, isRead, requestTo, type Call, type Change, type Read } from '@quarterdeck/contract';
import type { ThunkAction, UnknownAction } from '@reduxjs/toolkit';
import type { SkipToken } from '@reduxjs/toolkit/query/react';
import type { ReadModel } from '@quarterdeck/events';
import { api, tagOf, tagsOf, type Tag } from './api';
import type { ApiError, ApiRequest } from './http';

/** Seconds for which the cache keeps the answer to a volatile call that no component uses. */
const VOLATILE_SECONDS = 10;

/** Builds the HTTP request. */
export const requestOf = (
  call: Pick<Call, 'path' | 'method' | 'asOf' | 'timeless'>,
  input: unknown,
): ApiRequest => {
  const { method, asOf, timeless } = call;
  const past: ApiRequest['past'] = timeless ? 'timeless' : asOf ? 'asOf' : undefined;
  const { path, ...body } = requestTo(call, input);
  return { url: `/${path}`, method, ...(past && { past }), ...body };
};

const modelsOf = (models: Call['shows']): readonly ReadModel[] =>
  models === undefined ? [] : typeof models === 'string' ? [models] : models;

const idIn = ({ wide }: Call, input: unknown): string | undefined => {
  const { id, filters } = (input ?? {}) as { id?: string; filters?: { id?: string } };
  return wide ? undefined : (id ?? filters?.id);
};

/** Tags that a read provides: those of one row if its input has an id, otherwise those of the list. */
const shownBy = (call: Call, input: unknown): Tag[] => {
  const id = idIn(call, input);
  return modelsOf(call.shows).flatMap((model) => (id === undefined ? tagsOf(model) : tagOf(model, id)));
};

/** An address may contain a malformed id. Nothing can have such an id, so the error becomes "not found". */
const orNotFound = (call: Pick<Call, 'id'>, error: ApiError): ApiError =>
  error.status === 400 && error.data?.id !== undefined
    ? { ...error, status: 404, msg: `${call.id.split('.').at(-2)} could not be found` }
    : error;

const staledBy = (call: Call, input: unknown): Tag[] => {
  const id = idIn(call, input);
  return modelsOf(call.stales).flatMap((model): Tag[] =>
    call.wide ? [{ type: model }] : tagsOf(model, id === undefined ? [] : [id]),
  );
};

interface QueryResult<A> {
  data?: A | undefined;
  /** The answer for the current input; `data` may still be the one for the previous input. */
  currentData?: A | undefined;
  error?: ApiError | undefined;
  isLoading: boolean;
  isFetching: boolean;
  isError: boolean;
  isSuccess: boolean;
  fulfilledTimeStamp?: number | undefined;
  refetch(): unknown;
}

interface Sending<A> {
  data?: A | undefined;
  error?: ApiError | undefined;
  isLoading: boolean;
  fulfilledTimeStamp?: number | undefined;
  reset(): void;
}

type Outcome<A> = { data: A; error?: undefined } | { data?: undefined; error: ApiError };

interface Promised<A> extends PromiseLike<Outcome<A>> {
  unwrap(): Promise<A>;
  abort(): void;
}

/** A read started outside of components. The cache keeps its answer until `unsubscribe` is called. */
interface Question<A> extends Promised<A> {
  unsubscribe(): void;
}

interface Options {
  skip?: boolean;
  pollingInterval?: number;
  skipPollingIfUnfocused?: boolean;
  refetchOnMountOrArgChange?: boolean | number;
}

type Thunk<R> = ThunkAction<R, unknown, unknown, UnknownAction>;

interface Endpoint {
  useQuery(input: unknown, options?: object): QueryResult<unknown>;
  useLazyQuery(): readonly [(input: unknown) => Promised<unknown>, Sending<unknown>, unknown];
  useMutation(): readonly [(input: unknown) => Promised<unknown>, Sending<unknown>];
  initiate(input: unknown, options?: object): Thunk<Promised<unknown>>;
}

const endpoints = api.injectEndpoints({
  endpoints: (build) =>
    Object.fromEntries(
      contract.map((call) => {
        const query = (input: unknown) => requestOf(call, input);
        if (!isRead(call))
          return [
            call.id,
            build.mutation<unknown, unknown>({
              query,
              invalidatesTags: (_answer, _error, input) => staledBy(call, input),
            }),
          ];
        return [
          call.id,
          build.query<unknown, unknown>({
            query,
            providesTags: (_answer, _error, input) => shownBy(call, input),
            transformErrorResponse: (error: ApiError) => orNotFound(call, error),
            ...(call.volatile ? { keepUnusedDataFor: VOLATILE_SECONDS } : {}),
          }),
        ];
      }),
    ),
}).endpoints as unknown as Record<string, Endpoint>;

const endpointOf = ({ id }: Pick<Call, 'id'>): Endpoint => {
  const endpoint = endpoints[id];
  if (!endpoint) throw new Error(`${id} is not in the contract`);
  return endpoint;
};

/** The input is optional for a call that takes none. */
type Asking<S> = [S] extends [Record<string, never>]
  ? [input?: S | SkipToken, options?: Options]
  : [input: S | SkipToken, options?: Options];

type Sent<S> = [S] extends [Record<string, never>] ? [input?: S] : [input: S];

/** `const { data } = useAnswer(scripts.detail, { id })` */
export const useAnswer = <S, A>(call: Read<S, unknown, A>, ...[input, options]: Asking<S>): QueryResult<A> =>
  endpointOf(call).useQuery(input, options) as QueryResult<A>;

/** `const [add] = useChange(scripts.insert)` */
export const useChange = <S, A>(call: Change<S, unknown, A>) =>
  endpointOf(call).useMutation() as readonly [(...input: Sent<S>) => Promised<A>, Sending<A>];

/** `const [ask] = useAsk(domains.pageByServer)`: sends the request when `ask` is called, not on render. */
export const useAsk = <S, A>(call: Read<S, unknown, A>) =>
  endpointOf(call).useLazyQuery() as readonly [(...input: Sent<S>) => Promised<A>, Sending<A>, unknown];

/** For use outside of components: `dispatch(ask(sessions.session))`. */
export const ask = <S, A>(call: Read<S, unknown, A>, ...input: Sent<S>): Thunk<Question<A>> =>
  endpointOf(call).initiate(input[0], { forceRefetch: true }) as Thunk<Question<A>>;

export const send = <S, A>(call: Change<S, unknown, A>, ...input: Sent<S>): Thunk<Promised<A>> =>
  endpointOf(call).initiate(input[0]) as Thunk<Promised<A>>;
