/** Fakes the back end at `fetch` for the console's tests; everything above `fetch` is real. */
import { late } from './late';

export interface Call {
  method: string;
  path: string;
  body: unknown;
  headers: Headers;
}

export interface Reply {
  status?: number;
  body?: unknown;
  /** Plain text to send instead of a JSON body. */
  text?: string;
  position?: string;
  headers?: Record<string, string>;
}

type Handler = Reply | ((call: Call) => Reply | Promise<Reply>);

const respond = ({ status = 200, body, text, position, headers }: Reply): Response =>
  new Response(status === 204 ? null : (text ?? JSON.stringify(body ?? null)), {
    status,
    headers: { 'content-type': 'application/json', ...(position && { 'x-position': position }), ...headers },
  });

/** Answers calls by `METHOD /api/path`, ignoring the query; every other call gets 404. */
export const answerWith = (
  handlers: Record<string, Handler>,
): { calls: Call[]; on: (key: string, handler: Handler) => void } => {
  const calls: Call[] = [];
  const known = new Map(Object.entries(handlers));
  globalThis.fetch = async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    const call: Call = {
      method: init?.method ?? 'GET',
      path: url.pathname + url.search,
      body: typeof init?.body === 'string' ? JSON.parse(init.body) : undefined,
      headers: new Headers(init?.headers),
    };
    calls.push(call);
    await late(call.path);
    const handler = known.get(`${call.method} ${url.pathname}`);
    if (!handler) return respond({ status: 404, body: { msg: 'page could not be found' } });
    return respond(typeof handler === 'function' ? await handler(call) : handler);
  };
  return { calls, on: (key, handler) => void known.set(key, handler) };
};

export const unreachable = (): void => {
  globalThis.fetch = () => Promise.reject(new TypeError('fetch failed'));
};
