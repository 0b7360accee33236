/** An API client that acts like the console: it keeps the session cookie and sends the console's headers. */
import { setTimeout as pause } from 'node:timers/promises';
import { comparePositions } from '@quarterdeck/events';
import { PATIENCE_MS } from './patience';

export interface Answer<T = Record<string, unknown>> {
  status: number;
  headers: Headers;
  body: T;
}

export interface Operator {
  /** `qd_session=…`, for sockets. */
  cookie: string;
  url: string;
  post<T = Record<string, unknown>>(
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Answer<T>>;
  get<T = Record<string, unknown>>(path: string, headers?: Record<string, string>): Promise<Answer<T>>;
  /** @throws when the code is refused */
  signIn(code: string): Promise<Operator>;
}

const read = async (response: Response): Promise<Answer<never>> => {
  const text = await response.text();
  // JSON lines are not JSON.
  const isJson = /\bjson\b/.test(response.headers.get('content-type') ?? '');
  const body = (isJson && text ? JSON.parse(text) : text) as never;
  return { status: response.status, headers: response.headers, body };
};

/** `path` with or without the leading `/api`. */
const address = (url: string, path: string): string =>
  `${url}${path.startsWith('/api/') || path === '/' ? path : `/api/${path.replace(/^\//, '')}`}`;

/**
 * Waits until the read models contain a command's events, so that the next read returns what was just written, even on
 * a busy machine. The back end answers after two seconds at most; the console learns the rest by its socket, which this
 * client lacks.
 */
const projected = async (url: string, path: string, { headers }: Answer): Promise<void> => {
  if (headers.get('x-projected') !== 'false') return;
  const position = headers.get('x-position') ?? '0';
  let last = 'no answer';
  for (const deadline = Date.now() + PATIENCE_MS; Date.now() < deadline; await pause(50))
    try {
      const { headers: now } = await fetch(address(url, 'health/live'));
      const reached = now.get('x-position') ?? '0';
      if (comparePositions(reached, position) >= 0) return;
      last = `they are at ${reached}`;
    } catch (error) {
      last = error instanceof Error ? error.message : 'no answer';
    }
  throw new Error(`the read models of ${url} did not reach ${position}, where ${path} wrote: ${last}`);
};

export const operator = (url: string, cookie = ''): Operator => {
  const call = async (
    method: string,
    path: string,
    body: string | undefined,
    headers: Record<string, string>,
  ) => {
    const answer = await read(
      await fetch(address(url, path), {
        method,
        redirect: 'manual',
        ...(body === undefined ? {} : { body }),
        headers: {
          ...(cookie ? { cookie } : {}),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
      }),
    );
    await projected(url, path, answer);
    return answer;
  };
  const post = (path: string, body: unknown = {}, headers: Record<string, string> = {}) =>
    call('POST', path, typeof body === 'string' ? body : JSON.stringify(body), {
      'x-requested-with': 'quarterdeck',
      ...headers,
    });
  return {
    cookie,
    url,
    post,
    get: (path, headers = {}) => call('GET', path, undefined, headers),
    signIn: async (code) => {
      const answer = await post('auth/link', { code });
      if (answer.status !== 200)
        throw new Error(`sign-in refused: ${answer.status} ${JSON.stringify(answer.body)}`);
      return operator(url, answer.headers.getSetCookie()[0]?.split(';')[0] ?? '');
    },
  };
};
