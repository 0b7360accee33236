/**
 * `fetch` for openid-client. Its calls follow the rules for all outgoing calls (decision 28). Addresses from the
 * environment need no entry in OUTBOUND_ALLOW.
 */
import type { CustomFetch } from 'openid-client';
import type { Outbound } from './outbound';
import { hostOf } from './outbound-host';
import { callOut } from './outbound-http';

/** A person is waiting in front of the screen. */
const TIMEOUT_MS = 10_000;

const textOf = (body: unknown): string | undefined =>
  typeof body === 'string' || body instanceof URLSearchParams ? body.toString() : undefined;

const isMethod = (method: string): method is 'GET' | 'POST' => method === 'GET' || method === 'POST';

/** @throws DomainError `upstream` and OutboundRefused, as `callOut` does */
export const fetchThrough = (outbound: Outbound, ...addresses: string[]): CustomFetch => {
  const widened = outbound.alsoTo(...addresses.map(hostOf));
  return async (url, { method, headers, body, signal }) => {
    if (!isMethod(method)) throw new TypeError(`${method} is not called out with`);
    const text = textOf(body);
    const answer = await callOut(widened, {
      url,
      method,
      headers,
      timeoutMs: TIMEOUT_MS,
      ...(text === undefined ? {} : { body: text }),
      ...(signal ? { signal } : {}),
    });
    const type = answer.headers['content-type'];
    return new Response(answer.status === 204 || answer.status === 304 ? null : answer.text, {
      status: answer.status,
      ...(type === undefined ? {} : { headers: { 'content-type': type } }),
    });
  };
};
