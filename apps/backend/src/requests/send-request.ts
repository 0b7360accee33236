/** Sends a request and follows its redirects, if asked. Each address is judged anew. */
import { DomainError } from '../platform/errors';
import { failureWords, type Outbound } from '../platform/outbound';
import { StepFailed, StepLost } from '../runs';
import type { ReadyRequest } from './ready-request';
import { CallFailed, timedCall, type RawAnswer } from './timed-call';

const MAX_REDIRECTS = 5;

export interface Hop {
  method: string;
  url: string;
  status: number;
  /** Headers that were not sent to this origin. */
  dropped: string[];
}

export interface SentAnswer extends RawAnswer {
  hops: Hop[];
  /** Where the answer redirects to, if it was not followed. */
  location?: string;
}

interface Sending {
  outbound: Outbound;
  follow: boolean;
  /** Headers that go to the first origin only. */
  own: ReadonlySet<string>;
  /** The body contains a secret. */
  secretBody: boolean;
  /** The request only reads, so sending it again is harmless. */
  repeatable: boolean;
  signal: AbortSignal;
  /** Ends the request when it takes too long. */
  late: AbortSignal;
}

const words: Readonly<Record<string, string>> = {
  ...failureWords,
  HPE_HEADER_OVERFLOW: 'answered with headers of more than 64 kB',
};

/** An answer that is no HTTP is an answer: the server has received the request. */
const wasAnswered = (code: string): boolean => code.startsWith('HPE_');

const REDIRECT = 'redirect';
/** Whether a request that failed with this code may have reached a server. */
export const mayHaveArrived = (code: string): boolean =>
  wasAnswered(code) || code === REDIRECT || code === 'timeout';

const inWords = (code: string): string => {
  if (words[code] !== undefined) return words[code];
  return wasAnswered(code)
    ? `answered with something that is not HTTP (${code})`
    : `could not be called (${code})`;
};

export const sendRequest = async (first: ReadyRequest, sending: Sending): Promise<SentAnswer> => {
  const hops: Hop[] = [];
  let next: { request: ReadyRequest; dropped: string[] } = { request: first, dropped: [] };
  for (;;) {
    const { request, dropped } = next;
    const answer = await sendOnce(request, sending).catch((error: unknown) => {
      throw hops.length === 0 ? error : afterRedirect(error, hops.at(-1)?.status ?? 0);
    });
    hops.push({ method: request.method, url: request.url.href, status: answer.status, dropped });
    const location = locationOf(answer, request.url);
    if (location === undefined) return { ...answer, hops };
    const followed = sending.follow && hops.length <= MAX_REDIRECTS;
    const following = followed ? redirected(request, answer.status, location, sending) : undefined;
    if (!following) return { ...answer, hops, location: location.href };
    next = following;
  }
};

/** The request itself was answered, so it has arrived, whatever becomes of the redirect. */
const afterRedirect = (error: unknown, status: number): unknown => {
  const isFailure = error instanceof StepFailed || error instanceof DomainError;
  if (!isFailure) return error;
  return new StepFailed(REDIRECT, `The redirect (${status}) could not be followed: ${error.message}`);
};

const locationOf = ({ status, headers }: RawAnswer, from: URL): URL | undefined => {
  if (![301, 302, 303, 307, 308].includes(status)) return undefined;
  const value = headers.find(([name]) => name.toLowerCase() === 'location')?.[1];
  return value !== undefined && URL.canParse(value, from.href) ? new URL(value, from) : undefined;
};

/** As browsers do: after 303 the next request is a GET, and so it is after 301 and 302 of a POST. */
const redirected = (
  { method, headers, body, url }: ReadyRequest,
  status: number,
  to: URL,
  { own, secretBody }: Sending,
): { request: ReadyRequest; dropped: string[] } | undefined => {
  if (to.protocol !== 'http:' && to.protocol !== 'https:') return undefined;
  if (to.username !== '' || to.password !== '') return undefined;
  const becomesGet = (status === 303 && method !== 'HEAD') || (status < 303 && method === 'POST');
  const isSame = to.origin === url.origin;
  const keepsBody = !becomesGet && body !== undefined;
  if (!isSame && keepsBody && secretBody) return undefined;
  const goes = (name: string): boolean =>
    (isSame || !own.has(name.toLowerCase())) && (keepsBody || !name.toLowerCase().startsWith('content-'));
  return {
    request: {
      method: becomesGet ? 'GET' : method,
      url: to,
      headers: headers.filter(([name]) => goes(name)),
      ...(keepsBody && { body }),
    },
    dropped: isSame ? [] : headers.map(([name]) => name).filter((name) => own.has(name.toLowerCase())),
  };
};

const sendOnce = async (request: ReadyRequest, sending: Sending): Promise<RawAnswer> => {
  const { url, method } = request;
  const { outbound, late, signal, repeatable } = sending;
  const began = performance.now();
  const target = await before(
    signal,
    outbound.reach({ host: url.hostname, port: Number(url.port) || (url.protocol === 'http:' ? 80 : 443) }),
  ).catch((error: unknown) => {
    if (error instanceof DomainError) throw error;
    throw late.aborted
      ? new StepFailed('ETIMEDOUT', `The name ${url.hostname} was not resolved in time`)
      : error;
  });
  try {
    return await timedCall(request, target, { dnsMs: performance.now() - began, signal });
  } catch (error) {
    if (!(error instanceof CallFailed)) throw error;
    const { code, sent } = error;
    const why = late.aborted ? 'did not answer in time' : inWords(code);
    // Before the connection stood, nothing was sent. An operator who cancels is told the same.
    if (!sent || repeatable || wasAnswered(code))
      throw new StepFailed(late.aborted ? 'ETIMEDOUT' : code, `${url.host} ${why}`);
    throw new StepLost(
      `${url.host} ${signal.aborted && !late.aborted ? 'had not answered when the request was ended' : why}. ` +
        `Whether it carried out the ${method} is not known; it is not sent again by itself`,
    );
  }
};

const before = <T>(ended: AbortSignal, work: Promise<T>): Promise<T> =>
  new Promise<T>((resolve, reject) => {
    const leave = (): void => reject(new Error('ended'));
    ended.addEventListener('abort', leave);
    if (ended.aborted) leave();
    work.then(resolve, reject).finally(() => ended.removeEventListener('abort', leave));
  });
