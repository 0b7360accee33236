/**
 * All requests to the back end. Every failure, whatever its kind, becomes the same plain object, so that tables, forms
 * and pages need to know only one shape, and the store can keep it.
 */
import type { Position } from '@quarterdeck/events';

export interface Holder {
  category: string;
  id: string;
  name: string;
  /** What it is a part of, outermost first. */
  within?: readonly { category: string; id: string }[];
}

export interface ApiError {
  /** HTTP status; `offline` without a response, `unreadable` if the response could not be parsed. */
  status: number | 'offline' | 'unreadable';
  msg: string;
  /** First message per field, from a 400. */
  data?: Record<string, string>;
  /** The current version, from a 409. */
  current?: unknown;
  /** What has to change first, from a 409. */
  heldBy?: readonly Holder[];
  /** Further machine-readable reason, such as an SSH failure code. */
  code?: string;
  correlationId?: string;
  retryAfterSeconds?: number;
}

export interface AnswerMeta {
  /** Log position that the read model had reached when it answered. */
  position?: Position;
  correlationId?: string;
}

export interface ApiRequest {
  url: string;
  method?: 'GET' | 'POST';
  body?: unknown;
  /** From the contract: `asOf` can be about an instant; `timeless` is sent without one even in the past. */
  past?: 'asOf' | 'timeless';
  /** The instant to ask about; sent as the `X-At` header. */
  at?: string | undefined;
  /** A run that the call starts waits in line. */
  waits?: boolean;
  signal?: AbortSignal;
}

export type Answer = { data: unknown; meta: AnswerMeta } | { error: ApiError; meta: AnswerMeta };

export const isApiError = (error: unknown): error is ApiError =>
  typeof error === 'object' && error !== null && 'status' in error && 'msg' in error;

/** Converts anything thrown to an `ApiError`. */
export const toApiError = (error: unknown): ApiError =>
  isApiError(error)
    ? error
    : { status: 'unreadable', msg: error instanceof Error ? error.message : String(error) };

const wordsFor = (status: number): string => {
  if (status === 401) return 'Your session has ended. Sign in again.';
  if (status === 403) return 'You do not have permission to do this.';
  if (status === 404) return 'Not found.';
  if (status === 429) return 'Too many attempts. Wait a moment and try again.';
  if (status === 503)
    return 'The server cannot accept this right now. Check whether it was saved before you try again.';
  return status >= 500
    ? 'The server failed to answer this request.'
    : `The server refused this request (${status}).`;
};

const field = (body: unknown, name: string): unknown =>
  typeof body === 'object' && body !== null ? (body as Record<string, unknown>)[name] : undefined;

const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

/** `{field: message}`, with the first of several messages for a field. */
const messagesPerField = (data: unknown): Record<string, string> | undefined => {
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return undefined;
  const entries = Object.entries(data).flatMap(([name, value]) => {
    const message = text(Array.isArray(value) ? value[0] : value);
    return message === undefined ? [] : [[name, message] as const];
  });
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
};

const failure = (response: Response, body: unknown, correlationId?: string): ApiError => {
  const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN);
  const data = messagesPerField(field(body, 'data'));
  const code = text(field(body, 'code'));
  const current = field(body, 'current');
  const heldBy = field(body, 'heldBy');
  return {
    status: response.status,
    msg: text(field(body, 'msg')) ?? wordsFor(response.status),
    ...(data && { data }),
    ...(current !== undefined && { current }),
    ...(Array.isArray(heldBy) && { heldBy: heldBy as Holder[] }),
    ...(code && { code }),
    ...(correlationId && { correlationId }),
    ...(Number.isFinite(retryAfter) && { retryAfterSeconds: retryAfter }),
  };
};

const unreadable = (status: Response['status'], correlationId?: string): ApiError => ({
  status: status >= 400 ? status : 'unreadable',
  msg: "The server's answer could not be read: could not parse response to json",
  ...(correlationId && { correlationId }),
});

export const send = async ({ url, method, body, at, waits, signal }: ApiRequest): Promise<Answer> => {
  let response: Response;
  try {
    response = await fetch(new URL(`/api${url}`, window.location.origin), {
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      credentials: 'same-origin',
      headers: {
        accept: 'application/json',
        'x-requested-with': 'quarterdeck',
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(at !== undefined && { 'x-at': at }),
        ...(waits && { 'x-wait-in-line': 'true' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    });
  } catch {
    // Aborted calls end here too. Nobody reads their answer, and an exception would be logged in the browser's console.
    return {
      error: { status: 'offline', msg: 'The console cannot reach its server. Check the connection.' },
      meta: {},
    };
  }
  const position = response.headers.get('x-position') ?? undefined;
  const correlationId = response.headers.get('x-correlation-id') ?? undefined;
  const meta: AnswerMeta = { ...(position && { position }), ...(correlationId && { correlationId }) };
  if (response.status === 204) return { data: null, meta };
  const name = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1];
  if (response.ok && name !== undefined) return { data: { name, blob: await response.blob() }, meta };
  let answer: unknown;
  try {
    answer = await response.json();
  } catch {
    return { error: unreadable(response.status, correlationId), meta };
  }
  return response.ok ? { data: answer, meta } : { error: failure(response, answer, correlationId), meta };
};
